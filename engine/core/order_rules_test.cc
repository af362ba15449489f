// The boundaries of the rules. testdata/transcripts specifies the rules themselves.

#include "engine/core/order_rules.h"

#include <cstdint>
#include <limits>
#include <string>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/order_slot.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
constexpr uint64_t kUint64Max = std::numeric_limits<uint64_t>::max();

class OrderRulesTest : public testing::Test {
 protected:
  OrderRulesTest() {
    market_.id = MarketId(1);
    market_.tick = Price::FromUnits(5);
    market_.price_min = Price::FromUnits(-20);
    market_.price_max = Price::FromUnits(20);
    market_.lot = Quantity::FromUnits(10);
    order_.id = OrderId(1);
    order_.market = MarketId(1);
    order_.account = AccountId(1);
    order_.quantity_filled = Quantity::FromUnits(50);
    order_.quantity_remaining = Quantity::FromUnits(50);
    command_.sequence = SequenceNumber(2);
    command_.order_id = OrderId(1);
    command_.market = MarketId(1);
    command_.account = AccountId(1);
    command_.side = Side::kBid;
    command_.type = OrderType::kLimit;
    command_.tif = TimeInForce::kGoodTillCancelled;
    command_.quantity = Quantity::FromUnits(100);
  }

  std::string NewAt(int64_t price) {
    command_.price = Price::FromUnits(price);
    return NameOf(CheckNewOrder(command_, market_));
  }
  std::string NewFor(uint64_t quantity) {
    command_.quantity = Quantity::FromUnits(quantity);
    return NameOf(CheckNewOrder(command_, market_));
  }
  std::string AmendTo(uint64_t quantity) {
    command_.quantity = Quantity::FromUnits(quantity);
    return NameOf(CheckAmend(command_, market_, order_));
  }
  std::string Address(uint64_t id, const OrderSlot* order) {
    command_.order_id = OrderId(id);
    return NameOf(CheckAddressedOrder(command_, order));
  }

  MarketDefinition market_;
  OrderSlot order_;
  Command command_;
};

TEST_F(OrderRulesTest, PricesAtEveryBoundary) {
  EXPECT_EQ(NewAt(-20), "none");
  EXPECT_EQ(NewAt(0), "none");
  EXPECT_EQ(NewAt(20), "none");
  EXPECT_EQ(NewAt(-21), "price_out_of_band");
  EXPECT_EQ(NewAt(21), "price_out_of_band");
  EXPECT_EQ(NewAt(-19), "price_off_tick");
  EXPECT_EQ(NewAt(19), "price_off_tick");
  EXPECT_EQ(NewAt(kInt64Min), "price_out_of_band");
  EXPECT_EQ(NewAt(kInt64Max), "price_out_of_band");
}

TEST_F(OrderRulesTest, QuantitiesAtEveryBoundary) {
  EXPECT_EQ(NewFor(0), "quantity_zero");
  EXPECT_EQ(NewFor(1), "quantity_off_lot");
  EXPECT_EQ(NewFor(10), "none");
  EXPECT_EQ(NewFor(kQuantityMax.units()), "none");
  EXPECT_EQ(NewFor(kQuantityMax.units() + 1), "quantity_above_maximum");
  EXPECT_EQ(NewFor(kUint64Max), "quantity_above_maximum");
}

TEST_F(OrderRulesTest, AnAmendMustExceedWhatIsFilled) {
  EXPECT_EQ(AmendTo(0), "quantity_zero");
  EXPECT_EQ(AmendTo(40), "quantity_not_above_filled");
  EXPECT_EQ(AmendTo(50), "quantity_not_above_filled");
  EXPECT_EQ(AmendTo(60), "none");
  EXPECT_EQ(AmendTo(kUint64Max), "quantity_above_maximum");
}

TEST_F(OrderRulesTest, AReduceHasNoMaximum) {
  command_.quantity = Quantity::FromUnits(kUint64Max - kUint64Max % 10);
  EXPECT_EQ(CheckReduce(command_, market_), RejectReason::kNone);
  command_.quantity = Quantity::FromUnits(kUint64Max);
  EXPECT_EQ(CheckReduce(command_, market_), RejectReason::kQuantityOffLot);
}

TEST_F(OrderRulesTest, AnOrderIsAddressedByAnIdThatWasGivenOut) {
  EXPECT_EQ(Address(0, nullptr), "unknown_order");
  EXPECT_EQ(Address(1, nullptr), "order_not_live");
  EXPECT_EQ(Address(1, &order_), "none");
  EXPECT_EQ(Address(2, nullptr), "unknown_order");
  EXPECT_EQ(Address(kUint64Max, nullptr), "unknown_order");
}

// Every type × time in force × price, the unknown ones included.
TEST_F(OrderRulesTest, TermsFitTogetherOrTheFirstMisfitIsReported) {
  command_.set_expires_at(Timestamp::FromNanos(1));
  for (int type = 0; type < 256; ++type) {
    for (int tif = 0; tif < 256; ++tif) {
      for (const int64_t price : {0, 5}) {
        command_.type = static_cast<OrderType>(type);
        command_.tif = static_cast<TimeInForce>(tif);
        const bool rests = tif == 1 || tif == 4 || tif == 5;
        RejectReason expected = RejectReason::kNone;
        if (type != 1 && type != 2) {
          expected = RejectReason::kInvalidOrderType;
        } else if (tif < 1 || tif > 5 || (type == 2 && rests)) {
          expected = RejectReason::kInvalidTimeInForce;
        } else if (type == 2 && price != 0) {
          expected = RejectReason::kPriceOnMarketOrder;
        }
        ASSERT_EQ(NewAt(price), NameOf(expected)) << "type " << type << " tif " << tif;
      }
    }
  }
}

// Every combination of flags × type × time in force × kind of market.
TEST_F(OrderRulesTest, FlagsAreConsistentOrRefused) {
  command_.set_expires_at(Timestamp::FromNanos(1));
  for (int bits = 0; bits < 32; ++bits) {
    for (int tif = 1; tif <= 5; ++tif) {
      for (const MarketKind kind : {MarketKind::kEquity, MarketKind::kBinary}) {
        market_.kind = kind;
        command_.flags = OrderFlags::FromBits(static_cast<uint8_t>(bits));
        command_.tif = static_cast<TimeInForce>(tif);
        const bool rests = tif == 1 || tif == 4 || tif == 5;
        const bool is_sound =
            (!command_.flags.post_only() || rests) &&
            (!command_.flags.cancel_on_pause() || rests) &&
            (!command_.flags.reduce_only() || (tif == 2 && kind == MarketKind::kBinary));
        ASSERT_EQ(NewAt(5), is_sound ? "none" : "invalid_flags")
            << "flags " << bits << " tif " << tif;
      }
    }
  }
}

TEST_F(OrderRulesTest, MarketsHaveTheirOwnQuantityLimits) {
  market_.quantity_min = Quantity::FromUnits(20);
  market_.quantity_max = Quantity::FromUnits(40);
  EXPECT_EQ(NewFor(0), "quantity_zero");
  EXPECT_EQ(NewFor(10), "quantity_below_minimum");
  EXPECT_EQ(NewFor(19), "quantity_below_minimum");
  EXPECT_EQ(NewFor(20), "none");
  EXPECT_EQ(NewFor(21), "quantity_off_lot");
  EXPECT_EQ(NewFor(40), "none");
  EXPECT_EQ(NewFor(41), "quantity_above_maximum");
}

TEST_F(OrderRulesTest, TheTickIsThatOfThePricesBand) {
  market_.price_min = Price::FromUnits(1);
  market_.price_max = Price::FromUnits(999);
  market_.bands = {{.from = Price::FromUnits(1), .tick = Price::FromUnits(1)},
                   {.from = Price::FromUnits(100), .tick = Price::FromUnits(10)},
                   {.from = Price::FromUnits(901), .tick = Price::FromUnits(1)}};
  EXPECT_EQ(NewAt(0), "price_out_of_band");
  EXPECT_EQ(NewAt(1), "none");
  EXPECT_EQ(NewAt(99), "none");
  EXPECT_EQ(NewAt(100), "none");
  EXPECT_EQ(NewAt(101), "price_off_tick");
  EXPECT_EQ(NewAt(890), "none");
  EXPECT_EQ(NewAt(899), "price_off_tick");
  EXPECT_EQ(NewAt(900), "none");
  EXPECT_EQ(NewAt(901), "none");
  EXPECT_EQ(NewAt(999), "none");
}

TEST_F(OrderRulesTest, AnOrderMustOutliveItsArrival) {
  command_.tif = TimeInForce::kGoodTillTime;
  command_.timestamp = Timestamp::FromNanos(100);
  command_.set_expires_at(Timestamp::FromNanos(100));
  EXPECT_EQ(NewAt(5), "expired_on_arrival");
  command_.set_expires_at(Timestamp::FromNanos(101));
  EXPECT_EQ(NewAt(5), "none");
  command_.set_expires_at(Timestamp::FromNanos(kInt64Min));
  EXPECT_EQ(NewAt(5), "expired_on_arrival");
  command_.tif = TimeInForce::kGoodTillCancelled;  // Has no such time.
  EXPECT_EQ(NewAt(5), "none");
}

TEST_F(OrderRulesTest, AReduceToLeavesLessThanRemains) {
  const auto reduce_to = [&](uint64_t quantity) {
    command_.quantity = Quantity::FromUnits(quantity);
    return NameOf(CheckReduceTo(command_, market_, order_));
  };
  EXPECT_EQ(reduce_to(0), "none");
  EXPECT_EQ(reduce_to(40), "none");
  EXPECT_EQ(reduce_to(41), "quantity_off_lot");
  EXPECT_EQ(reduce_to(50), "quantity_not_below_remaining");
  EXPECT_EQ(reduce_to(kUint64Max - kUint64Max % 10), "quantity_not_below_remaining");
}

TEST_F(OrderRulesTest, AnExpiryIsSetToATimeToComeOrToNone) {
  command_.timestamp = Timestamp::FromNanos(-10);
  order_.tif = TimeInForce::kGoodTillTime;
  const auto set = [&](int64_t nanos) {
    command_.set_new_expiry(Timestamp::FromNanos(nanos));
    return NameOf(CheckSetExpiry(command_, order_));
  };
  EXPECT_EQ(set(-10), "expired_on_arrival");
  EXPECT_EQ(set(kInt64Min), "expired_on_arrival");
  EXPECT_EQ(set(-9), "none");
  EXPECT_EQ(set(kInt64Max), "none");
  command_.timestamp = Timestamp::FromNanos(10);
  EXPECT_EQ(set(10), "expired_on_arrival");
  EXPECT_EQ(set(0), "none");  // No expiry.
  order_.tif = TimeInForce::kDay;
  EXPECT_EQ(set(0), "invalid_time_in_force");
  EXPECT_EQ(set(11), "invalid_time_in_force");
}

}  // namespace
}  // namespace engine
