// Each record's commands, as the text form of commands.

#include "engine/wire/dbn/translator.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/testing/streams.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Keeps the commands, as "bid 10 @ 100", "cancel #2", "execute 4 of #2 @ 100".
class Sink final : public CommandSink {
 public:
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    last_ = last_.Next();
    std::string text(NameOf(command.kind));
    if (command.kind == CommandKind::kNewOrder) text = "new";
    if (command.side == Side::kBid) text += " bid";
    if (command.side == Side::kAsk) text += " ask";
    if (!command.quantity.is_zero()) absl::StrAppend(&text, " ", command.quantity.units());
    if (command.order_id != OrderId()) absl::StrAppend(&text, " #", command.order_id.value());
    if (command.price != Price()) absl::StrAppend(&text, " @ ", command.price.units());
    if (command.market != MarketId(7)) absl::StrAppend(&text, " in ", command.market.value());
    if (command.kind == CommandKind::kDefineMarket) {
      definitions.push_back(*DecodeMarketDefinition(attachment));
    }
    commands.push_back(command);
    texts.push_back(text);
    return last_;
  }

  std::vector<Command> commands;
  std::vector<std::string> texts;
  std::vector<MarketDefinition> definitions;

 private:
  SequenceNumber last_;
};

class DbnTranslatorTest : public ::testing::Test {
 protected:
  // The commands of all the records, without the definition of the market, which is number 1.
  std::vector<std::string> CommandsOf(const std::vector<DbnMbo>& records) {
    DbnMarkets markets;
    EXPECT_TRUE(markets.Begin({}).ok());
    for (const DbnMbo& record : records) EXPECT_TRUE(markets.Learn(record).ok());
    DbnTranslator translator(sink_, clock_, markets);
    for (const DbnMbo& record : records) {
      const absl::Status taken = translator.Take(record);
      EXPECT_TRUE(taken.ok()) << taken;
    }
    EXPECT_TRUE(translator.Finish().ok());
    counters_ = translator.counters();
    EXPECT_EQ(counters_.TotalCommands(), sink_.commands.size());
    return {sink_.texts.begin() + 1, sink_.texts.end()};
  }

  // At `price` whole dollars; 0 is none.
  static DbnMbo Of(char action, char side, uint64_t order, uint32_t size, int64_t price,
                   uint8_t flags = kDbnLast) {
    DbnMbo record = DbnTestRecord(action, side);
    record.order_id = order;
    record.size = size;
    record.price = price == 0 ? kDbnNoPrice : price * 1'000'000'000;
    record.flags = flags;
    return record;
  }
  // The records of one event, which ends with the last of them.
  static std::vector<DbnMbo> Event(std::vector<DbnMbo> records) {
    for (DbnMbo& record : records) record.flags = 0;
    records.back().flags = kDbnLast;
    return records;
  }
  static std::vector<DbnMbo> Joined(const std::vector<std::vector<DbnMbo>>& parts) {
    std::vector<DbnMbo> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  Sink sink_;
  ManualClock clock_;
  DbnCounters counters_;
};

TEST_F(DbnTranslatorTest, AMarketIsMirrored) {
  CommandsOf({Of('A', 'B', 5, 10, 100)});
  ASSERT_EQ(sink_.definitions.size(), 1u);
  const MarketDefinition& definition = sink_.definitions[0];
  EXPECT_TRUE(definition.mirrored);
  EXPECT_TRUE(Validate(definition).ok());
  EXPECT_EQ(definition.symbol, "7");
  EXPECT_EQ(definition.quantity_decimals, 0);
  EXPECT_EQ(sink_.commands[1].client_order_id, ClientOrderId(5));
  EXPECT_EQ(clock_.Now(), Timestamp::FromNanos(kDbnTestStart + 1'000'000'000)) << "ts_recv";
}

TEST_F(DbnTranslatorTest, OrdersComeChangeAndLeave) {
  EXPECT_THAT(
      CommandsOf({Of('A', 'B', 5, 10, 100), Of('A', 'A', 6, 8, 102), Of('C', 'B', 5, 4, 100),
                  Of('M', 'A', 6, 8, 101), Of('M', 'A', 6, 3, 101), Of('M', 'A', 6, 3, 101),
                  Of('C', 'B', 5, 6, 100), Of('M', 'A', 6, 0, 101)}),
      ElementsAre("new bid 10 @ 100", "new ask 8 @ 102", "reduce 4 #2", "amend 8 #3 @ 101",
                  "amend 3 #3 @ 101", "cancel #2", "cancel #3"));
  EXPECT_EQ(counters_.live_orders, 0u);
  EXPECT_THAT(counters_.Oddities(), IsEmpty());
}

TEST_F(DbnTranslatorTest, ACancelOfWhatWasFilledIsAnExecution) {
  EXPECT_THAT(CommandsOf(Joined(
                  {{Of('A', 'B', 5, 10, 100), Of('A', 'B', 6, 10, 100)},
                   Event({Of('T', 'A', 0, 14, 99), Of('F', 'B', 5, 10, 99), Of('F', 'B', 6, 4, 99),
                          Of('C', 'B', 5, 10, 100), Of('C', 'B', 6, 4, 100)})})),
              ElementsAre("new bid 10 @ 100", "new bid 10 @ 100", "execute 10 #2 @ 99",
                          "execute 4 #3 @ 99"));
  EXPECT_EQ(counters_.executions, 2u);
  EXPECT_EQ(counters_.live_orders, 1u);
}

TEST_F(DbnTranslatorTest, AChangeThatWasFilledIsAnExecution) {
  const auto filled = [](int64_t price) {
    return Event({Of('T', 'A', 0, 4, 100), Of('F', 'B', 5, 4, 100), Of('M', 'B', 5, 6, price)});
  };
  EXPECT_THAT(
      CommandsOf(Joined(
          {{Of('A', 'B', 5, 10, 100)}, filled(100), {Of('M', 'B', 5, 10, 100)}, filled(99)})),
      ElementsAre("new bid 10 @ 100", "execute 4 #2 @ 100", "amend 14 #2 @ 100",
                  "execute 4 #2 @ 100", "amend 14 #2 @ 99"))
      << "an amend counts what was filled";
}

TEST_F(DbnTranslatorTest, MoreIsCancelledThanWasFilled) {
  EXPECT_THAT(
      CommandsOf(Joined(
          {{Of('A', 'B', 5, 10, 100), Of('A', 'A', 6, 10, 101)},
           Event({Of('T', 'A', 0, 4, 100), Of('F', 'B', 5, 4, 100), Of('C', 'B', 5, 10, 100)}),
           Event({Of('T', 'B', 0, 4, 101), Of('F', 'A', 6, 4, 0), Of('M', 'A', 6, 3, 101)})})),
      ElementsAre("new bid 10 @ 100", "new ask 10 @ 101", "execute 4 #2 @ 100", "cancel #2",
                  "execute 4 #3 @ 101", "amend 7 #3 @ 101"));
}

TEST_F(DbnTranslatorTest, ATradeWithoutOrdersIsAPrint) {
  EXPECT_THAT(CommandsOf({Of('T', 'A', 0, 14, 99), Of('T', 'N', 0, 5, 98)}),
              ElementsAre("execute bid 14 @ 99", "execute 5 @ 98"));
  EXPECT_EQ(counters_.prints, 2u);
}

TEST_F(DbnTranslatorTest, EveryTradeIsTradedExactlyOnce) {
  // Both sides rest, as in an auction; and the arriving order of another trade rested before.
  EXPECT_THAT(
      CommandsOf(
          Joined({{Of('A', 'B', 5, 10, 100), Of('A', 'A', 6, 10, 100)},
                  Event({Of('T', 'N', 0, 6, 100), Of('F', 'B', 5, 6, 100), Of('F', 'A', 6, 6, 100),
                         Of('C', 'B', 5, 6, 100), Of('C', 'A', 6, 6, 100)}),
                  Event({Of('T', 'B', 0, 3, 100), Of('F', 'B', 5, 3, 100), Of('F', 'A', 6, 2, 100),
                         Of('C', 'B', 5, 3, 100), Of('C', 'A', 6, 2, 100)})})),
      ElementsAre("new bid 10 @ 100", "new ask 10 @ 100", "execute 6 #2 @ 100", "reduce 6 #3",
                  "reduce 3 #2", "execute 2 #3 @ 100", "execute ask 1 @ 100"));
}

TEST_F(DbnTranslatorTest, AFillIsOfItsEvent) {
  DbnMbo later = Of('C', 'B', 5, 4, 100);
  later.header.ts_event += 1;
  EXPECT_THAT(CommandsOf({Of('A', 'B', 5, 10, 100), Of('T', 'A', 0, 4, 100, 0),
                          Of('F', 'B', 5, 4, 100, 0), later}),
              ElementsAre("new bid 10 @ 100", "execute bid 4 @ 100", "reduce 4 #2"))
      << "another time is another event";
  EXPECT_EQ(sink_.commands[2].client_order_id, ClientOrderId(0));
}

TEST_F(DbnTranslatorTest, AFillWithoutATradeIsACancel) {
  EXPECT_THAT(CommandsOf(Joined({{Of('A', 'B', 5, 10, 100)},
                                 Event({Of('F', 'B', 5, 4, 100), Of('C', 'B', 5, 4, 100)}),
                                 Event({Of('T', 'A', 0, 1, 100), Of('F', 'B', 9, 1, 100)})})),
              ElementsAre("new bid 10 @ 100", "reduce 4 #2", "execute bid 1 @ 100"));
  EXPECT_EQ(counters_.fills_without_trade, 1u);
  EXPECT_EQ(counters_.unknown_fills, 1u);
}

TEST_F(DbnTranslatorTest, TradesThatTheStreamEndsInsideOfArePrinted) {
  EXPECT_THAT(CommandsOf({Of('T', 'A', 0, 4, 100, 0)}), ElementsAre("execute bid 4 @ 100"));
}

TEST_F(DbnTranslatorTest, ASnapshotIsOrdersThatAreAdded) {
  EXPECT_THAT(
      CommandsOf({Of('R', 'N', 0, 0, 0, kDbnSnapshot), Of('A', 'B', 5, 10, 100, kDbnSnapshot),
                  Of('A', 'A', 6, 10, 101, kDbnSnapshot | kDbnLast)}),
      ElementsAre("new bid 10 @ 100", "new ask 10 @ 101"));
}

TEST_F(DbnTranslatorTest, AClearIsOfOnePublisher) {
  DbnMbo other = Of('A', 'A', 5, 3, 101);
  other.header.publisher_id = 9;
  EXPECT_THAT(CommandsOf({Of('A', 'B', 5, 10, 100), other, Of('A', 'B', 6, 1, 99),
                          Of('R', 'N', 0, 0, 0), Of('R', 'N', 0, 0, 0), Of('A', 'B', 5, 2, 100)}),
              ElementsAre("new bid 10 @ 100", "new ask 3 @ 101", "new bid 1 @ 99", "cancel #2",
                          "cancel #4", "new bid 2 @ 100"));
  EXPECT_EQ(counters_.live_orders, 2u);
}

TEST_F(DbnTranslatorTest, AClearOfAllOrdersIsAMassCancel) {
  EXPECT_THAT(CommandsOf({Of('A', 'B', 5, 10, 100), Of('A', 'A', 6, 10, 101), Of('R', 'N', 0, 0, 0),
                          Of('C', 'B', 5, 10, 100)}),
              ElementsAre("new bid 10 @ 100", "new ask 10 @ 101", "mass_cancel"));
  EXPECT_EQ(counters_.unknown_cancels, 1u);
  EXPECT_EQ(counters_.live_orders, 0u);
}

TEST_F(DbnTranslatorTest, ATopOfBookReplacesItsSide) {
  const uint8_t top = kDbnTopOfBook | kDbnLast;
  EXPECT_THAT(CommandsOf({Of('A', 'B', 5, 10, 100), Of('A', 'B', 0, 4, 101, top),
                          Of('A', 'A', 0, 4, 102, top), Of('A', 'B', 0, 6, 99, top),
                          Of('A', 'B', 0, 0, 0, top), Of('R', 'N', 0, 0, 0)}),
              ElementsAre("new bid 10 @ 100", "cancel #2", "new bid 4 @ 101", "new ask 4 @ 102",
                          "cancel #4", "new bid 6 @ 99", "cancel #7", "mass_cancel"));
  EXPECT_EQ(counters_.live_orders, 0u);
}

TEST_F(DbnTranslatorTest, WhatCannotBeFollowedIsCounted) {
  EXPECT_THAT(CommandsOf({Of('A', 'N', 5, 10, 100), Of('A', 'B', 5, 10, 0), Of('A', 'B', 5, 0, 100),
                          Of('C', 'B', 5, 1, 100), Of('T', 'B', 0, 0, 100), Of('T', 'B', 0, 1, 0),
                          Of('M', 'B', 5, 7, 100), Of('A', 'B', 5, 7, 100), Of('M', 'B', 5, 7, 0),
                          Of('C', 'B', 5, 0, 100), Of('X', 'B', 5, 7, 100), Of('N', 'N', 0, 0, 0),
                          Of('C', 'B', 5, 9, 100)}),
              ElementsAre("new bid 7 @ 100", "cancel #2"));
  EXPECT_EQ(counters_.without_side, 1u);
  EXPECT_EQ(counters_.without_price, 3u);
  EXPECT_EQ(counters_.without_size, 3u);
  EXPECT_EQ(counters_.unknown_cancels, 1u);
  EXPECT_EQ(counters_.unknown_modifies, 1u);
  EXPECT_EQ(counters_.orders_repeated, 1u);
  EXPECT_EQ(counters_.unknown_actions, 1u);
  EXPECT_EQ(counters_.quantities_exceeded, 1u);
  EXPECT_EQ(counters_.Oddities().size(), 8u);
}

TEST_F(DbnTranslatorTest, AnOrderThatChangesItsSideIsAnotherOrder) {
  EXPECT_THAT(CommandsOf({Of('A', 'B', 5, 10, 100), Of('M', 'A', 5, 10, 101)}),
              ElementsAre("new bid 10 @ 100", "cancel #2", "new ask 10 @ 101"));
}

// An amend has at most 10,000,000,000, what was filled included.
TEST_F(DbnTranslatorTest, AnOrderThatWasFilledOftenIsReplaced) {
  constexpr uint32_t kAll = 4'000'000'000;
  const auto filled = Event({Of('T', 'A', 0, kAll - 9, 100), Of('F', 'B', 5, kAll - 9, 100),
                             Of('C', 'B', 5, kAll - 9, 100)});
  const DbnMbo raised = Of('M', 'B', 5, kAll, 100);
  EXPECT_THAT(
      CommandsOf(Joined(
          {{Of('A', 'B', 5, kAll, 100)}, filled, {raised}, filled, {raised}, filled, {raised}})),
      ElementsAre("new bid 4000000000 @ 100", "execute 3999999991 #2 @ 100",
                  "amend 7999999991 #2 @ 100", "execute 3999999991 #2 @ 100",
                  "replace 4000000000 #2 @ 100", "execute 3999999991 #6 @ 100",
                  "amend 7999999991 #6 @ 100"));
}

TEST_F(DbnTranslatorTest, PricesThatWereNotLearntAreRefused) {
  DbnMarkets markets;
  ASSERT_TRUE(markets.Begin({}).ok());
  DbnTranslator translator(sink_, clock_, markets);
  EXPECT_EQ(translator.Take(Of('A', 'B', 5, 10, 100)).code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace engine
