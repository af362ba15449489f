// The book of a mirrored stream is Nasdaq's after every message: it is compared with a book that is
// made of the messages alone, with std::map.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/translator.h"
#include "gtest/gtest.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/priority_check.h"
#include "tools/cli/record/testing/applied_directly.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";

// The books as the messages say.
class NasdaqBooks {
 public:
  void Take(const engine::ItchMessage& message) {
    std::visit([this](const auto& typed) { On(typed); }, message);
  }

  BookOfTest BookOf(uint16_t locate) const {
    BookOfTest book;
    const auto found = queues_.find(locate);
    if (found == queues_.end()) return book;
    for (const auto& [level, queue] : found->second) {
      for (const auto& [place, shares] : queue) book[level].push_back(shares);
    }
    return book;
  }

 private:
  using Level = std::pair<engine::Side, int64_t>;
  struct Order {
    uint16_t locate = 0;
    Level level;
    uint64_t place = 0;
  };

  template <typename T>
  void On(const T& message) {
    if constexpr (std::is_same_v<T, engine::ItchAddOrder> ||
                  std::is_same_v<T, engine::ItchAddOrderWithParticipant>) {
      Add(message.order_reference, message.header.stock_locate, {message.side, message.price},
          message.shares);
    } else if constexpr (std::is_same_v<T, engine::ItchOrderExecuted> ||
                         std::is_same_v<T, engine::ItchOrderExecutedWithPrice>) {
      Lower(message.order_reference, message.executed_shares);
    } else if constexpr (std::is_same_v<T, engine::ItchOrderCancel>) {
      Lower(message.order_reference, message.cancelled_shares);
    } else if constexpr (std::is_same_v<T, engine::ItchOrderDelete>) {
      Lower(message.order_reference, UINT64_MAX);
    } else if constexpr (std::is_same_v<T, engine::ItchOrderReplace>) {
      const auto found = orders_.find(message.original_order_reference);
      if (found == orders_.end()) return;
      const Order old = found->second;
      Lower(message.original_order_reference, UINT64_MAX);
      Add(message.new_order_reference, old.locate, {old.level.first, message.price},
          message.shares);
    }
  }

  void Add(uint64_t reference, uint16_t locate, Level level, uint64_t shares) {
    orders_[reference] = {.locate = locate, .level = level, .place = ++places_};
    queues_[locate][level][places_] = shares;
  }

  void Lower(uint64_t reference, uint64_t shares) {
    const auto found = orders_.find(reference);
    if (found == orders_.end()) return;
    const auto& [locate, level, place] = found->second;
    auto& queue = queues_[locate][level];
    uint64_t& left = queue.at(place);
    left -= std::min(left, shares);
    if (left != 0) return;
    queue.erase(place);
    if (queue.empty()) queues_[locate].erase(level);
    orders_.erase(found);
  }

  std::map<uint64_t, Order> orders_;
  std::map<uint16_t, std::map<Level, std::map<uint64_t, uint64_t>>> queues_;
  uint64_t places_ = 0;
};

TEST(ItchMirror, TheBookIsNasdaqsAfterEveryMessage) {
  std::ifstream file(kSession, std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  engine::ItchStreamReader reader;
  reader.Feed(engine::AsBytes(stream));
  engine::ManualClock clock;
  PriorityCheck priority;
  AppliedDirectly exchange(clock, &priority);
  engine::ItchTranslator translator(exchange, clock, engine::Timestamp(), engine::ItchMode::kMirror,
                                    &priority);
  NasdaqBooks nasdaq;
  engine::ItchMessage message;
  uint64_t unequal = 0;
  while (true) {
    const auto more = reader.Next(message);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    const uint64_t commands = translator.counters().TotalCommands();
    ASSERT_TRUE(translator.Translate(message).ok());
    nasdaq.Take(message);
    if (translator.counters().TotalCommands() == commands) continue;
    const auto locate = std::visit(
        [](const auto& typed) -> uint16_t { return typed.header.stock_locate; }, message);
    unequal += nasdaq.BookOf(locate) == exchange.BookOf(engine::MarketId(locate)) ? 0 : 1;
  }
  EXPECT_EQ(unequal, 0u);
  EXPECT_EQ(exchange.rejected(), 0u);
  EXPECT_EQ(translator.counters().executions, 81u);
  EXPECT_EQ(translator.counters().prints, 242u + 69u) << "121 crosses did not take place";
}

TEST(ItchMirror, TheReportSaysHowOftenPriorityWouldHaveChosenAnother) {
  const std::string journal = testing::TempDir() + "/mirror.tape";
  const VerbResult recorded = RunVerb(
      MakeRecordVerb(), {"--from", "itch", "--mode", "mirror", kSession, "-o", journal, "--json"});
  ASSERT_EQ(recorded.code, ExitCode::kOk) << recorded.error;
  EXPECT_NE(recorded.output.find(R"("priority":{"order_executed":{"executions":)"),
            std::string::npos)
      << recorded.output;
  EXPECT_NE(recorded.output.find(R"("live_orders":31729)"), std::string::npos);
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {"--replay", "--json", journal});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.error;
  EXPECT_NE(verified.output.find(R"("equal":true)"), std::string::npos);
}

TEST(ItchMirror, NothingIsMatchedSoNoMatchIsChecked) {
  const VerbResult result =
      RunVerb(MakeRecordVerb(), {"--from", "itch", "--mode", "mirror", "--check-executions",
                                 kSession, "-o", testing::TempDir() + "/both.tape"});
  EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
  EXPECT_NE(result.error.find("nothing is matched"), std::string::npos) << result.error;
}

}  // namespace
}  // namespace tools
