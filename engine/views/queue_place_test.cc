// The place of an order against a walk of its queue, and the orders that are visited for it.

#include "engine/views/queue_place.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kMarket(1);

// Bids of one market, and one of them that is followed. Each call is one command.
class FollowedQueue {
 public:
  explicit FollowedQueue(uint64_t followed) : order_(followed), place_(depth_, order_) {}

  void Bid(uint64_t order, int64_t price, uint64_t quantity) {
    Apply({Say(EventKind::kAccepted, order, price, quantity, quantity)});
  }
  void Cancel(uint64_t order) { Apply({Say(EventKind::kCancelled, order, 0, 0, 0)}); }
  void Reduce(uint64_t order, uint64_t to) { Apply({Say(EventKind::kReduced, order, 0, 0, to)}); }
  void Amend(uint64_t order, int64_t price, uint64_t quantity, PriorityOutcome priority) {
    Event event = Say(EventKind::kAmended, order, price, quantity, quantity);
    event.detail = static_cast<uint8_t>(priority);
    Apply({event});
  }
  void Replace(uint64_t order, uint64_t from, int64_t price, uint64_t quantity) {
    Event event = Say(EventKind::kReplaced, order, price, quantity, quantity);
    event.counter_order_id = OrderId(from);
    Apply({event});
  }
  // A taker fills `maker` to `remaining`.
  void Fill(uint64_t maker, uint64_t taker, uint64_t quantity, uint64_t remaining) {
    Event arrival = Say(EventKind::kAccepted, taker, 0, quantity, quantity);
    arrival.side = Side::kAsk;
    Event trade = Say(EventKind::kTrade, maker, 0, quantity, remaining);
    trade.counter_order_id = OrderId(taker);
    Apply({arrival, trade});
  }

  const DepthView& depth() const { return depth_; }
  const QueuePlace& place() const { return place_; }

  // "<price>: <remaining>, <orders ahead> with <quantity ahead>", or "none".
  std::string Followed() const { return TextOf(place_.standing()); }
  // The same of an order that is not followed until now.
  std::string Fresh() const { return TextOf(QueuePlace(depth_, order_).standing()); }
  // The same by a walk from the front.
  std::string Walked() const {
    const DepthView::Place* const own = depth_.FindOrder(order_);
    if (own == nullptr) return "none";
    QueuePlace::Standing standing{.market = kMarket,
                                  .side = Side::kBid,
                                  .price = own->level->price,
                                  .quantity_remaining = own->quantity_remaining,
                                  .orders_ahead = 0,
                                  .quantity_ahead = Quantity()};
    for (const DepthView::Place& place : own->level->queue) {
      if (place.order == order_) break;
      ++standing.orders_ahead;
      standing.quantity_ahead += place.quantity_remaining;
    }
    return TextOf(standing);
  }

 private:
  static Event Say(EventKind kind, uint64_t order, int64_t price, uint64_t quantity,
                   uint64_t remaining) {
    Event event;
    event.kind = kind;
    event.order_id = OrderId(order);
    event.market = kMarket;
    event.side = Side::kBid;
    event.price = Price::FromUnits(price);
    event.quantity = Quantity::FromUnits(quantity);
    event.quantity_remaining = Quantity::FromUnits(remaining);
    return event;
  }
  void Apply(const std::vector<Event>& events) {
    depth_.OnEvents(Command(), events);
    place_.OnEvents(events);
  }
  static std::string TextOf(const std::optional<QueuePlace::Standing>& standing) {
    if (!standing.has_value()) return "none";
    EXPECT_EQ(standing->market, kMarket);
    EXPECT_EQ(standing->side, Side::kBid);
    return absl::StrCat(standing->price.units(), ": ", standing->quantity_remaining.units(), ", ",
                        standing->orders_ahead, " with ", standing->quantity_ahead.units());
  }

  DepthView depth_;
  const OrderId order_;
  QueuePlace place_;
};

TEST(QueuePlaceTest, CountsTheOrdersAhead) {
  FollowedQueue queue(3);
  EXPECT_EQ(queue.Followed(), "none");
  queue.Bid(1, 100, 5);
  queue.Bid(2, 100, 6);
  queue.Bid(3, 100, 7);
  queue.Bid(4, 100, 8);
  EXPECT_EQ(queue.Followed(), "100: 7, 2 with 11");
  queue.Fill(1, 5, 2, 3);
  EXPECT_EQ(queue.Followed(), "100: 7, 2 with 9");
  queue.Amend(4, 100, 1, PriorityOutcome::kKept);
  EXPECT_EQ(queue.Followed(), "100: 7, 2 with 9");
  queue.Amend(1, 100, 4, PriorityOutcome::kLost);
  EXPECT_EQ(queue.Followed(), "100: 7, 1 with 6");
  queue.Amend(3, 100, 9, PriorityOutcome::kLost);
  EXPECT_EQ(queue.Followed(), "100: 9, 3 with 11") << "after all others";
  queue.Replace(6, 2, 100, 6);
  EXPECT_EQ(queue.Followed(), "100: 9, 2 with 5");
  queue.Cancel(3);
  EXPECT_EQ(queue.Followed(), "none");
}

// One random command; `resting` are the remaining quantities of the orders that rest, by number.
void Random(Prng& prng, uint64_t number, FollowedQueue& queue,
            std::map<uint64_t, uint64_t>& resting) {
  const int64_t price = prng.Between(100, 102);
  const auto quantity = static_cast<uint64_t>(prng.Between(2, 9));
  const uint64_t choice = resting.size() < 20 ? 0 : prng.Below(8);
  if (choice <= 2) {
    queue.Bid(number, price, quantity);
    resting[number] = quantity;
    return;
  }
  auto chosen = resting.begin();
  std::advance(chosen, prng.Below(resting.size()));
  auto& [order, remaining] = *chosen;
  if (choice == 3 || remaining == 1) {
    queue.Cancel(order);
    resting.erase(chosen);
  } else if (choice == 4) {
    queue.Reduce(order, --remaining);
  } else if (choice == 5) {
    queue.Fill(order, number, 1, --remaining);
  } else if (choice == 6) {
    queue.Amend(order, price, remaining = quantity, PriorityOutcome::kLost);
  } else {
    queue.Replace(number, order, price, quantity);
    resting.erase(chosen);
    resting[number] = quantity;
  }
}

TEST(QueuePlaceTest, IsThatOfAWalk) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Prng prng(seed);
    FollowedQueue queue(1 + prng.Below(100));
    std::map<uint64_t, uint64_t> resting;
    for (uint64_t number = 1; number <= 400; ++number) {
      Random(prng, number, queue, resting);
      ASSERT_EQ(queue.Followed(), queue.Walked()) << "seed " << seed << ", command " << number;
      ASSERT_EQ(queue.Fresh(), queue.Walked()) << "seed " << seed << ", command " << number;
    }
  }
}

// The orders ahead are cancelled and replaced by others, one at a time.
uint64_t VisitsAtDepth(uint64_t depth) {
  FollowedQueue queue(depth);
  for (uint64_t order = 1; order <= 2 * depth; ++order) queue.Bid(order, 100, 1);
  for (uint64_t order = 1; order < depth; ++order) {
    queue.Cancel(order);
    queue.Bid(2 * depth + order, 100, 1);
    const bool is_kept = order % 2 == 0;
    queue.Amend(depth, 100, 1, is_kept ? PriorityOutcome::kKept : PriorityOutcome::kLost);
    EXPECT_TRUE(queue.place().standing().has_value());
  }
  return queue.place().orders_visited();
}

TEST(QueuePlaceTest, VisitsTheOrdersThatCommandsNameAtAnyDepth) {
  for (const uint64_t depth : {100, 1000, 10'000}) EXPECT_LE(VisitsAtDepth(depth), 4 * depth);
}

}  // namespace
}  // namespace engine
