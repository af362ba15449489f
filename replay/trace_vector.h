// The digests of a run at each checkpoint, which compare two runs without a replay.
//
//   run 1   T_1  T_2  T_3  T_4  T_5        a trace digest that differs once differs from then on,
//   run 2   T_1  T_2  T_3' T_4' T_5'       so a binary search finds the first that differs

#ifndef REPLAY_TRACE_VECTOR_H_
#define REPLAY_TRACE_VECTOR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Two runs are equal up to `equal` and differ at `differs`. A regular value type.
struct DivergingRun {
  engine::SequenceNumber equal;
  engine::SequenceNumber differs;

  friend bool operator==(const DivergingRun&, const DivergingRun&) = default;
};

struct TraceComparison {
  uint64_t common = 0;  // Checkpoints with a trace digest that both have.
  uint64_t looked_at = 0;
  engine::SequenceNumber last;  // The last common checkpoint.
  std::optional<DivergingRun> differing;
  // False if one run was taken with states and the other without: their digests are not comparable.
  bool comparable = true;
};

// Compares by binary search. REQUIRES: both are in ascending order.
TraceComparison CompareTraces(std::span<const journal::Checkpoint> a,
                              std::span<const journal::Checkpoint> b);

// Resets `subject`, applies the log up to and including `last`, and calls `seen` with each
// checkpoint, including one at the last record; stops if `seen` returns false. Offers each state to
// `states`, which may be null. Errors: the source's, the subject's.
absl::Status TakeTrace(LogSource& source, Subject& subject, engine::SequenceNumber last,
                       const std::function<bool(const journal::Checkpoint&)>& seen,
                       SnapshotStates* states = nullptr);

}  // namespace replay

#endif  // REPLAY_TRACE_VECTOR_H_
