// A replay that is held against what was recorded: log, trace and state digest at every checkpoint.

#ifndef REPLAY_CHECKED_REPLAY_H_
#define REPLAY_CHECKED_REPLAY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/checkpoint_check.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"

namespace replay {

struct CheckedReplay {
  journal::Checkpoint last;  // After the last record that was applied, all digests.
  uint64_t record_count = 0;
  uint64_t event_count = 0;
  uint64_t checkpoints_compared = 0;
  DigestCounts digests_compared;
  std::optional<Divergence> divergence;
};

// Replays `reader` from its first record up to and including `last`, and shows every record with
// its events to `seen`. Errors: the reader's; FAILED_PRECONDITION when the journal begins later.
absl::StatusOr<CheckedReplay> ReplayChecked(
    journal::Reader& reader, Machine& machine, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last,
    absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)> seen);

// The same from where `start` says on; counts are of what came after. REQUIRES: `last` does not
// come before it.
absl::StatusOr<CheckedReplay> ReplayCheckedFrom(
    StartingPoint& start, journal::Reader& reader, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last,
    absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)> seen);

// As Reader::NextBatch.
using NextBatch = absl::FunctionRef<absl::StatusOr<journal::Batch>()>;

// The same of batches that come from elsewhere, as from a thread that reads ahead; the first begins
// right behind `start`. More may be asked for than is applied of the last.
absl::StatusOr<CheckedReplay> ReplayCheckedBatches(
    StartingPoint& start, NextBatch next, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last,
    absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)> seen);

// The same where nobody looks at single records, which is faster; `passed` is told which was the
// last, batch after batch.
absl::StatusOr<CheckedReplay> ReplayCheckedBatchesUnseen(
    StartingPoint& start, NextBatch next, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last, absl::FunctionRef<void(engine::SequenceNumber)> passed);

}  // namespace replay

#endif  // REPLAY_CHECKED_REPLAY_H_
