// Where do two engines part? The same log is put to both, run by run of 4096.
//
//   run      1      2      3      4                   digests only: equal runs cost no events
//   A, B     =      =      =      ≠
//                          └──────┴─ again from the last known state to here, then command by
//                                    command
//
// The first command after which they said different things, or are in different states, is the
// answer. State differences count: an engine that keeps a wrong book is wrong before it shows.

#ifndef REPLAY_COMPARE_LOCK_STEP_H_
#define REPLAY_COMPARE_LOCK_STEP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Where a subject can be brought to without a replay from the start: snapshot_states.h.
class StateSource {
 public:
  virtual ~StateSource() = default;

  // Leaves `subject` as it is after some record, at most `at_most`, and says after which.
  virtual absl::StatusOr<engine::SequenceNumber> Restore(Subject& subject,
                                                         engine::SequenceNumber at_most) = 0;

  // Both subjects are in this state after `sequence`; what was saved there is of no use otherwise.
  virtual void Know(engine::SequenceNumber sequence, const engine::Digest& state) = 0;

  // Whether the state of a subject with so many orders is worth saving there, and what it is.
  virtual bool Wants(engine::SequenceNumber sequence, uint64_t live_order_count) = 0;
  virtual void Keep(SavedState state) = 0;

  // Commands that were put to a subject a second time, since it began.
  void CountReplayed(uint64_t commands) { replayed_ += commands; }
  uint64_t replayed() const { return replayed_; }

 private:
  uint64_t replayed_ = 0;
};

// Tells `states`, which may be null, that both are so after `sequence`, and lets it save `subject`.
void Pass(StateSource* states, Subject& subject, engine::SequenceNumber sequence,
          const Answer& answer);

// What one of the two did with the command at which they parted. A regular value type.
struct Outcome {
  std::vector<engine::Event> events;
  engine::Digest state;
  std::optional<std::string> ended;  // The last words of an engine that ended instead.
};

struct Difference {
  enum class What {
    kEvents,  // They said different things.
    kState,   // They said the same, and are in different states.
    kEnded,   // At least one of them ended.
  };
  What what = What::kEvents;
  engine::Command command;
  std::vector<std::byte> attachment;
  Outcome a;
  Outcome b;

  engine::SequenceNumber sequence() const { return command.sequence; }
};

struct LockStepOptions {
  // Without, only what is said is compared.
  bool compare_state = true;
  // Commands from one comparison to the next, within runs of 4096. A difference of states that was
  // never said, and is gone at the next comparison, is not seen.
  size_t state_every = 4096;
  // How far it has come, after every run; for progress.
  std::function<void(engine::SequenceNumber)> progress = nullptr;
  // Null: from the start. Outlives the call.
  StateSource* states = nullptr;
};

// Brings `subject` to where it has applied `last`.
absl::Status BringTo(LogSource& source, Subject& subject, engine::SequenceNumber last,
                     StateSource* states = nullptr);

// The same for one that has applied `at` already.
absl::Status GoOn(LogSource& source, Subject& subject, engine::SequenceNumber at,
                  engine::SequenceNumber last, StateSource* states = nullptr);

// The first difference up to and including `last`. Both subjects are reset first, and stand right
// after the command that differs. Errors: the source's, the subjects' but ABORTED, INTERNAL (an
// engine does not do the same twice).
absl::StatusOr<std::optional<Difference>> FindFirstDifference(LogSource& source, Subject& a,
                                                              Subject& b,
                                                              engine::SequenceNumber last,
                                                              const LockStepOptions& options = {});

// The same where it is known that they agree up to `equal` and differ at `differs`, by digests of
// earlier runs: only what lies between is looked at.
absl::StatusOr<Difference> FindDifferenceWithin(LogSource& source, Subject& a, Subject& b,
                                                engine::SequenceNumber equal,
                                                engine::SequenceNumber differs,
                                                const LockStepOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LOCK_STEP_H_
