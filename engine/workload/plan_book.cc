#include "engine/workload/plan_book.h"

#include <algorithm>
#include <iterator>

#include "engine/base/check.h"

namespace bench {

using engine::OrderId;
using engine::Side;

void PlanBook::Add(OrderId id, Side side, int64_t price, uint64_t quantity) {
  std::list<OrderId>& queue = LevelsOf(side)[price];
  queue.push_back(id);
  orders_[id] = {
      .side = side, .price = price, .quantity = quantity, .place = std::prev(queue.end())};
  if (side == Side::kBid) ++bid_count_;
}

void PlanBook::Remove(OrderId id) {
  const auto found = orders_.find(id);
  CHECK(found != orders_.end()) << id;
  const Order& order = found->second;
  Levels& levels = LevelsOf(order.side);
  const auto level = levels.find(order.price);
  level->second.erase(order.place);
  if (level->second.empty()) levels.erase(level);
  if (order.side == Side::kBid) --bid_count_;
  orders_.erase(found);
}

void PlanBook::Amend(OrderId id, int64_t price, uint64_t quantity) {
  const Order before = *Find(id);
  if (price == before.price && quantity <= before.quantity) {
    orders_[id].quantity = quantity;
    return;
  }
  Remove(id);
  Add(id, before.side, price, quantity);
  orders_[id].filled = before.filled;
}

void PlanBook::Take(Side side, uint64_t quantity) {
  Levels& levels = LevelsOf(side);
  while (quantity > 0 && !levels.empty()) {
    const auto level = side == Side::kBid ? std::prev(levels.end()) : levels.begin();
    const OrderId id = level->second.front();
    Order& order = orders_.find(id)->second;
    const uint64_t taken = std::min(quantity, order.quantity);
    quantity -= taken;
    order.quantity -= taken;
    order.filled += taken;
    if (order.quantity == 0) Remove(id);
  }
}

const PlanBook::Order* PlanBook::Find(OrderId id) const {
  const auto found = orders_.find(id);
  return found == orders_.end() ? nullptr : &found->second;
}

std::optional<int64_t> PlanBook::Best(Side side) const {
  const Levels& levels = side == Side::kBid ? bids_ : asks_;
  if (levels.empty()) return std::nullopt;
  return side == Side::kBid ? levels.rbegin()->first : levels.begin()->first;
}

}  // namespace bench
