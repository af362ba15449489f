// A session that was stopped and continues, from a snapshot and the tail after it, replies what one
// replies that was never stopped: ids, duplicates, books, accounts, groups and expiries (R2).

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/engines.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/testing/trading_day.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::engine::SequenceNumber;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr size_t kBefore = 40'000;  // More than a session looks back, so that a snapshot is used.
constexpr size_t kAfter = 12'000;

std::string PathOf(const std::string& name) { return testing::TempDir() + "/" + name; }

// The replies after `kBefore` steps of a session that did not stop there.
const std::string& UninterruptedReplies() {
  static const std::string replies = [] {
    TradingDay day({.path = PathOf("uninterrupted")});
    day.Open();
    day.Trade(kBefore);
    std::string after = day.Trade(kAfter);
    day.Close();
    return after;
  }();
  return replies;
}

void TradeUntilTheStop(TradingDay& day) {
  day.Open();
  day.Trade(kBefore);
  day.Close();
}

void MakeSnapshot(const std::string& path, const std::string& position) {
  const VerbResult made = RunVerb(MakeSnapshotVerb(), {"make", path, position});
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
}

void Damage(const std::string& journal, int sequence) {
  const std::string path = absl::StrFormat("%s/snapshots/%020d.snap", journal, sequence);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
  file << "damage";
}

std::optional<SequenceNumber> SnapshotUsed(TradingDay& day) {
  return day.conversation().recording().snapshot();
}

// Not EXPECT_EQ: a difference of some megabytes would be printed whole.
void ExpectSame(const std::string& replies, const std::string& expected) {
  const auto [a, b] =
      std::mismatch(replies.begin(), replies.end(), expected.begin(), expected.end());
  if (a == replies.end() && b == expected.end()) return;
  const auto at = static_cast<size_t>(a - replies.begin());
  const size_t from = replies.rfind('\n', at) + 1;
  ADD_FAILURE() << "after " << at << " equal bytes:\n"
                << replies.substr(from, 200) << "\nexpected:\n"
                << expected.substr(from, 200);
}

TEST(Resume, TheDayHasEverything) {
  const std::string& replies = UninterruptedReplies();
  for (const char* word : {"\nACK ", "\nFILL ", "\nMODIFIED ", " requested\n", " expired\n",
                           " duplicate_id\n", " order_not_live\n", "\nBALANCE ", "\nPOSITION ",
                           "\nEND\n", "\nDEFINED ", "group", "self_trade", "risk_order_rate"}) {
    EXPECT_NE(replies.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(replies.find("ERROR"), std::string::npos) << "line numbers are the session's";
}

TEST(Resume, FromASnapshotSaysWhatAnUninterruptedSessionSays) {
  TradingDay day({.path = PathOf("resumed")});
  TradeUntilTheStop(day);
  MakeSnapshot(PathOf("resumed"), "@8192");
  EXPECT_THAT(day.Open(), Not(HasSubstr("warning")));
  EXPECT_EQ(SnapshotUsed(day), SequenceNumber(8192));
  ExpectSame(day.Trade(kAfter), UninterruptedReplies());
}

TEST(Resume, WithADamagedSnapshotFallsBackWithAWarning) {
  TradingDay day({.path = PathOf("fallen_back")});
  TradeUntilTheStop(day);
  MakeSnapshot(PathOf("fallen_back"), "@4096");
  MakeSnapshot(PathOf("fallen_back"), "@8192");
  Damage(PathOf("fallen_back"), 8192);
  EXPECT_THAT(day.Open(), HasSubstr("warning: snapshot skipped: 00000000000000008192.snap"));
  EXPECT_EQ(SnapshotUsed(day), SequenceNumber(4096));
  ExpectSame(day.Trade(kAfter), UninterruptedReplies());
}

TEST(Resume, WithTheReferenceEngineIsTheSame) {
  TradingDay day({.path = PathOf("by_reference")});
  TradeUntilTheStop(day);
  MakeSnapshot(PathOf("by_reference"), "@8192");
  EXPECT_THAT(day.Open(replay::EngineKind::kReference), Not(HasSubstr("warning")));
  EXPECT_EQ(SnapshotUsed(day), SequenceNumber(8192));
  ExpectSame(day.Trade(kAfter), UninterruptedReplies());
}

TEST(Resume, AfterEveryFewThousandStepsSaysTheSame) {
  TradingDay day({.path = PathOf("often")});
  TradeUntilTheStop(day);
  std::string replies;
  for (size_t done = 0; done < kAfter; done += 3'000) {
    MakeSnapshot(PathOf("often"), "@8192");
    day.Open();
    replies += day.Trade(3'000);
    day.Close();
  }
  ExpectSame(replies, UninterruptedReplies());
}

}  // namespace
}  // namespace tools
