#include "tools/client/linked_orders.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace client {

using engine::Quantity;
using strategy::OrderNumber;

Quantity LinkedOrder::known_fills() const {
  Quantity sum = filled;
  for (const OrderFill& fill : held) sum += fill.quantity;
  for (const OrderFill& fill : listed_fills) sum += fill.quantity;
  return sum;
}

bool LinkedOrder::AddTrade(const engine::Digest& trade) {
  if (std::ranges::find(trades, trade) != trades.end()) return false;
  trades.push_back(trade);
  return true;
}

LinkedOrder& LinkedOrders::Add(LinkedOrder order) {
  CHECK(order.number != OrderNumber());
  CHECK(Find(order.number) == nullptr) << "order " << order.number << " is known";
  Prepare();
  const uint32_t slot = free_.back();
  free_.pop_back();
  by_number_.Set(order.number.value(), slot);
  if (order.is_live) ++live_count_;
  orders_[slot] = std::move(order);
  return orders_[slot];
}

void LinkedOrders::Prepare() {
  if (!free_.empty()) return;
  orders_.resize(orders_.size() + kPrepared);
  // The lowest is taken first.
  for (size_t slot = orders_.size(); free_.size() < kPrepared;) {
    orders_[--slot].is_live = false;
    free_.push_back(static_cast<uint32_t>(slot));
  }
}

LinkedOrder* LinkedOrders::Find(OrderNumber number) { return At(by_number_.Find(number.value())); }

LinkedOrder* LinkedOrders::FindId(absl::string_view id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &orders_[found->second];
}

void LinkedOrders::SetId(LinkedOrder& order, absl::string_view id) {
  CHECK(order.id.empty());
  CHECK(by_id_.emplace(id, by_number_.Find(order.number.value())).second);
  order.id = std::string(id);
}

void LinkedOrders::AddCall(uint64_t call, const LinkedOrder& order) {
  by_call_.Set(call, by_number_.Find(order.number.value()));
}

LinkedOrder* LinkedOrders::TakeCall(uint64_t call) {
  LinkedOrder* const order = At(by_call_.Find(call));
  if (order != nullptr) by_call_.Erase(call);
  return order;
}

void LinkedOrders::DropCalls() {
  by_call_ = engine::IdTable();
  for (LinkedOrder& order : orders_) order.create_call = order.request_call = 0;
}

void LinkedOrders::End(LinkedOrder& order) {
  CHECK(order.is_live);
  order.is_live = false;
  --live_count_;
  ended_.push_back(order.number);
  if (ended_.size() > kEndedMax) ForgetOldest();
}

void LinkedOrders::Revive(LinkedOrder& order) {
  CHECK(!order.is_live);
  order.is_live = true;
  ++live_count_;
}

void LinkedOrders::ForgetOldest() {
  const OrderNumber number = ended_.front();
  ended_.pop_front();
  LinkedOrder* const order = Find(number);
  if (order == nullptr || order->is_live) return;
  for (const uint64_t call : {order->create_call, order->request_call}) {
    if (call != 0) TakeCall(call);
  }
  if (!order->id.empty()) by_id_.erase(order->id);
  free_.push_back(by_number_.Find(number.value()));
  by_number_.Erase(number.value());
  *order = {.is_live = false};
}

}  // namespace client
