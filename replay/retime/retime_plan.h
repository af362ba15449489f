// A journal made ready to be timed: everything that a timed run must not spend time on.
//
//   journal ─► commands in memory, and driven once, untimed ─► what kind of work each one was
//
// The untimed pass is an ordinary replay, so its digests say what every timed run has to arrive at.

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
#include "replay/retime/retime_class.h"
#include "replay/retime/retime_speed.h"

namespace replay {

// As many as fit memory with what is noted of each: 12 GB.
inline constexpr uint64_t kRetimeCommandsMax = 100'000'000;

struct RetimePlan {
  std::vector<journal::Row> rows;  // From the journal's first on.
  // Ascending by index into `rows`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;
  size_t timed_from = 0;  // Those before are applied, untimed.

  // Of the timed commands, by index from 0.
  std::vector<uint64_t> due_nanos;  // After the first; empty when each is due at once.
  std::vector<uint16_t> class_of;   // Index into `classes`.
  std::vector<CommandClass> classes;

  engine::Digest log;    // Of all rows.
  engine::Digest trace;  // What `machine` made of them.
  engine::Digest state;

  size_t timed_count() const { return rows.size() - timed_from; }
};

// Reads `reader` from its first record to `last`; those from `first` on will be timed.
// REQUIRES: `machine` is new. Errors: the reader's; RESOURCE_EXHAUSTED beyond kRetimeCommandsMax.
absl::StatusOr<RetimePlan> MakeRetimePlan(journal::Reader& reader, Machine& machine,
                                          engine::SequenceNumber first, engine::SequenceNumber last,
                                          const RetimeSpeed& speed,
                                          absl::FunctionRef<void(uint64_t)> progress);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_PLAN_H_
