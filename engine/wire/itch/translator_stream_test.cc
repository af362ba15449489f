// A stream as a whole: its counts, its times, its end; a real one, and random ones.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/side.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/testing/translator_test_base.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST_F(ItchTranslatorTest, OtherTypesAreCounted) {
  Translate(ItchSystemEvent{.header = HeaderNow(0), .event_code = 'Q'});
  Translate(ItchNonCrossTrade{.header = HeaderNow()});
  Translate(ItchNonCrossTrade{.header = HeaderNow()});
  EXPECT_EQ(CommandCount(), 0u);
  EXPECT_EQ(Counters().messages[kItchIndexOf<ItchSystemEvent>], 1u);
  EXPECT_EQ(Counters().messages[kItchIndexOf<ItchNonCrossTrade>], 2u);
  EXPECT_EQ(Counters().TotalMessages(), 3u);
}

TEST_F(ItchTranslatorTest, EachCommandHasTheTimeOfItsMessage) {
  time_ns_ = 28'800'000'000'000;
  Directory("AAPL");
  EXPECT_EQ(Last().timestamp, Timestamp::FromNanos(kMidnight + 28'800'000'000'001));
  time_ns_ = ~uint64_t{0} - 1;  // Longer than the wire allows.
  Add(1, Side::kBid, 1, 1);
  EXPECT_EQ(Last().timestamp, Timestamp::FromNanos(kMidnight + (int64_t{1} << 48) - 1));
}

TEST_F(ItchTranslatorTest, AFailingSinkIsReportedAndChangesNothing) {
  Directory("AAPL");
  sink_.capacity = 1;
  const absl::Status status = translator_.Translate(ItchAddOrder{.header = HeaderNow(),
                                                                 .order_reference = 1,
                                                                 .side = Side::kBid,
                                                                 .shares = 1,
                                                                 .stock = Stock("AAPL"),
                                                                 .price = 1});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Counters().live_orders, 0u);
  EXPECT_EQ(Counters().new_orders, 0u);
}

TEST_F(ItchTranslatorTest, RowsNameNonZeroCounts) {
  Add(1, Side::kAsk, 300, 100);
  Delete(7);
  const std::vector<std::pair<std::string, uint64_t>> expected = {
      {"messages", 2},
      {"messages.A.add_order", 1},
      {"messages.D.order_delete", 1},
      {"commands", 2},
      {"commands.define_market", 1},
      {"commands.new_order", 1},
      {"unknown_references", 1},
      {"unknown_references.D.order_delete", 1},
      {"markets_defined_by_orders", 1},
      {"live_orders", 1},
  };
  EXPECT_EQ(Counters().Rows(), expected);
}

// The numbers are those of an independent parser and book: testdata/itch/README.md.
TEST_F(ItchTranslatorTest, TheOpenOfARealSessionGivesTheKnownNumbers) {
  std::ifstream file("testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz",
                     std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  ItchStreamReader reader;
  ItchMessage message;
  for (const Bytes chunk : {AsBytes(stream), Bytes()}) {
    reader.Feed(chunk);
    while (true) {
      const absl::StatusOr<bool> more = reader.Next(message);
      ASSERT_TRUE(more.ok()) << more.status();
      if (!*more) break;
      ASSERT_TRUE(translator_.Translate(message).ok());
    }
  }
  EXPECT_EQ(Counters().TotalMessages(), 291'913u);
  EXPECT_EQ(Counters().TotalUnknownReferences(), 13'138u);
  EXPECT_EQ(Counters().live_orders, 31'729u);
  EXPECT_EQ(Counters().markets_defined, 8'849u);
  EXPECT_EQ(Counters().markets_defined_by_orders, 0u);
  EXPECT_EQ(Counters().markets_refused, 0u);
  EXPECT_EQ(Counters().new_orders, 18'173u + 18'096u);
  EXPECT_EQ(Counters().quantities_exceeded, 0u);
  EXPECT_EQ(Counters().references_repeated, 0u);
  EXPECT_EQ(CommandCount(), Counters().TotalCommands());
  const bool is_in_order =
      std::is_sorted(sink_.commands.begin(), sink_.commands.end(),
                     [](const Command& a, const Command& b) { return a.timestamp < b.timestamp; });
  EXPECT_TRUE(is_in_order);
}

TEST_F(ItchTranslatorTest, AnySequenceOfMessagesIsTranslated) {
  Prng prng(7);
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t reference = prng.Below(40);
    const auto shares = static_cast<uint32_t>(prng.Below(50));
    const auto price = static_cast<uint32_t>(prng.Next());
    const auto locate = static_cast<uint16_t>(prng.Below(3));
    switch (prng.Below(7)) {
      case 0:
        Directory(prng.Chance(50) ? "AAPL" : "B", locate);
        break;
      case 1:
        Add(reference, prng.Chance(50) ? Side::kBid : Side::kAsk, shares, price, locate);
        break;
      case 2:
        Execute(reference, shares, prng.Next());
        break;
      case 3:
        ExecuteAt(reference, shares, price);
        break;
      case 4:
        Cancel(reference, shares);
        break;
      case 5:
        Delete(reference);
        break;
      case 6:
        Replace(reference, prng.Below(40), shares, price);
        break;
    }
    ASSERT_LE(Counters().live_orders, 40u);
  }
  EXPECT_EQ(CommandCount(), Counters().TotalCommands());
  EXPECT_EQ(Counters().TotalMessages(), 50'000u);
}

}  // namespace
}  // namespace engine
