// Several logs become one with the same meaning.

#include "replay/slice/log_merge.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/compare/fixture_text.h"
#include "replay/log_source.h"

namespace replay {
namespace {

using ::testing::HasSubstr;

// A journal in memory.
struct Kept {
  journal::MemoryDirectory directory;
  std::unique_ptr<journal::Reader> reader;
};

std::unique_ptr<Kept> Keep(const std::string& text) {
  const auto log = ParseFixtureText("test", text);
  CHECK_OK(log.status());
  auto kept = std::make_unique<Kept>();
  auto writer = journal::Writer::Create(kept->directory, journal::JournalMetadata(),
                                        journal::Uuid::FromWords(1, 2), {}, {.block_records = 2});
  CHECK_OK(writer.status());
  for (const LogEntry& entry : *log) {
    journal::Row row = entry.row;
    row.sequence = (*writer)->next_sequence();
    CHECK_OK((*writer)->Append(row, entry.bytes()));
  }
  CHECK_OK((*writer)->Close());
  auto reader = journal::Reader::Open(kept->directory);
  CHECK_OK(reader.status());
  kept->reader = *std::move(reader);
  return kept;
}

absl::StatusOr<Log> MergeOf(const std::vector<std::string>& texts, MergeOrder order,
                            uint32_t account_offset = 0) {
  std::vector<std::unique_ptr<Kept>> all;
  std::vector<MergeSource> sources;
  for (const std::string& text : texts) {
    all.push_back(Keep(text));
    const auto index = static_cast<uint32_t>(sources.size());
    sources.push_back({.name = absl::StrCat("log ", index),
                       .reader = all.back()->reader.get(),
                       .account_offset = index * account_offset});
  }
  Log log;
  const auto merged = MergeLogs(sources, order, [&](const MergedCommand& one) {
    EXPECT_EQ(one.command.sequence.value(), log.size() + 1);
    log.push_back({.row = ToRow(one.command)});
    if (!one.attachment.empty()) {
      log.back().attachment = std::make_shared<const std::vector<std::byte>>(one.attachment.begin(),
                                                                             one.attachment.end());
    }
    return absl::OkStatus();
  });
  if (!merged.ok()) return merged.status();
  return log;
}

std::string TextOf(const absl::StatusOr<Log>& log) {
  return log.ok() ? FixtureText("merged", *log) : std::string(log.status().message());
}

constexpr char kDefine[] =
    "define_market id=1 symbol=ACME price_decimals=2 tick=0.01 price_min=0.01 price_max=10.00 "
    "lot=1\n";

std::string At(int second, const std::string& line) {
  return absl::StrCat("at 2026-01-01T00:00:0", second, ".000000000Z\n", line, "\n");
}

TEST(LogMergeTest, OneAfterTheOtherWithNewNumbers) {
  const std::string a = At(1, kDefine) + At(2, "bid market=ACME price=1.00 quantity=5 account=1") +
                        At(3, "cancel market=ACME order=2 account=1");
  const std::string b = At(4, kDefine) + At(5, "ask market=ACME price=2.00 quantity=5 account=1") +
                        At(6, "replace market=ACME order=2 price=3.00 quantity=5 account=1") +
                        At(7, "cancel market=ACME order=3 account=1");
  const std::string merged = At(1, kDefine) +
                             At(2, "bid market=ACME price=1.00 quantity=5 account=1") +
                             At(3, "cancel market=ACME order=2 account=1") +
                             At(5, "ask market=ACME price=2.00 quantity=5 account=1") +
                             At(6, "replace market=ACME order=4 price=3.00 quantity=5 account=1") +
                             At(7, "cancel market=ACME order=5 account=1");
  EXPECT_EQ(TextOf(MergeOf({a, b}, MergeOrder::kConcatenated)),
            TextOf(ParseFixtureText("expected", merged)));
}

TEST(LogMergeTest, ByTimeTheFirstNamedComesFirstAtOneTime) {
  const std::string a = At(1, kDefine) + At(3, "bid market=ACME price=1.00 quantity=5 account=1") +
                        At(5, "cancel market=ACME order=2 account=1");
  const std::string b = At(2, kDefine) + At(3, "bid market=ACME price=2.00 quantity=5 account=1") +
                        At(4, "cancel market=ACME order=2 account=1") +
                        At(5, "cancel market=ACME order=9 account=1");
  const std::string merged = At(1, kDefine) +
                             At(3, "bid market=ACME price=1.00 quantity=5 account=1") +
                             At(3, "bid market=ACME price=2.00 quantity=5 account=11") +
                             At(4, "cancel market=ACME order=3 account=11") +
                             At(5, "cancel market=ACME order=2 account=1") +
                             // A command that made no order must not make one.
                             At(5, "cancel market=ACME order=0 account=11");
  EXPECT_EQ(TextOf(MergeOf({a, b}, MergeOrder::kByTime, 10)),
            TextOf(ParseFixtureText("expected", merged)));
}

TEST(LogMergeTest, TimeThatRunsBackwardsIsRefused) {
  EXPECT_THAT(
      TextOf(MergeOf({At(5, "advance_time"), At(4, "advance_time")}, MergeOrder::kConcatenated)),
      HasSubstr("log 1 @1 is at 2026-01-01T00:00:04.000000000Z, before log 0 @1 at "
                "2026-01-01T00:00:05.000000000Z; --by time puts them in order"));
}

TEST(LogMergeTest, MarketsThatConflictAreRefused) {
  const std::string other_limits =
      "define_market id=1 symbol=ACME price_decimals=2 tick=0.01 price_min=0.01 price_max=9.00 "
      "lot=1\n";
  EXPECT_THAT(TextOf(MergeOf({At(1, kDefine), At(2, other_limits)}, MergeOrder::kByTime)),
              HasSubstr("log 1 @1 defines market 1 as ACME, but log 0 @1 defines market 1 as ACME "
                        "with other units or limits; expected"));
  const std::string other_id =
      "define_market id=2 symbol=ACME price_decimals=2 tick=0.01 price_min=0.01 price_max=10.00 "
      "lot=1\n";
  EXPECT_THAT(TextOf(MergeOf({At(1, kDefine), At(2, other_id)}, MergeOrder::kByTime)),
              HasSubstr("log 1 @1 defines market 2 as ACME, but log 0 @1 defines market 1"));
}

TEST(LogMergeTest, HighestAccount) {
  const auto kept =
      Keep(At(1, kDefine) + At(2, "open_account account=17") + At(2, "open_account account=3"));
  EXPECT_EQ(HighestAccount(*kept->reader).value(), 17u);
}

}  // namespace
}  // namespace replay
