#include "engine/book/order_book.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_slot.h"
#include "engine/reference/reference_book.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr int kAnyReach = std::numeric_limits<int>::max();

// Both books, given the same orders. Prices are their own index.
class TwoBooks {
 public:
  void Add(Side side, int64_t price, uint64_t quantity) {
    const uint64_t id = ++last_;
    RestingOrder order;
    order.id = OrderId(id);
    order.priority = SequenceNumber(id);
    order.price = Price::FromUnits(price);
    order.quantity_remaining = Quantity::FromUnits(quantity);
    order.market = MarketId(7);
    order.side = side;

    const Slot slot = storage_.NewOrder();
    OrderSlot& filled = storage_.order(slot);
    filled = OrderSlot();
    filled.id = order.id;
    filled.priority = order.priority;
    filled.price = order.price;
    filled.quantity_remaining = order.quantity_remaining;
    filled.market = order.market;
    filled.side = side;
    filled.tif = order.tif;
    book_.Add(slot, side, RankOf(side, static_cast<uint64_t>(price)));
    live_[id] = {slot, reference_.Add(order)};
  }

  void Remove(size_t nth) {
    const auto removed = Nth(nth);
    book_.Remove(removed->second.slot);
    storage_.FreeOrder(removed->second.slot);
    reference_.Remove(removed->second.handle);
    live_.erase(removed);
  }

  void Reduce(size_t nth) {
    const Live& live = Nth(nth)->second;
    const uint64_t remaining = live.handle->quantity_remaining.units();
    if (remaining < 2) return;
    const Quantity by = Quantity::FromUnits(remaining / 2);
    book_.Reduce(live.slot, by);
    reference_.Reduce(live.handle, by);
  }

  // `meeting` decides about every maker whose id is divisible by `special`.
  void Match(Side taker, std::optional<int64_t> limit, uint64_t quantity, int meeting,
             uint64_t special) {
    std::vector<uint64_t> seen, reference_seen;
    const int64_t worst =
        limit.has_value() ? LimitOf(RankOf(taker, static_cast<uint64_t>(*limit))) : kAnyRank;
    std::optional<Price> price;
    if (limit.has_value()) price = Price::FromUnits(*limit);
    const Quantity wanted = Quantity::FromUnits(quantity);

    EXPECT_EQ(book_.CanFill(taker, worst, wanted, kAnyReach),
              reference_.CanFill(taker, price, wanted));
    const bool can_fill =
        book_.CanFill(taker, worst, wanted, kAnyReach, [&](const OrderSlot& maker) {
          return maker.id.value() % special == 0 ? static_cast<OrderBook::Meeting>(meeting)
                                                 : OrderBook::Meeting::kTrade;
        });
    EXPECT_EQ(can_fill, reference_.CanFill(taker, price, wanted, [&](const RestingOrder& maker) {
      return maker.id.value() % special == 0 ? static_cast<ReferenceBook::Meeting>(meeting)
                                             : ReferenceBook::Meeting::kTrade;
    }));
    if (price.has_value()) {
      EXPECT_EQ(book_.Crosses(taker, worst), reference_.Crosses(taker, *price));
    }

    std::vector<uint64_t> gone;
    const Quantity left = book_.Match(
        taker, worst, wanted,
        [&](Slot maker) {
          const uint64_t id = storage_.order(maker).id.value();
          seen.push_back(id);
          if (id % special != 0) return OrderBook::Meeting::kTrade;
          const auto what = static_cast<OrderBook::Meeting>(meeting);
          if (what == OrderBook::Meeting::kRemoveMaker ||
              what == OrderBook::Meeting::kRemoveMakerAndStop) {
            gone.push_back(id);
          }
          return what;
        },
        [&](const OrderBook::Fill& fill) {
          seen.push_back(fill.traded.units());
          if (fill.remains.is_zero()) gone.push_back(fill.maker.id.value());
          EXPECT_EQ(fill.maker.quantity_remaining, fill.remains);
          EXPECT_EQ(&fill.maker, &storage_.order(fill.slot));
        });
    const Quantity reference_left = reference_.Match(
        taker, price, wanted,
        [&](const RestingOrder& maker) {
          reference_seen.push_back(maker.id.value());
          return maker.id.value() % special == 0 ? static_cast<ReferenceBook::Meeting>(meeting)
                                                 : ReferenceBook::Meeting::kTrade;
        },
        [&](RestingOrder&, Quantity traded) { reference_seen.push_back(traded.units()); });
    EXPECT_EQ(left, reference_left);
    EXPECT_EQ(can_fill, left.is_zero());
    EXPECT_EQ(seen, reference_seen);
    for (const uint64_t id : gone) live_.erase(id);
  }

  void ExpectEqual() const {
    book_.CheckInvariants();
    for (const Side side : {Side::kBid, Side::kAsk}) {
      std::vector<RestingOrder> orders, expected;
      book_.VisitOrders(side, [&](Slot slot) { orders.push_back(storage_.ValueOf(slot)); });
      reference_.VisitOrders(side, [&](const RestingOrder& order) { expected.push_back(order); });
      ASSERT_EQ(orders.size(), expected.size());
      EXPECT_TRUE(orders == expected);
    }
    EXPECT_EQ(book_.is_empty(), reference_.order_count() == 0);
  }

  size_t size() const { return live_.size(); }
  bool Crosses(Side side, int64_t price) const {
    return reference_.Crosses(side, Price::FromUnits(price));
  }

 private:
  struct Live {
    Slot slot;
    ReferenceBook::Handle handle;
  };
  std::map<uint64_t, Live>::iterator Nth(size_t nth) {
    return std::next(live_.begin(), nth % live_.size());
  }

  BookStorage storage_;
  OrderBook book_{MarketId(7), storage_};
  ReferenceBook reference_;
  std::map<uint64_t, Live> live_;
  uint64_t last_ = 0;
};

void Play(uint64_t seed, int64_t spread, int steps, int adds_in_ten) {
  Prng prng(seed);
  TwoBooks books;
  int64_t middle = 2'000'000'000;
  for (int step = 0; step < steps; ++step) {
    const Side side = prng.Chance(50) ? Side::kBid : Side::kAsk;
    if (prng.Chance(1)) middle += prng.Between(-spread, spread);
    const int64_t price = middle + prng.Between(-spread, spread);
    const uint64_t dice = prng.Below(10);
    if (dice < static_cast<uint64_t>(adds_in_ten)) {
      if (books.Crosses(side, price)) {
        books.Match(side, price, 1 + prng.Below(50), static_cast<int>(prng.Below(4)),
                    1 + prng.Below(9));
      } else {
        books.Add(side, price, 1 + prng.Below(20));
      }
    } else if (dice == 9) {
      std::optional<int64_t> limit;
      if (prng.Chance(70)) limit = price;
      books.Match(side, limit, 1 + prng.Below(200), static_cast<int>(prng.Below(4)),
                  1 + prng.Below(9));
    } else if (books.size() != 0) {
      if (prng.Chance(80)) {
        books.Remove(prng.Next());
      } else {
        books.Reduce(prng.Next());
      }
    }
    if (step % 50 == 0) books.ExpectEqual();
    if (testing::Test::HasFailure())
      FAIL() << "seed " << seed << " spread " << spread << " step " << step;
  }
  books.ExpectEqual();
}

TEST(OrderBookTest, IsTheReferenceBook) {
  for (const int64_t spread : {1, 5, 100, 3'000, 500'000, 1'000'000'000}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Play(seed, spread, 1'000, 3 + static_cast<int>(seed % 5));
      if (HasFailure()) return;
    }
  }
}

RC_GTEST_PROP(OrderBookTest, EqualsTheReferenceBookAfterAnyOperations, ()) {
  Play(*rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange<int64_t>(1, 10'000), 300,
       *rc::gen::inRange(2, 9));
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace engine
