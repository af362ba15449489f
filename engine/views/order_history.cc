#include "engine/views/order_history.h"

#include <algorithm>
#include <array>

#include "engine/messages/fields.h"

namespace engine {

void OrderHistory::OnEvents(const Command& command, std::span<const Event> events) {
  for (const Event& event : events) {
    if (!Concerns(command, event)) continue;
    entries_.push_back({.time = command.timestamp, .event = event});
    Fold(event);
  }
}

bool OrderHistory::Concerns(const Command& command, const Event& event) const {
  if (event.kind != EventKind::kRejected) {
    return InfoOf(event.kind).changes_an_order &&
           (event.order_id == order_ || event.counter_order_id == order_);
  }
  return (NamesAnOrder(command.kind) && event.order_id == order_) ||
         (InfoOf(command.kind).makes_an_order && OrderIdOf(event.sequence) == order_);
}

void OrderHistory::Fold(const Event& event) {
  const bool is_about_it = event.order_id == order_;
  switch (event.kind) {
    case EventKind::kAccepted:
    case EventKind::kReplaced:
      if (!is_about_it) {
        status_ = Status::kReplaced;
        quantity_remaining_ = Quantity();
        replaced_by_ = event.order_id;
        break;
      }
      status_ = Status::kLive;
      quantity_remaining_ = event.quantity_remaining;
      break;
    case EventKind::kTrade:
      quantity_filled_ += event.quantity;
      // A faulty engine's trade may exceed the order's remaining quantity.
      quantity_remaining_ -= std::min(event.quantity, quantity_remaining_);
      if (quantity_remaining_.is_zero()) status_ = Status::kFilled;
      break;
    case EventKind::kCancelled:
      status_ = Status::kCancelled;
      quantity_remaining_ = event.quantity_remaining;
      break;
    case EventKind::kReduced:
    case EventKind::kAmended:
      quantity_remaining_ = event.quantity_remaining;
      break;
    case EventKind::kRejected:
      if (OrderIdOf(event.sequence) == order_) status_ = Status::kRejected;
      break;
    default:
      break;
  }
}

absl::string_view NameOf(OrderHistory::Status status) {
  static constexpr auto kNames = std::to_array<absl::string_view>(
      {"none", "rejected", "live", "filled", "cancelled", "replaced"});
  return kNames.at(static_cast<size_t>(status));
}

}  // namespace engine
