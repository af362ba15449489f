#include "engine/gateway/venue.h"

#include <utility>

#include "engine/base/check.h"

namespace engine {

uint32_t Venue::Add(Gateway& gateway) {
  gateways_.push_back(&gateway);
  return static_cast<uint32_t>(gateways_.size());
}

absl::StatusOr<SequenceNumber> Venue::Submit(const Command& command, Bytes attachment,
                                             const Origin& origin) {
  submitting_ = origin;
  attachment_ = attachment;
  const absl::StatusOr<SequenceNumber> sequence = sink_->Submit(command, attachment);
  submitting_ = Origin();
  attachment_ = {};
  return sequence;
}

void Venue::OnApplied(const Command& command, std::span<const Event> events) {
  last_applied_ = command.sequence;
  in_flight_.push_back(
      {.origin = submitting_, .attachment = {attachment_.begin(), attachment_.end()}});
  memory_.OnApplied(command, attachment_, events);
  for (Gateway* const gateway : gateways_) gateway->OnApplied(command, events, submitting_);
}

void Venue::OnEvents(const Command& command, std::span<const Event> events) {
  CHECK_EQ(last_applied_ - command.sequence, in_flight_.size() - 1);
  last_released_ = command.sequence;
  const InFlight released = std::move(in_flight_.front());
  in_flight_.pop_front();
  // Submit() may release what it has just applied, so its attachment is still needed.
  const Bytes applied_attachment = std::exchange(attachment_, Bytes(released.attachment));
  for (Gateway* const gateway : gateways_) gateway->OnReleased(command, events, released.origin);
  attachment_ = applied_attachment;
}

}  // namespace engine
