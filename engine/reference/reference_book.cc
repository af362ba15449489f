#include "engine/reference/reference_book.h"

#include <algorithm>
#include <limits>

#include "engine/base/check.h"
#include "engine/base/sequence_number.h"

namespace engine {
namespace {

// The worst key that a taker of side `taker` accepts among the makers' keys.
int64_t WorstKey(Side taker, std::optional<Price> limit) {
  if (!limit.has_value()) return std::numeric_limits<int64_t>::max();
  return taker == Side::kBid ? limit->units() : -limit->units();
}

}  // namespace

ReferenceBook::Handle ReferenceBook::Add(const RestingOrder& order) {
  CHECK(order.side == Side::kBid || order.side == Side::kAsk);
  CHECK(!order.quantity_remaining.is_zero()) << "order " << order.id;
  Level& level = levels(order.side)[Key(order.side, order.price)];
  if (!level.orders.empty()) CHECK_GT(order.priority, level.orders.back().priority);
  level.quantity += order.quantity_remaining;
  ++order_count_;
  return level.orders.insert(level.orders.end(), order);
}

void ReferenceBook::Remove(Handle order) {
  Levels& side = levels(order->side);
  const auto level = side.find(Key(order->side, order->price));
  CHECK(level != side.end()) << "order " << order->id;
  level->second.quantity -= order->quantity_remaining;
  level->second.orders.erase(order);
  --order_count_;
  if (level->second.orders.empty()) side.erase(level);
}

void ReferenceBook::Reduce(Handle order, Quantity by) {
  CHECK_LT(by, order->quantity_remaining);
  Levels& side = levels(order->side);
  const auto level = side.find(Key(order->side, order->price));
  CHECK(level != side.end()) << "order " << order->id;
  level->second.quantity -= by;
  order->quantity_remaining -= by;
}

Quantity ReferenceBook::Match(Side taker, std::optional<Price> limit, Quantity quantity,
                              OnTrade on_trade) {
  return Match(
      taker, limit, quantity, [](const RestingOrder&) { return Meeting::kTrade; }, on_trade);
}

Quantity ReferenceBook::Match(Side taker, std::optional<Price> limit, Quantity quantity,
                              OnMeet on_meet, OnTrade on_trade) {
  Levels& makers = levels(Opposite(taker));
  const int64_t worst = WorstKey(taker, limit);
  while (!quantity.is_zero() && !makers.empty() && makers.begin()->first <= worst) {
    Level& level = makers.begin()->second;
    RestingOrder& maker = level.orders.front();
    const Meeting meeting = on_meet(maker);
    if (meeting == Meeting::kStop) break;
    if (meeting != Meeting::kTrade) {
      level.quantity -= maker.quantity_remaining;
      RemoveFront(makers);
      if (meeting == Meeting::kRemoveMakerAndStop) break;
      continue;
    }
    const Quantity traded = std::min(quantity, maker.quantity_remaining);
    quantity -= traded;
    level.quantity -= traded;
    maker.quantity_remaining -= traded;
    maker.quantity_filled += traded;
    on_trade(maker, traded);
    if (maker.quantity_remaining.is_zero()) RemoveFront(makers);
  }
  return quantity;
}

// The first order of the first level leaves; the level's quantity is without it already.
void ReferenceBook::RemoveFront(Levels& makers) {
  Level& level = makers.begin()->second;
  level.orders.pop_front();
  --order_count_;
  if (level.orders.empty()) makers.erase(makers.begin());
}

bool ReferenceBook::CanFill(Side taker, std::optional<Price> limit, Quantity quantity) const {
  const int64_t worst = WorstKey(taker, limit);
  for (const auto& [key, level] : levels(Opposite(taker))) {
    if (key > worst) return false;
    if (level.quantity >= quantity) return true;
    quantity -= level.quantity;
  }
  return false;
}

bool ReferenceBook::CanFill(Side taker, std::optional<Price> limit, Quantity quantity,
                            OnMeet on_meet) const {
  const int64_t worst = WorstKey(taker, limit);
  for (const auto& [key, level] : levels(Opposite(taker))) {
    if (key > worst) return false;
    for (const RestingOrder& maker : level.orders) {
      switch (on_meet(maker)) {
        case Meeting::kTrade:
          if (maker.quantity_remaining >= quantity) return true;
          quantity -= maker.quantity_remaining;
          break;
        case Meeting::kRemoveMaker:
          break;
        case Meeting::kStop:
        case Meeting::kRemoveMakerAndStop:
          return false;
      }
    }
  }
  return false;
}

bool ReferenceBook::Crosses(Side taker, Price limit) const {
  const Levels& makers = levels(Opposite(taker));
  return !makers.empty() && makers.begin()->first <= WorstKey(taker, limit);
}

void ReferenceBook::VisitOrders(Side side,
                                absl::FunctionRef<void(const RestingOrder&)> visit) const {
  for (const auto& [key, level] : levels(side)) {
    for (const RestingOrder& order : level.orders) visit(order);
  }
}

void ReferenceBook::CheckInvariants() const {
  CheckSide(Side::kBid);
  CheckSide(Side::kAsk);
  uint64_t count = 0;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    for (const auto& [key, level] : levels(side)) count += level.orders.size();
  }
  CHECK_EQ(count, order_count_);
  if (bids_.empty() || asks_.empty()) return;
  const Price best_bid = Price::FromUnits(-bids_.begin()->first);
  const Price best_ask = Price::FromUnits(asks_.begin()->first);
  CHECK_LT(best_bid, best_ask) << "crossed (E2)";
}

void ReferenceBook::CheckSide(Side side) const {
  for (const auto& [key, level] : levels(side)) {
    CHECK(!level.orders.empty()) << "an empty level";
    Quantity sum;
    SequenceNumber previous;
    for (const RestingOrder& order : level.orders) {
      CHECK(order.side == side) << "order " << order.id;
      CHECK_EQ(Key(side, order.price), key) << "order " << order.id;
      CHECK(!order.quantity_remaining.is_zero()) << "order " << order.id;
      CHECK_GT(order.priority, previous) << "order " << order.id << " (E3)";
      CHECK_GE(order.priority.value(), order.id.value());
      previous = order.priority;
      sum += order.quantity_remaining;
    }
    CHECK_EQ(sum, level.quantity) << "level " << key;
  }
}

}  // namespace engine
