// Computes which records are acknowledged when the ack policy changes while records wait.
//
//   policy     written │ disk            │ none
//   records   1 … 7    │ 8 … 20          │ 21 …
//                      └ each record is acknowledged by the policy under which it was sequenced,
//                        and never before its predecessors: events leave in order

#ifndef JOURNAL_WRITE_ACK_GATE_H_
#define JOURNAL_WRITE_ACK_GATE_H_

#include <algorithm>
#include <deque>

#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "journal/ack_policy.h"

namespace journal {

// Not thread-safe: owned by the sequencing thread.
class AckGate {
 public:
  // The last record at each stage: sequenced >= written >= durable.
  struct Progress {
    engine::SequenceNumber sequenced;
    engine::SequenceNumber written;
    engine::SequenceNumber durable;
  };

  explicit AckGate(AckPolicy policy) : policy_(policy) {}

  // `policy` applies to the records after `last`.
  void Switch(engine::SequenceNumber last, AckPolicy policy) {
    earlier_.push_back({.last = last, .policy = policy_});
    policy_ = policy;
  }

  // Returns the last record that is acknowledged. Never decreases.
  engine::SequenceNumber Acknowledged(const Progress& progress) {
    while (!earlier_.empty()) {
      const engine::SequenceNumber reached = Reached(progress, earlier_.front().policy);
      if (reached < earlier_.front().last) return std::max(floor_, reached);
      floor_ = earlier_.front().last;
      earlier_.pop_front();
    }
    return std::max(floor_, Reached(progress, policy_));
  }

  // The policy of the next record.
  AckPolicy policy() const { return policy_; }

  // Whether the current policy, or that of a record not yet acknowledged, is kDisk.
  bool waits_for_disk() const {
    return policy_ == AckPolicy::kDisk ||
           std::ranges::find(earlier_, AckPolicy::kDisk, &Span::policy) != earlier_.end();
  }

 private:
  struct Span {
    engine::SequenceNumber last;
    AckPolicy policy;
  };

  static engine::SequenceNumber Reached(const Progress& progress, AckPolicy policy) {
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

  AckPolicy policy_;
  std::deque<Span> earlier_;      // Ascending: unacknowledged records under earlier policies.
  engine::SequenceNumber floor_;  // The last acknowledged record under an earlier policy.
};

}  // namespace journal

#endif  // JOURNAL_WRITE_ACK_GATE_H_
