// What is other in a mirror: executions name their orders, trades that name none are prints, and
// the markets are mirrored.

#include <cstdint>

#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/testing/translator_test_base.h"
#include "engine/wire/itch/translator.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class ItchMirrorTest : public ItchTranslatorTest {
 protected:
  ItchMirrorTest() : ItchTranslatorTest(ItchMode::kMirror) {}

  void ExecuteAt(uint64_t reference, uint32_t shares, uint32_t price, char printable) {
    Translate(ItchOrderExecutedWithPrice{.header = HeaderNow(),
                                         .order_reference = reference,
                                         .executed_shares = shares,
                                         .match_number = 8,
                                         .printable = printable,
                                         .execution_price = price});
  }
};

TEST_F(ItchMirrorTest, MarketsAreMirrored) {
  Directory("AAPL");
  const auto definition = DecodeMarketDefinition(sink_.attachments.back());
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_TRUE(definition->mirrored);
}

TEST_F(ItchMirrorTest, AnExecutionNamesItsOrder) {
  Add(1001, Side::kAsk, 300, 3'200'100);
  Execute(1001, 120, 55);
  EXPECT_EQ(Last().kind, CommandKind::kExecute);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId());
  EXPECT_EQ(Last().price, Price::FromUnits(3'200'100));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(120));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(55));
  EXPECT_EQ(Counters().executions, 1u);
  EXPECT_EQ(Counters().live_orders, 1u);
  EXPECT_EQ(check_.pending(), 1u);
}

TEST_F(ItchMirrorTest, AnExecutionIsOfNoMoreThanTheOrderHas) {
  Add(1001, Side::kAsk, 300, 100);
  Execute(1001, 301, 55);
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(300));
  EXPECT_EQ(Counters().quantities_exceeded, 1u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchMirrorTest, AnExecutionAtAnotherPriceHasThatPrice) {
  Add(1, Side::kAsk, 300, 100);
  ExecuteAt(1, 100, 90, 'Y');
  EXPECT_EQ(Last().kind, CommandKind::kExecute);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
}

TEST_F(ItchMirrorTest, AStreamThatBeginsAgainCancelsWhatRests) {
  for (const uint64_t reference : {30, 10, 20}) Add(reference, Side::kAsk, 300, 100);
  Delete(10);
  const size_t before = sink_.commands.size();
  ASSERT_TRUE(translator_.Clear().ok());
  ASSERT_EQ(sink_.commands.size(), before + 2);
  EXPECT_EQ(sink_.commands[before].kind, CommandKind::kCancel);
  EXPECT_EQ(sink_.commands[before].order_id, OrderId(2));
  EXPECT_EQ(sink_.commands[before].market, MarketId(13));
  EXPECT_EQ(sink_.commands[before + 1].order_id, OrderId(4));
  EXPECT_EQ(Counters().cancels, 3u);
  EXPECT_EQ(Counters().live_orders, 0u);
  Add(30, Side::kBid, 5, 90);
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Counters().references_repeated, 0u);
}

TEST_F(ItchMirrorTest, WhatIsNotPrintableReduces) {
  Add(1, Side::kAsk, 300, 100);
  ExecuteAt(1, 100, 90, 'N');
  EXPECT_EQ(Last().kind, CommandKind::kReduce);
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
  EXPECT_EQ(check_.pending(), 1u);
}

TEST_F(ItchMirrorTest, TradesOfOrdersThatAreNotShownNameNone) {
  Translate(ItchNonCrossTrade{.header = HeaderNow(),
                              .buy_sell_indicator = 'B',
                              .shares = 7,
                              .stock = Stock("AAPL"),
                              .price = 90,
                              .match_number = 3});
  EXPECT_EQ(Last().kind, CommandKind::kExecute);
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().order_id, OrderId());
  EXPECT_EQ(Last().side, Side());
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(7));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(3));
  Translate(ItchCrossTrade{.header = HeaderNow(),
                           .shares = 5'000'000'000,
                           .stock = Stock("AAPL"),
                           .cross_price = 91,
                           .match_number = 4,
                           .cross_type = 'O'});
  EXPECT_EQ(Last().price, Price::FromUnits(91));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(5'000'000'000));
  EXPECT_EQ(Counters().prints, 2u);
  EXPECT_EQ(CommandCount(), Counters().TotalCommands());
}

TEST_F(ItchMirrorTest, ACrossThatDidNotTakePlaceIsNoTrade) {
  Translate(ItchCrossTrade{.header = HeaderNow(), .stock = Stock("AAPL"), .match_number = 4});
  EXPECT_EQ(CommandCount(), 0u);
}

}  // namespace
}  // namespace engine
