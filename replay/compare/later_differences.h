// After the first difference: which of the later ones follow from it, and which are others?
//
//   original    = = = ≠ = ≠ ≠ = ≠ =           every command at which the two say different things
//   re-seeded         └ = = = = ≠ =           B put into A's state after the first one
//                                 └─ independent; the others are consequences
//
// B is given A's state, whole, where both can save and load one. Else both are put a log with the
// same numbers that leads straight to A's book: each live order is entered by its own number with
// what remains of it, every other command about orders becomes advance_time; filled quantities,
// positions and balances are then lost.

#ifndef REPLAY_COMPARE_LATER_DIFFERENCES_H_
#define REPLAY_COMPARE_LATER_DIFFERENCES_H_

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

namespace replay {

struct LaterDifferences {
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
  // Why no further ones were looked for; empty where there are none.
  std::string stopped;
};

struct LaterOptions {
  size_t independent_max = 20;
  // Null: from the start. Outlives the call.
  StateSource* states = nullptr;
  // Commands put to both, of all that may have to be; may be null.
  std::function<void(engine::SequenceNumber)> progress = nullptr;
};

// Those after `first`, in the whole log. Errors: the source's, the subjects'.
absl::StatusOr<LaterDifferences> ClassifyLater(LogSource& source, Subject& a, Subject& b,
                                               engine::SequenceNumber first,
                                               const LaterOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LATER_DIFFERENCES_H_
