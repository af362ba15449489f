#include "engine/gateway/venue.h"

#include "engine/base/check.h"

namespace engine {

uint32_t Venue::Add(Gateway& gateway) {
  gateways_.push_back(&gateway);
  return static_cast<uint32_t>(gateways_.size());
}

absl::StatusOr<SequenceNumber> Venue::Submit(const Command& command, Bytes attachment,
                                             const Origin& origin) {
  submitting_ = origin;
  submitting_attachment_ = attachment;
  const absl::StatusOr<SequenceNumber> sequence = sink_->Submit(command, attachment);
  submitting_ = Origin();
  submitting_attachment_ = {};
  return sequence;
}

void Venue::OnApplied(const Command& command, std::span<const Event> events) {
  last_applied_ = command.sequence;
  origins_.push_back(submitting_);
  memory_.OnApplied(command, submitting_attachment_, events);
  for (Gateway* const gateway : gateways_) gateway->OnApplied(command, events, submitting_);
}

void Venue::OnEvents(const Command& command, std::span<const Event> events) {
  CHECK_EQ(last_applied_ - command.sequence, origins_.size() - 1);
  last_released_ = command.sequence;
  const Origin origin = origins_.front();
  origins_.pop_front();
  for (Gateway* const gateway : gateways_) gateway->OnReleased(command, events, origin);
}

}  // namespace engine
