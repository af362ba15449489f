// After the first difference: which of the later ones follow from it, and which are others?
//
//   original    = = = ≠ = ≠ ≠ = ≠ =           every command at which the two say different things
//   re-seeded         └ = = = = ≠ =           both led straight to A's book after the first one
//                                 └─ independent; the others are consequences
//
// Re-seeding puts a log to both that has the same numbers: each live order of A's is entered by its
// own number with what remains of it, every other command about orders becomes advance_time. Filled
// quantities, positions and balances are not carried over.

#ifndef REPLAY_LATER_DIFFERENCES_H_
#define REPLAY_LATER_DIFFERENCES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "replay/log_source.h"
#include "replay/subject.h"

namespace replay {

struct LaterDifferences {
  struct Independent {
    engine::SequenceNumber sequence;
    std::string failure_class;
  };
  std::vector<Independent> independent;
  uint64_t consequences = 0;
  // Why no further ones were looked for; empty where there are none.
  std::string stopped;
};

// Those after `first`, in the whole log; at most `independent_max` of the independent ones.
// Errors: the source's, the subjects'.
absl::StatusOr<LaterDifferences> ClassifyLater(LogSource& source, Subject& a, Subject& b,
                                               engine::SequenceNumber first,
                                               size_t independent_max);

}  // namespace replay

#endif  // REPLAY_LATER_DIFFERENCES_H_
