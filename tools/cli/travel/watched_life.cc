#include "tools/cli/travel/watched_life.h"

#include <algorithm>

namespace tools {

using engine::OrderHistory;
using engine::SequenceNumber;

WatchedLife::WatchedLife(engine::OrderId order, SequenceNumber oldest)
    : whole_(order),
      known_up_to_(std::max(oldest, SequenceNumber(order.value() == 0 ? 0 : order.value() - 1))) {}

bool WatchedLife::has_ended() const {
  const OrderHistory::Status status = whole_.status();
  if (status != OrderHistory::Status::kNone) return status != OrderHistory::Status::kLive;
  return known_up_to_.value() >= whole_.order().value();  // The command created no order.
}

void WatchedLife::Hear(const engine::Command& command, std::span<const engine::Event> events) {
  if (has_ended() || command.sequence != known_up_to_.Next()) return;
  known_up_to_ = command.sequence;
  whole_.OnEvents(command, events);
}

SequenceNumber WatchedLife::MissingFrom(SequenceNumber place) const {
  return has_ended() ? place : std::min(place, known_up_to_);
}

OrderHistory WatchedLife::UpTo(SequenceNumber place) const {
  OrderHistory life(whole_.order());
  engine::Command command;
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence > place) break;
    // OrderHistory only checks whether the command created the order or names it.
    const bool is_its_own = engine::OrderIdOf(entry.event.sequence) == whole_.order();
    command.kind = is_its_own ? engine::CommandKind::kNewOrder : engine::CommandKind::kAmend;
    command.sequence = entry.event.sequence;
    command.timestamp = entry.time;
    life.OnEvents(command, {&entry.event, 1});
  }
  return life;
}

std::optional<SequenceNumber> WatchedLife::EventBefore(SequenceNumber place) const {
  std::optional<SequenceNumber> found;
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence >= place) break;
    found = entry.event.sequence;
  }
  return found;
}

std::optional<SequenceNumber> WatchedLife::EventAfter(SequenceNumber place) const {
  for (const OrderHistory::Entry& entry : whole_.entries()) {
    if (entry.event.sequence > place) return entry.event.sequence;
  }
  return std::nullopt;
}

}  // namespace tools
