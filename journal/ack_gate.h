// Which records are acknowledged, when the policy may change while they wait.
//
//   policy     written │ disk            │ none
//   records   1 … 7    │ 8 … 20          │ 21 …
//                      └ each by the policy under which it was sequenced, and none before its
//                        predecessors: events leave in order

#ifndef JOURNAL_ACK_GATE_H_
#define JOURNAL_ACK_GATE_H_

#include <deque>

#include "engine/base/sequence_number.h"
#include "journal/ack_policy.h"

namespace journal {

// Not thread-safe: owned by the thread that sequences.
class AckGate {
 public:
  // How far the journal has come. Each includes the ones after it.
  struct Progress {
    engine::SequenceNumber sequenced;
    engine::SequenceNumber written;
    engine::SequenceNumber durable;
  };

  explicit AckGate(AckPolicy policy) : policy_(policy) {}

  // `policy` holds from the record after `last` on.
  void Switch(engine::SequenceNumber last, AckPolicy policy);

  // The last record that is acknowledged. Never runs back.
  engine::SequenceNumber Acknowledged(const Progress& progress);

  // Of the next record.
  AckPolicy policy() const { return policy_; }

  // Whether a record that is not acknowledged yet waits for the medium.
  bool waits_for_disk() const;

 private:
  struct Span {
    engine::SequenceNumber last;
    AckPolicy policy;
  };

  AckPolicy policy_;
  std::deque<Span> earlier_;      // Ascending: records that were sequenced under another policy.
  engine::SequenceNumber floor_;  // The last of those that are acknowledged.
};

}  // namespace journal

#endif  // JOURNAL_ACK_GATE_H_
