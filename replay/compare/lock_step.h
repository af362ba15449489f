// Finds the first record at which two machines diverge. Both apply the same log in runs of 4096.
//
//   run      1      2      3      4                   digests only: equal runs fetch no outputs
//   A, B     =      =      =      ≠
//                          └──────┴─ again from the last known state to here, then record by
//                                    record
//
// The result is the first record after which the outputs or the states differ. States count,
// because an engine with a wrong book is wrong before an event shows it.

#ifndef REPLAY_COMPARE_LOCK_STEP_H_
#define REPLAY_COMPARE_LOCK_STEP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/output.h"

namespace replay {

class SnapshotStates;

// What one of the machines did with the record at which they diverge. A regular value type.
struct Outcome {
  std::vector<Output> outputs;
  engine::Digest state;
  std::optional<std::string> ended;  // The last output of an engine that ended.
};

struct Divergence {
  enum class What {
    kOutputs,  // The outputs differ.
    kState,    // The outputs are equal, the states differ.
    kEnded,    // At least one machine ended.
  };
  What what = What::kOutputs;
  LogEntry entry;  // The record.
  Outcome a;
  Outcome b;

  engine::SequenceNumber sequence() const { return entry.row.sequence; }
};

struct LockStepOptions {
  // False: compares outputs only.
  bool compare_state = true;
  // The number of records between two comparisons, within runs of 4096. A state divergence that
  // causes no output and is gone at the next comparison is not found.
  size_t state_every = 4096;
  // Called after every run with the last record compared; may be null.
  std::function<void(engine::SequenceNumber)> progress = nullptr;
  // Null: replays from the start. Outlives the call.
  SnapshotStates* states = nullptr;
};

// Brings `subject` to the state after `last`, from the nearest of `states`; null: from the start.
absl::Status BringTo(LogSource& source, Subject& subject, engine::SequenceNumber last,
                     SnapshotStates* states = nullptr);

// The same for a subject that has already applied the records up to `at`.
absl::Status GoOn(LogSource& source, Subject& subject, engine::SequenceNumber at,
                  engine::SequenceNumber last, SnapshotStates* states = nullptr);

// Brings `subject` to the state after `last` and keeps that state, unless `states` has it. Returns
// true if it is new there. Without effect if the engine cannot save.
absl::StatusOr<bool> KeepStateAt(LogSource& source, Subject& subject, engine::SequenceNumber last,
                                 SnapshotStates& states);

// Returns the first divergence in the log. Resets both subjects first and leaves them right after
// the record at which they diverge. Errors: the source's; the subjects' other than ABORTED;
// INTERNAL (an engine is not deterministic).
absl::StatusOr<std::optional<Divergence>> FindFirstDivergence(LogSource& source, Subject& a,
                                                              Subject& b,
                                                              const LockStepOptions& options = {});

// The same if digests of earlier runs show that the engines agree up to `equal` and differ at
// `differs`. Only the records between are compared.
absl::StatusOr<Divergence> FindDivergenceWithin(LogSource& source, Subject& a, Subject& b,
                                                engine::SequenceNumber equal,
                                                engine::SequenceNumber differs,
                                                const LockStepOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LOCK_STEP_H_
