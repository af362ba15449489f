// A journal prepared for timing: everything that a timed run must not spend time on.
//
//   journal ─► commands in memory, and applied once, untimed ─► the class of each command
//
// The untimed pass is an ordinary replay, so every timed run must end with its digests.

#ifndef REPLAY_RETIME_RETIME_PLAN_H_
#define REPLAY_RETIME_RETIME_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "replay/retime/retime_speed.h"
#include "replay/vocabulary.h"

namespace replay {

// The limit of commands, which are held in memory: with their classes and times, 12 GB.
inline constexpr uint64_t kRetimeCommandsMax = 100'000'000;

struct RetimePlan {
  std::vector<journal::Row> rows;  // From the journal's first record on.
  // Ascending by index into `rows`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;
  size_t timed_from = 0;  // Earlier rows are applied untimed.

  // For the timed commands, by index from 0.
  std::vector<uint64_t> due_nanos;  // After the first; empty in closed loop.
  std::vector<uint16_t> class_of;   // Index into `classes`.
  std::vector<RecordClass> classes;

  engine::Digest log;    // Of all rows.
  engine::Digest trace;  // Of the outputs of `machine`.
  engine::Digest state;

  size_t timed_count() const { return rows.size() - timed_from; }
};

// Reads `reader` from its first record to `last`; the records from `first` on will be timed, and
// are classified by `vocabulary`. REQUIRES: `machine` is new. Errors: the reader's;
// RESOURCE_EXHAUSTED beyond kRetimeCommandsMax.
absl::StatusOr<RetimePlan> MakeRetimePlan(journal::Reader& reader, Machine& machine,
                                          const Vocabulary& vocabulary,
                                          engine::SequenceNumber first, engine::SequenceNumber last,
                                          const RetimeSpeed& speed,
                                          absl::FunctionRef<void(uint64_t)> progress);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_PLAN_H_
