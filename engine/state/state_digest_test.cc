// The vectors of engine/DESIGN.md, section Digests. They were computed from the layouts there by
// another program (xxh128sum of the literal bytes), not by this code.

#include "engine/state/state_digest.h"

#include <cstdint>
#include <string>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/resting_order.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
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

RestingOrder SomeOrderWithTerms() {
  RestingOrder order = SomeOrder();
  order.tif = TimeInForce::kGoodTillTime;
  order.flags = OrderFlags::FromBits(5);
  order.group = GroupId(300);
  order.expires_at = Timestamp::FromNanos(1'580'376'600'123'456'789);
  order.credit = Money::FromMicros(72);
  return order;
}

constexpr FeeSchedule kFees = {
    .taker_coefficient = 700, .maker_coefficient = 175, .multiplier = 150};

// The sum after `add` alone.
template <typename Add>
std::string Added(Add&& add) {
  DigestSum sum;
  add(sum);
  return sum.value().ToString();
}
constexpr char kNothing[] = "00000000000000000000000000000000";

TEST(StateDigest, OrderWithTermsVector) {
  EXPECT_EQ(DigestOfOrder(SomeOrderWithTerms()).ToString(), "20ed56113c293170c5c4d5a5b7ced6ba");
}

TEST(StateDigest, MarketStatusVector) {
  const auto added = [](const MarketStatus& status) {
    return Added([&](DigestSum& sum) { AddMarketStatus(status, sum); });
  };
  EXPECT_EQ(added({.market = MarketId(7)}), kNothing);
  EXPECT_EQ(added({.market = MarketId(7),
                   .state = MarketState::kDetermined,
                   .settlement_value = Price::FromUnits(10'000),
                   .fees = kFees}),
            "6c628ac68ffdfe14153a7e1e13919061");
}

TEST(StateDigest, AccountVector) {
  const auto added = [](const AccountStatus& status) {
    return Added([&](DigestSum& sum) { AddAccountStatus(status, sum); });
  };
  EXPECT_EQ(added({.account = AccountId(3)}), kNothing);
  RiskLimits limits;
  limits.open_orders_max = 1;
  limits.order_quantity_max = Quantity::FromUnits(2);
  limits.order_notional_max = Money::FromMicros(3);
  limits.orders_per_second_max = 4;
  EXPECT_EQ(added({.account = AccountId(3),
                   .is_open = true,
                   .balance = Money::FromMicros(12'340'000),
                   .limits = limits,
                   .rate_second = -1,
                   .rate_count = 2}),
            "d6656db4cead777de1bc836c31b90327");
  EXPECT_NE(added({.account = AccountId(3), .limits = limits}), kNothing);
  EXPECT_NE(added({.account = AccountId(3), .is_open = true}), kNothing);
}

// The standing is an entity of its own: what is added beside the account.
TEST(StateDigest, StandingVector) {
  AccountStatus status = {.account = AccountId(3), .is_open = true};
  EXPECT_EQ(Added([&](DigestSum& sum) {
              status.standing = AccountStanding::kSuspended;
              AddAccountStatus(status, sum);
              status.standing = AccountStanding::kActive;
              DigestSum active;
              AddAccountStatus(status, active);
              sum.Subtract(active.value());
            }),
            "508831af9e2f39afd0123962f7108a74");
}

TEST(StateDigest, PositionVector) {
  const auto added = [](int64_t position) {
    return Added([&](DigestSum& sum) { AddPosition(AccountId(3), MarketId(7), position, sum); });
  };
  EXPECT_EQ(added(0), kNothing);
  EXPECT_EQ(added(-552), "1f63827ee59e6b04a5124fb2a45c6352");
}

TEST(StateDigest, PositionLimitVector) {
  const auto added = [](uint64_t limit) {
    return Added([&](DigestSum& sum) {
      AddPositionLimit({.account = AccountId(3),
                        .market = MarketId(7),
                        .limit = Quantity::FromUnits(limit),
                        .traded = -552},
                       sum);
    });
  };
  EXPECT_EQ(added(0), kNothing);
  EXPECT_EQ(added(1000), "537f5632894ebbe13277f368c140e2f1");
}

TEST(StateDigest, GroupVectors) {
  EXPECT_EQ(Added([](DigestSum& sum) {
              AddGroupStatus({.account = AccountId(3),
                              .group = GroupId(300),
                              .limit = Quantity::FromUnits(100),
                              .window_nanos = 10'000'000'000,
                              .is_tripped = true},
                             sum);
            }),
            "6aaca7231a91be1308886afc155c1c73");
  EXPECT_EQ(Added([](DigestSum& sum) {
              AddGroupFill(AccountId(3), GroupId(300),
                           Timestamp::FromNanos(1'580'376'600'123'456'789), Quantity::FromUnits(25),
                           sum);
            }),
            "89f79c3b7cb547b78eb85a15866919a5");
}

TEST(StateDigest, ExchangeVectors) {
  const auto added = [](const ExchangeStatus& status) {
    return Added([&](DigestSum& sum) { AddExchangeStatus(status, sum); });
  };
  EXPECT_EQ(added({}), kNothing);
  EXPECT_EQ(added({.state = ExchangeState::kHalted}), "f2957759ddf6cb52aded8139373464b3");
  EXPECT_EQ(added({.default_fees = kFees}), "4d42b5ee5808290addb67bcf782b6b2e");
  EXPECT_EQ(added({.held = Money::FromMicros(12'340'000), .fees_collected = Money::FromMicros(-1)}),
            "656d86a3ed85f06b76bdd4855cc2ccd1");
}

TEST(StateDigest, EveryTermOfAnOrderCounts) {
  const auto changed = [&](auto&& change) {
    RestingOrder order = SomeOrder();
    change(order);
    return DigestOfOrder(order) != DigestOfOrder(SomeOrder());
  };
  EXPECT_TRUE(changed([](RestingOrder& order) { order.tif = TimeInForce::kDay; }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.flags = OrderFlags().WithPostOnly(); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.group = GroupId(1); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.expires_at = Timestamp::FromNanos(1); }));
  EXPECT_TRUE(changed([](RestingOrder& order) { order.credit = Money::FromMicros(1); }));
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
