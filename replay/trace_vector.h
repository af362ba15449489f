// The digests of a run, checkpoint by checkpoint: what two runs are compared by without a replay.
//
//   run 1   T_1  T_2  T_3  T_4  T_5        a trace digest that differs once differs ever after,
//   run 2   T_1  T_2  T_3' T_4' T_5'       so the first one that does is found by halving

#ifndef REPLAY_TRACE_VECTOR_H_
#define REPLAY_TRACE_VECTOR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace replay {

// Two runs agree up to `equal` and no longer at `differs`. A regular value type.
struct DifferingRun {
  engine::SequenceNumber equal;
  engine::SequenceNumber differs;

  friend bool operator==(const DifferingRun&, const DifferingRun&) = default;
};

struct TraceComparison {
  uint64_t common = 0;  // Checkpoints that both have, with a trace digest.
  uint64_t looked_at = 0;
  engine::SequenceNumber last;  // Of the common ones.
  std::optional<DifferingRun> differing;
  // One taken with states, the other without: their digests say nothing about each other.
  bool comparable = true;
};

// By halving. Both ascend.
TraceComparison CompareTraces(std::span<const journal::Checkpoint> a,
                              std::span<const journal::Checkpoint> b);

// Puts the log to `subject`, which is reset first, and shows each checkpoint, the last record's
// included; `seen` may say false to stop. `states` is offered each state on the way, and may be
// null. Errors: the source's, the subject's.
absl::Status TakeTrace(LogSource& source, Subject& subject, engine::SequenceNumber last,
                       const std::function<bool(const journal::Checkpoint&)>& seen,
                       StateSource* states = nullptr);

}  // namespace replay

#endif  // REPLAY_TRACE_VECTOR_H_
