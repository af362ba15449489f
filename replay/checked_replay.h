// A replay that is checked against its recording: log, trace and state digests at every checkpoint.
// A snapshot is checked by one that begins from it.

#ifndef REPLAY_CHECKED_REPLAY_H_
#define REPLAY_CHECKED_REPLAY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "replay/checkpoint_check.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/state_source.h"

namespace replay {

struct CheckedReplay {
  journal::Checkpoint last;  // Digests after the last record that was applied.
  std::vector<journal::Checkpoint> checkpoints = {};  // After every 4096th record, and the last.
  uint64_t record_count = 0;
  uint64_t output_count = 0;
  uint64_t checkpoints_compared = 0;
  DigestCounts digests_compared;
  std::optional<CheckpointDivergence> divergence;
};

// Replays `reader` from the record after `start` up to and including `last`; calls `seen` with
// every record and its outputs. The counts cover only the records after `start`. A divergence is
// reported in the result, not as an error. REQUIRES: `last` is not before start.last_applied().
// Errors: the reader's.
absl::StatusOr<CheckedReplay> ReplayCheckedFrom(
    StartingPoint& start, journal::Reader& reader, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last,
    absl::FunctionRef<void(const journal::Record&, std::span<const Output>)> seen);

// Supplies batches, as Reader::NextBatch does.
using NextBatch = absl::FunctionRef<absl::StatusOr<journal::Batch>()>;

// The same for batches from another source, such as a thread that reads ahead. The first batch
// begins at the record after `start`. The last batch may hold records beyond `last`; these are not
// applied. `part` receives each record and its outputs in parts (Driver::ApplyInParts).
absl::StatusOr<CheckedReplay> ReplayCheckedBatchesInParts(StartingPoint& start, NextBatch next,
                                                          std::vector<journal::Checkpoint> recorded,
                                                          engine::SequenceNumber last,
                                                          Driver::Part part);

// The same without a callback per record, which is faster. Calls `passed` after each batch with the
// last record applied.
absl::StatusOr<CheckedReplay> ReplayCheckedBatchesUnseen(
    StartingPoint& start, NextBatch next, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last, absl::FunctionRef<void(engine::SequenceNumber)> passed);

// What is wrong with a snapshot, and what it was compared with.
struct SnapshotVerdict {
  std::string wrong = {};         // Empty: no error.
  bool is_of_journal = false;     // Its log digest equals the journal's.
  bool has_recorded_run = false;  // Its trace or state digest equals the recorded run's.
};

// Restores the snapshot into `fresh`, compares its digests with those of the journal and with the
// checkpoints that `recorded` returns, and replays one more run of 4096 records from it, whose
// digests show whether the state continues equally. Compares nothing if the journal begins after
// the snapshot. Returns nullopt if the snapshot was removed since it was listed. Errors: those of
// `digests`, which is of the same journal, and of the reader.
absl::StatusOr<std::optional<SnapshotVerdict>> VerifySnapshot(
    const journal::Directory& snapshots, const Snapshot& snapshot, std::unique_ptr<Machine> fresh,
    journal::Reader& reader, journal::PrefixDigests& digests,
    absl::FunctionRef<std::vector<journal::Checkpoint>()> recorded);

}  // namespace replay

#endif  // REPLAY_CHECKED_REPLAY_H_
