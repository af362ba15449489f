// The history of one order: every event about it with its time, collected from the events of a log.
//
//   accepted ──► trade ... ──► amended / reduced ... ──► filled │ cancelled │ replaced by another
//   rejected: the command with that sequence number asked for an order and was rejected
//
// Quantities are counts of the market's unit.

#ifndef ENGINE_VIEWS_ORDER_HISTORY_H_
#define ENGINE_VIEWS_ORDER_HISTORY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"

namespace engine {

// Not thread-safe: owned by the reader of the log. It receives the log from its beginning.
class OrderHistory final : public EventListener {
 public:
  enum class Status : uint8_t {
    kNone,      // No event so far; the id may belong to a command of another kind.
    kRejected,  // It never became an order.
    kLive,
    kFilled,
    kCancelled,
    kReplaced,
  };
  struct Entry {
    Timestamp time;
    Event event;
  };

  explicit OrderHistory(OrderId order) : order_(order) {}

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // In log order, with the order as maker or as taker. Includes rejections of commands that named
  // the order.
  std::span<const Entry> entries() const { return entries_; }

  OrderId order() const { return order_; }
  Status status() const { return status_; }
  Quantity quantity_filled() const { return quantity_filled_; }
  Quantity quantity_remaining() const { return quantity_remaining_; }

  // The order that replaced it; zero unless the status is kReplaced.
  OrderId replaced_by() const { return replaced_by_; }

 private:
  bool Concerns(const Command& command, const Event& event) const;
  void Fold(const Event& event);

  const OrderId order_;
  std::vector<Entry> entries_;
  Status status_ = Status::kNone;
  Quantity quantity_filled_;
  Quantity quantity_remaining_;
  OrderId replaced_by_;
};

// "none", "rejected", "live", "filled", "cancelled", "replaced".
absl::string_view NameOf(OrderHistory::Status status);

}  // namespace engine

#endif  // ENGINE_VIEWS_ORDER_HISTORY_H_
