// An engine that a log is put to, to learn what it does: in this process, or in another one.
//
//   records ──► Subject ──► Answer: digests of what it said, and of its state
//                  │
//                  └── on request: the events themselves, the orders of a book
//
// Answers are small, so that engines that agree cost next to nothing to compare; events are fetched
// only where digests differ.

#ifndef REPLAY_COMPARE_SUBJECT_H_
#define REPLAY_COMPARE_SUBJECT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/book/resting_order.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"

namespace replay {

// Who answers. A regular value type.
struct SubjectIdentity {
  std::string name;      // "fast", "reference", or the path of a program.
  std::string build_id;  // Equal builds have equal ones.
  uint32_t semantics_version = 0;

  friend bool operator==(const SubjectIdentity&, const SubjectIdentity&) = default;
};

// What is to be done beside applying.
struct Ask {
  bool state = false;       // The state digest after the batch.
  bool invariants = false;  // CHECKs what must hold of the state after the batch.
};

// What an engine made of a batch. A regular value type.
struct Answer {
  engine::SequenceNumber last;  // Of the batch.
  uint64_t event_count = 0;
  engine::Digest events;  // XXH3-128 of the batch's events, 64 bytes each, in order.
  engine::Digest state;   // Zero unless asked for.
  uint64_t live_order_count = 0;

  friend bool operator==(const Answer&, const Answer&) = default;
};

// What an engine is brought back to without its log. A regular value type.
struct SavedState {
  engine::SequenceNumber sequence;            // The last record that was applied.
  engine::Digest digest;                      // Of the state.
  std::vector<std::vector<std::byte>> parts;  // As Machine::Save gives them.
};

// Not thread-safe: owned by whoever asks. An engine that ends instead of answering (a CHECK, a
// signal) gives ABORTED with its last words; Reset() then begins another.
class Subject {
 public:
  virtual ~Subject() = default;

  virtual const SubjectIdentity& identity() const = 0;

  // Puts the next records; Receive() has the answer. Between the two, another subject may be asked,
  // which then works at the same time if it lives in another process.
  // Errors: DATA_LOSS where the batch does not follow the last record, or goes back in time; the
  // engine has then applied none of it.
  // REQUIRES: the batch stays valid until Receive(); it is not empty.
  virtual absl::Status Send(const journal::Batch& batch, const Ask& ask) = 0;
  virtual absl::StatusOr<Answer> Receive() = 0;

  // The events of the batch that was received last; valid until the next call.
  virtual absl::StatusOr<std::span<const engine::Event>> Events() = 0;

  // The live orders of one side of one market, in priority order.
  virtual absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                                   engine::Side side) = 0;

  // Back to before the first record.
  virtual absl::Status Reset() = 0;

  // The state as it is, and to a state that this or another engine of the same rules saved: the
  // next record is the one after it. After an error of Load() the subject is as after Reset().
  // Errors: UNIMPLEMENTED (this engine cannot), DATA_LOSS (what it became is after another record,
  // or has another digest).
  virtual absl::StatusOr<SavedState> Save();
  virtual absl::Status Load(const SavedState& state);
};

// Send() and Receive().
absl::StatusOr<Answer> Put(Subject& subject, const journal::Batch& batch, const Ask& ask);

}  // namespace replay

#endif  // REPLAY_COMPARE_SUBJECT_H_
