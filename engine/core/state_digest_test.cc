// The vectors of engine/DESIGN.md, section Digests. They were computed from the layouts there by
// another program (xxh128sum of the literal bytes), not by this code.

#include "engine/core/state_digest.h"

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

RestingOrder SomeOrder() {
  return {.id = OrderId(2),
          .priority = SequenceNumber(3),
          .price = Price::FromUnits(-1000),
          .quantity_remaining = Quantity::FromUnits(5),
          .quantity_filled = Quantity::FromUnits(4),
          .account = AccountId(1),
          .market = MarketId(7),
          .side = Side::kBid};
}

MarketDefinition Acme() {
  return {.id = MarketId(1),
          .symbol = "ACME",
          .price_decimals = 2,
          .quantity_decimals = 0,
          .tick = Price::FromUnits(1),
          .price_min = Price::FromUnits(1),
          .price_max = Price::FromUnits(100'000),
          .lot = Quantity::FromUnits(1)};
}

TEST(StateDigest, OrderVector) {
  EXPECT_EQ(DigestOfOrder(SomeOrder()).ToString(), "7ae93bc4c7050968cae28530df9b20cc");
}

TEST(StateDigest, MarketVector) {
  EXPECT_EQ(DigestOfMarket(Acme()).ToString(), "765569b70896069acc7f76f1fc1515cb");
}

TEST(StateDigest, EmptyStateVector) {
  EXPECT_EQ(DigestOfState({}).ToString(), "6a75013615a98192435305774dcaf711");
}

TEST(StateDigest, StateVector) {
  DigestSum sum;
  sum.Add(DigestOfOrder(SomeOrder()));
  sum.Add(DigestOfMarket(Acme()));
  EXPECT_EQ(sum.value().ToString(), "f13ea57bcf9b10039761fc22dbb03697");
  EXPECT_EQ(DigestOfState({.last_applied = SequenceNumber(9),
                           .now = Timestamp::FromNanos(1'580'376'600'123'456'789),
                           .market_count = 1,
                           .live_order_count = 1,
                           .sum = sum.value()})
                .ToString(),
            "02602e68639cabc4f0577909efdbe9e4");
}

TEST(StateDigest, EveryFieldOfAnOrderCounts) {
  const Digest digest = DigestOfOrder(SomeOrder());
  const auto changed = [&](auto&& change) {
    RestingOrder order = SomeOrder();
    change(order);
    return DigestOfOrder(order) != digest;
  };
  EXPECT_TRUE(changed([](RestingOrder& order) { order.id = OrderId(9); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.priority = SequenceNumber(9); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.price = Price::FromUnits(9); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.quantity_remaining = Quantity(); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.quantity_filled = Quantity(); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.account = AccountId(9); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.market = MarketId(9); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.side = Side::kAsk; }));
}

}  // namespace
}  // namespace engine
