#include "journal/write/ack_gate.h"

#include <algorithm>

#include "engine/base/check.h"

namespace journal {
namespace {

engine::SequenceNumber Reached(const AckGate::Progress& progress, AckPolicy policy) {
  switch (policy) {
    case AckPolicy::kNone:
      return progress.sequenced;
    case AckPolicy::kWritten:
      return progress.written;
    case AckPolicy::kDisk:
      return progress.durable;
  }
  CHECK(false) << "ack policy " << static_cast<int>(policy);
  return progress.durable;
}

}  // namespace

void AckGate::Switch(engine::SequenceNumber last, AckPolicy policy) {
  earlier_.push_back({.last = last, .policy = policy_});
  policy_ = policy;
}

engine::SequenceNumber AckGate::Acknowledged(const Progress& progress) {
  while (!earlier_.empty()) {
    const engine::SequenceNumber reached = Reached(progress, earlier_.front().policy);
    if (reached < earlier_.front().last) return std::max(floor_, reached);
    floor_ = earlier_.front().last;
    earlier_.pop_front();
  }
  return std::max(floor_, Reached(progress, policy_));
}

bool AckGate::waits_for_disk() const {
  return policy_ == AckPolicy::kDisk ||
         std::any_of(earlier_.begin(), earlier_.end(),
                     [](const Span& span) { return span.policy == AckPolicy::kDisk; });
}

}  // namespace journal
