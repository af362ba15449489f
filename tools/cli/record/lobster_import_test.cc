// Files as LOBSTER's, made of a session that an engine matched: they begin in its middle, and have
// the messages and levels that were in view. The mirrored book is that of every line.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/views/order_actions.h"
#include "engine/wire/testing/compressed.h"
#include "engine/workload/order_flow.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using engine::OrderAction;
using engine::Side;
using ::testing::HasSubstr;
using ::testing::TempDir;

constexpr size_t kDepth = 3;
constexpr int64_t kBegin = 34'200'000'000'000;  // 09:30.

// Writes what LOBSTER would of one market.
class LobsterWriter {
 public:
  void Take(const OrderAction& action) {
    if (action.kind == OrderAction::Kind::kTrade) return;
    const View before = ViewOf(action.side);
    const bool was_filled = filled_ == action.order;
    filled_ = {};
    const int64_t size = static_cast<int64_t>(action.size.units());
    switch (action.kind) {
      case OrderAction::Kind::kAdd:
        remaining_[action.order] = size;
        Change(action, size);
        return Write(action, 1, size, before);
      case OrderAction::Kind::kFill:
        filled_ = action.order;
        fill_price_ = action.price.units();
        return;
      case OrderAction::Kind::kModify: {
        const int64_t less = remaining_[action.order] - size;
        remaining_[action.order] = size;
        Change(action, -less);
        return Write(action, 2, less, before);
      }
      default:
        break;
    }
    int64_t& remaining = remaining_[action.order];
    remaining -= size;
    Change(action, -size);
    Write(action, was_filled ? 4 : remaining == 0 ? 3 : 2, size, before);
    if (remaining == 0) remaining_.erase(action.order);
  }

  // A message that changes no order.
  void WriteOther(const std::string& rest) {
    if (!begun_) return;
    absl::StrAppend(&messages_, Time(), ",", rest, "\n");
    absl::StrAppend(&books_, BookLine(), "\n");
  }

  void Begin() { begun_ = true; }
  void SetTime(int64_t nanos) { nanos_ = nanos; }
  const std::string& messages() const { return messages_; }
  const std::string& books() const { return books_; }

 private:
  using View = std::vector<std::pair<int64_t, int64_t>>;  // Prices and sizes, best first.
  // By distance from the best.
  std::map<int64_t, int64_t>& LevelsOf(Side side) { return side == Side::kBid ? bids_ : asks_; }

  View ViewOf(Side side) {
    View view;
    for (const auto& [key, size] : LevelsOf(side)) {
      if (view.size() == kDepth) break;
      view.emplace_back(std::abs(key), size);
    }
    return view;
  }

  void Change(const OrderAction& action, int64_t size) {
    const int64_t price = action.price.units();
    auto& levels = LevelsOf(action.side);
    int64_t& level = levels[action.side == Side::kBid ? -price : price];
    level += size;
    if (level == 0) levels.erase(action.side == Side::kBid ? -price : price);
  }

  // Only what changed the view is in the files.
  void Write(const OrderAction& action, int type, int64_t size, const View& before) {
    if (!begun_ || ViewOf(action.side) == before) return;
    absl::StrAppend(&messages_, Time(), ",", type, ",", action.order.value(), ",", size, ",",
                    type == 4 ? fill_price_ : action.price.units(), ",",
                    action.side == Side::kBid ? 1 : -1, "\n");
    absl::StrAppend(&books_, BookLine(), "\n");
  }

  std::string Time() const {
    return absl::StrFormat("%d.%09d", nanos_ / 1'000'000'000, nanos_ % 1'000'000'000);
  }
  std::string BookLine() {
    View asks = ViewOf(Side::kAsk);
    View bids = ViewOf(Side::kBid);
    asks.resize(kDepth, {9'999'999'999, 0});
    bids.resize(kDepth, {-9'999'999'999, 0});
    std::string line;
    for (size_t i = 0; i < kDepth; ++i) {
      absl::StrAppend(&line, i == 0 ? "" : ",", asks[i].first, ",", asks[i].second, ",",
                      bids[i].first, ",", bids[i].second);
    }
    return line;
  }

  bool begun_ = false;
  int64_t nanos_ = kBegin;
  std::map<int64_t, int64_t> bids_;
  std::map<int64_t, int64_t> asks_;
  std::map<engine::OrderId, int64_t> remaining_;
  engine::OrderId filled_;  // By the action before.
  int64_t fill_price_ = 0;
  std::string messages_;
  std::string books_;
};

// Matches commands, and shows the writer what became of them.
class MatchedSession final : public engine::CommandSink {
 public:
  MatchedSession(engine::Clock& clock, LobsterWriter& writer)
      : clock_(clock),
        writer_(writer),
        machine_(replay::MakeEngine(replay::EngineKind::kFast)),
        driver_(*machine_) {}

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    engine::Command sequenced = command;
    sequenced.sequence = driver_.last_applied().Next();
    sequenced.timestamp = clock_.Now();
    writer_.SetTime(kBegin + static_cast<int64_t>(sequenced.sequence.value()) * 1'001);
    const journal::Row row = replay::ToRow(sequenced);
    const auto events = replay::AsEvents(driver_.Apply({.row = &row, .attachment = attachment}));
    const auto visit = [&](const OrderAction& action) { writer_.Take(action); };
    actions_.Take(sequenced, events, visit);
    actions_.Finish(visit);
    return sequenced.sequence;
  }

 private:
  engine::Clock& clock_;
  LobsterWriter& writer_;
  std::unique_ptr<replay::Machine> machine_;
  replay::Driver driver_;
  engine::OrderActions actions_;
};

struct Files {
  std::string messages;
  std::string books;
};

const Files& Session() {
  static const Files* const files = [] {
    LobsterWriter writer;
    engine::ManualClock clock;
    MatchedSession session(clock, writer);
    bench::OrderFlow::Options options;
    options.seed = 11;
    options.market_count = 1;
    bench::OrderFlow flow(session, clock, options);
    for (int i = 0; i < 20'000; ++i) {
      if (i == 3'000) writer.Begin();
      if (i == 4'000) writer.WriteOther("5,0,7,100,1");
      if (i == 4'001) writer.WriteOther("6,-1,500,100,-1");
      if (i == 5'000) writer.WriteOther("7,0,0,-1,-1");
      if (i == 5'001) writer.WriteOther("7,0,0,1,-1");
      EXPECT_TRUE(flow.Next().ok());
    }
    return new Files{writer.messages(), writer.books()};
  }();
  return *files;
}

class LobsterImportTest : public ::testing::Test {
 protected:
  LobsterImportTest() { std::filesystem::create_directories(folder_); }

  std::string PathOf(absl::string_view kind) const {
    return absl::StrCat(folder_, "/AAPL_2012-06-21_34200000_57600000_", kind, "_3.csv");
  }
  static void Write(const std::string& path, const std::string& contents) {
    std::ofstream(path, std::ios::binary) << contents;
  }
  VerbResult Record(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"--json", "-o", journal_};
    all.insert(all.end(), words.begin(), words.end());
    return RunVerb(MakeRecordVerb(), all);
  }
  static uint64_t NumberIn(const VerbResult& result, const std::string& field) {
    const size_t at = result.output.find(absl::StrCat("\"", field, "\":"));
    EXPECT_NE(at, std::string::npos) << field << " in " << result.output << result.error;
    if (at == std::string::npos) return 0;
    return std::strtoull(result.output.c_str() + at + field.size() + 3, nullptr, 10);
  }

  const std::string folder_ = absl::StrCat(
      TempDir(), "/lobster_", testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string journal_ = folder_ + "/day.tape";
};

TEST_F(LobsterImportTest, TheBookIsThatOfEveryLine) {
  Write(PathOf("message"), Session().messages);
  Write(PathOf("orderbook"), Session().books);
  const VerbResult result = Record({PathOf("message"), "--strict"});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  const auto lines = static_cast<uint64_t>(std::ranges::count(Session().messages, '\n'));
  EXPECT_GT(lines, 2'000u);
  EXPECT_EQ(NumberIn(result, "messages"), lines);
  EXPECT_EQ(NumberIn(result, "books_equal"), lines);
  EXPECT_EQ(NumberIn(result, "books_different"), 0u);
  EXPECT_EQ(NumberIn(result, "rejected"), 0u);
  EXPECT_GT(NumberIn(result, "corrected_first_view"), 0u);
  EXPECT_GT(NumberIn(result, "corrected_later_views"), 0u);
  EXPECT_GT(NumberIn(result, "executed"), 100u);
  const VerbResult first = RunVerb(MakeCatVerb(), {journal_});
  EXPECT_THAT(first.output, HasSubstr("1 2012-06-21T13:30:00.")) << "New York's summer";
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", journal_}).code, ExitCode::kOk);
}

TEST_F(LobsterImportTest, EitherFileMayBeCompressed) {
  Write(PathOf("message") + ".zst", engine::Zstandard(Session().messages));
  Write(PathOf("orderbook") + ".gz", engine::Gzipped(Session().books));
  const VerbResult result = Record({PathOf("message") + ".zst"});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_EQ(NumberIn(result, "books_different"), 0u);
}

TEST_F(LobsterImportTest, WithoutBooksUnknownOrdersAreCounted) {
  Write(PathOf("message"), Session().messages);
  const VerbResult result = Record({PathOf("message")});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_EQ(NumberIn(result, "books_equal"), 0u);
  EXPECT_EQ(NumberIn(result, "corrected_first_view"), 0u);
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", journal_}).code, ExitCode::kOk);
}

TEST_F(LobsterImportTest, OptionsSayWhatANameDoesNot) {
  Write(folder_ + "/m", Session().messages);
  Write(folder_ + "/b", Session().books);
  const VerbResult unnamed = Record({"--from", "lobster", folder_ + "/m"});
  EXPECT_EQ(unnamed.code, ExitCode::kUsage);
  EXPECT_THAT(unnamed.error, HasSubstr("_message_10.csv; expected --symbol"));
  const VerbResult no_day =
      Record({"--from", "lobster", folder_ + "/m", "--date", "June", "--symbol", "AAPL"});
  EXPECT_EQ(no_day.code, ExitCode::kUsage);
  EXPECT_THAT(no_day.error, HasSubstr("'June' is not a day; expected e.g. 2020-01-30"));
  const VerbResult result = Record({"--from", "lobster", folder_ + "/m", "--date", "2012-01-20",
                                    "--symbol", "MSFT", "--orderbook", folder_ + "/b"});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(NumberIn(result, "books_different"), 0u);
  EXPECT_THAT(RunVerb(MakeCatVerb(), {journal_}).output, HasSubstr("1 2012-01-20T14:30:00."))
      << "New York's winter";
}

TEST_F(LobsterImportTest, WhatIsMalformedIsNamedAndNothingIsLeft) {
  const auto refused = [&](const std::string& messages, const std::string& books,
                           const std::string& why) {
    Write(PathOf("message"), messages);
    Write(PathOf("orderbook"), books);
    const VerbResult result = Record({PathOf("message")});
    EXPECT_EQ(result.code, ExitCode::kDamaged) << why;
    EXPECT_THAT(result.error, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(journal_));
    EXPECT_FALSE(std::filesystem::exists(journal_ + ".partial"));
  };
  const std::string message = "34200.1,1,7,5,100,1\n";
  const std::string book = "110,9,100,5\n";
  refused(message + "34200.1,1,8,x,100,1\n", book + book, "_message_3.csv:2: size: 'x', expected");
  refused(message, "110,9,100\n", "_orderbook_3.csv:1: 3 columns, expected four a level");
  refused(message + message, book, "_orderbook_3.csv:2: the file ends here, expected a line for");
  refused(message, book + book, "_orderbook_3.csv:2: a line without a message: ");
  refused(message + message, book + "110,9,100,5,111,1,99,1\n", "2 levels, expected 1 as on the");
  refused(std::string(2000, '1'), book, "_message_3.csv:1: a line of more than 1024 bytes");
  refused(engine::Zstandard(message).substr(0, 15), book, "damaged at byte 15 of the compressed");
  refused(message, engine::Gzipped(book).substr(0, 15), "damaged at byte 15 of the compressed");
}

}  // namespace
}  // namespace tools
