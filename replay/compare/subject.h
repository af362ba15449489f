// A machine that applies a log and reports what it did: in this process or in another one.
//
//   records ──► Subject ──► Answer: digests of its outputs and of its state
//                  │
//                  └── on request: the outputs themselves
//
// Answers are small, so comparing engines that agree is cheap; outputs are fetched only where
// digests differ.

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
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "replay/output.h"

namespace replay {

// Identifies an engine. A regular value type.
struct SubjectIdentity {
  std::string name;      // "fast", "reference", or the path of a program.
  std::string build_id;  // Equal for equal builds.
  uint32_t semantics_version = 0;

  friend bool operator==(const SubjectIdentity&, const SubjectIdentity&) = default;
};

// What to do besides applying a batch.
struct Ask {
  bool state = false;       // Return the state digest after the batch.
  bool invariants = false;  // CHECK the invariants of the state after the batch.
};

// The result of a batch. A regular value type.
struct Answer {
  engine::SequenceNumber last;  // The last record of the batch.
  uint64_t output_count = 0;
  engine::Digest outputs;   // XXH3-128 of the batch's outputs, 64 bytes each, in order.
  engine::Digest state;     // Zero unless requested.
  uint64_t state_size = 0;  // Machine::state_size(), zero unless the state is requested.

  friend bool operator==(const Answer&, const Answer&) = default;
};

// A state to which an engine can be restored without its log. A regular value type.
struct SavedState {
  engine::SequenceNumber sequence;            // The last record that was applied.
  engine::Digest digest;                      // Of the state.
  std::vector<std::vector<std::byte>> parts;  // The parts that Machine::Save produces.

  // The bytes of all parts.
  size_t size() const;
};

// Not thread-safe: owned by its caller. If the engine ends instead of answering (a CHECK, a
// signal), the call returns ABORTED with its last output; Reset() then starts a new one.
class Subject {
 public:
  virtual ~Subject() = default;

  virtual const SubjectIdentity& identity() const = 0;

  // Applies the next records; Receive() returns the result. Another subject may be used between the
  // two calls, and works in parallel if it lives in another process.
  // Errors: DATA_LOSS if the batch does not follow the last record, or goes back in time; the
  // engine has then applied none of it. REQUIRES: the batch stays valid until Receive(); it is not
  // empty.
  virtual absl::Status Send(const journal::Batch& batch, const Ask& ask) = 0;
  virtual absl::StatusOr<Answer> Receive() = 0;

  // The outputs of the last batch received; valid until the next call.
  virtual absl::StatusOr<std::span<const Output>> Outputs() = 0;

  // Returns to the state before the first record.
  virtual absl::Status Reset() = 0;

  // Save returns the current state. Load restores a state that this or another engine with the same
  // rules saved; the next record is the one after it. After an error of Load() the subject is as
  // after Reset(). Errors: UNIMPLEMENTED (the engine cannot), DATA_LOSS (the restored state has
  // another sequence number or digest).
  virtual absl::StatusOr<SavedState> Save() = 0;
  virtual absl::Status Load(const SavedState& state) = 0;

  // The live orders of one side of one market, in priority order. Errors: UNIMPLEMENTED if the
  // machine is not an exchange.
  virtual absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                                   engine::Side side) = 0;
};

// Send() and Receive().
absl::StatusOr<Answer> Put(Subject& subject, const journal::Batch& batch, const Ask& ask);

// Returns the outputs of the record at the front of `outputs`, and removes them there.
std::span<const Output> TakeOutputsOf(engine::SequenceNumber record,
                                      std::span<const Output>& outputs);

}  // namespace replay

#endif  // REPLAY_COMPARE_SUBJECT_H_
