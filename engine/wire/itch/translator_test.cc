// Orders: the command of each message about one.

#include <array>
#include <cstddef>

#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/testing/translator_test_base.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST_F(ItchTranslatorTest, AnAddedOrderIsALimitOrderThatRests) {
  Directory("AAPL");
  Add(1001, Side::kAsk, 300, 3'200'100);
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId());
  EXPECT_EQ(Last().side, Side::kAsk);
  EXPECT_EQ(Last().type, OrderType::kLimit);
  EXPECT_EQ(Last().tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(Last().price, Price::FromUnits(3'200'100));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(300));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(1001));
  EXPECT_EQ(Counters().live_orders, 1u);
}

TEST_F(ItchTranslatorTest, AnAttributedOrderIsTheSame) {
  Directory("AAPL");
  Translate(ItchAddOrderWithParticipant{.header = HeaderNow(),
                                        .order_reference = 7,
                                        .side = Side::kBid,
                                        .shares = 1,
                                        .stock = Stock("AAPL"),
                                        .price = 2,
                                        .attribution = {'N', 'S', 'D', 'Q'}});
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().client_order_id, ClientOrderId(7));
  EXPECT_EQ(Last().side, Side::kBid);
}

TEST_F(ItchTranslatorTest, AnExecutionIsTheOppositeImmediateOrder) {
  Directory("AAPL");
  Add(1001, Side::kAsk, 300, 3'200'100);
  Execute(1001, 120, 55);
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().side, Side::kBid);
  EXPECT_EQ(Last().type, OrderType::kLimit);
  EXPECT_EQ(Last().tif, TimeInForce::kImmediateOrCancel);
  EXPECT_EQ(Last().price, Price::FromUnits(3'200'100));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(120));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(55));
  EXPECT_EQ(Counters().executions, 1u);
  EXPECT_EQ(Counters().live_orders, 1u);
  Execute(1001, 180, 56);
  EXPECT_EQ(Counters().live_orders, 0u);
  EXPECT_EQ(check_.pending(), 2u);
}

TEST_F(ItchTranslatorTest, TheCheckKnowsMakerAndQuantityOfAnExecution) {
  Add(1, Side::kBid, 10, 100);
  Add(2, Side::kBid, 10, 100);
  Execute(2, 10, 77);
  Event accepted;
  accepted.kind = EventKind::kAccepted;
  Event trade;
  trade.kind = EventKind::kTrade;
  trade.order_id = OrderIdOf(sink_.commands[2].sequence);
  trade.quantity = Quantity::FromUnits(10);
  check_.OnEvents(Last(), std::array{accepted, trade});
  EXPECT_EQ(check_.matched(), 1u);
}

TEST_F(ItchTranslatorTest, AnExecutionAtAnotherPriceReduces) {
  Add(1, Side::kAsk, 300, 100);
  ExecuteAt(1, 100, 90);
  EXPECT_EQ(Last().kind, CommandKind::kReduce);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId());
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
  ExecuteAt(1, 200, 90);
  EXPECT_EQ(Counters().reduces, 2u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchTranslatorTest, APartialCancelReduces) {
  Add(1, Side::kAsk, 300, 100);
  Cancel(1, 100);
  EXPECT_EQ(Last().kind, CommandKind::kReduce);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
  EXPECT_EQ(Counters().live_orders, 1u);
}

TEST_F(ItchTranslatorTest, ADeleteCancels) {
  Add(1, Side::kAsk, 300, 100);
  Delete(1);
  EXPECT_EQ(Last().kind, CommandKind::kCancel);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().quantity, Quantity());
  EXPECT_EQ(Counters().cancels, 1u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchTranslatorTest, AReplacedOrderLivesUnderItsNewReference) {
  Add(1, Side::kAsk, 300, 100);
  Replace(1, 2, 50, 90);
  EXPECT_EQ(Last().kind, CommandKind::kReplace);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(50));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(2));
  Delete(1);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 1u);
  Execute(2, 50, 9);
  EXPECT_EQ(Last().side, Side::kBid) << "the side is that of the original";
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  Add(3, Side::kAsk, 10, 5);
  Replace(3, 3, 20, 6);
  Cancel(3, 1);
  EXPECT_EQ(Last().order_id, OrderId(6)) << "the same reference may stay";
}

TEST_F(ItchTranslatorTest, ReferencesFromBeforeACutAreCountedPerType) {
  Directory("AAPL");
  Execute(9, 1, 1);
  ExecuteAt(9, 1, 1);
  Cancel(9, 1);
  Delete(9);
  Delete(9);
  Replace(9, 10, 1, 1);
  Delete(10);
  EXPECT_EQ(CommandCount(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderExecuted>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderExecutedWithPrice>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderCancel>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 3u);
  EXPECT_EQ(UnknownReferences<ItchOrderReplace>(), 1u);
  EXPECT_EQ(Counters().TotalUnknownReferences(), 7u);
  EXPECT_EQ(check_.pending(), 0u);
}

TEST_F(ItchTranslatorTest, ALiveReferenceIsNotUsedTwice) {
  Add(1, Side::kAsk, 300, 100);
  Add(1, Side::kBid, 10, 50);
  Add(2, Side::kAsk, 300, 100);
  const size_t count = CommandCount();
  Replace(2, 1, 1, 1);
  EXPECT_EQ(CommandCount(), count);
  EXPECT_EQ(Counters().references_repeated, 2u);
  Delete(1);
  EXPECT_EQ(Last().order_id, OrderId(2)) << "the first order stays";
}

TEST_F(ItchTranslatorTest, MoreThanAnOrderHasIsCountedAndSubmittedAsItIs) {
  Add(1, Side::kAsk, 300, 100);
  Cancel(1, 301);
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(301));
  EXPECT_EQ(Counters().quantities_exceeded, 1u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

}  // namespace
}  // namespace engine
