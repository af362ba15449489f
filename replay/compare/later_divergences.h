// Classifies the divergences after the first one as consequences of it or as independent.
//
//   original    = = = ≠ = ≠ ≠ = ≠ =           every command at which the events differ
//   re-seeded         └ = = = = ≠ =           B is given A's state after the first divergence
//                                 └─ independent; the others are consequences
//
// B is given A's whole state if both engines can save and load states. Otherwise both apply a log
// with the same numbers that builds A's book directly: each live order is entered under its own
// number with its remaining quantity, an amend gives it the place in its queue that a later command
// gave it (unless it has one lot at the end of the price range), and every other command about
// orders becomes advance_time. Filled quantities, positions and balances are then lost.

#ifndef REPLAY_COMPARE_LATER_DIVERGENCES_H_
#define REPLAY_COMPARE_LATER_DIVERGENCES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/vocabulary.h"

namespace replay {

struct LaterDivergences {
  struct Independent {
    engine::SequenceNumber sequence;
    std::string failure_class;
  };
  enum class Seed {
    kState,  // A's whole state.
    kBook,   // A's book only.
  };
  Seed seed = Seed::kState;
  std::vector<Independent> independent;
  uint64_t consequences = 0;
  // Why the search stopped early; empty if it did not.
  std::string stopped;
};

struct LaterOptions {
  size_t independent_max = 20;
  // Null: replays from the start. Outlives the call.
  SnapshotStates* states = nullptr;
  // Called with the last record applied to both, out of source.last(); may be null.
  std::function<void(engine::SequenceNumber)> progress = nullptr;
};

// Classifies the divergences after `first` in the whole log. Errors: the source's, the subjects'.
absl::StatusOr<LaterDivergences> ClassifyLater(LogSource& source, Subject& a, Subject& b,
                                               engine::SequenceNumber first,
                                               const Vocabulary& vocabulary,
                                               const LaterOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LATER_DIVERGENCES_H_
