// Saves what can be read of a damaged journal into new ones.
//
//   damaged     1 … 5000 │ hole │ 5801 … 9000 │ hole │ 9100 … 12000
//   saved       OUT: 1 … 5000     run-5801: 5801 …     run-9100: 9100 …
//
// A record's number is its place for ever (an order's identity is one), so a hole is never closed
// by renumbering: each run of records becomes a journal of its own, the first the one that can be
// replayed. The damaged journal is only read.

#ifndef JOURNAL_SALVAGE_H_
#define JOURNAL_SALVAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/finding.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

// Records without a gap, all of which can be read.
struct SalvageRun {
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;
  engine::Timestamp first_time;
  engine::Timestamp last_time;

  uint64_t record_count() const { return last_sequence - first_sequence + 1; }
};

// What is missing between two runs, before the first or after the last.
struct SalvageHole {
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;  // 0: unknown.
  // Those up to here were durable, so someone may have been told.
  engine::SequenceNumber last_durable;
};

struct SalvagePlan {
  std::vector<SalvageRun> runs;    // Ascending.
  std::vector<SalvageHole> holes;  // Ascending.
  std::vector<Finding> findings;   // Why.

  uint64_t record_count() const;
};

// Reads every block of every segment. Errors: NOT_FOUND (no journal), UNIMPLEMENTED, the storage's.
absl::StatusOr<SalvagePlan> PlanSalvage(const Directory& directory);

// Writes each run into the directory that `destination` gives for it, which is empty and stays with
// its owner. The new journals are closed and CLEAN; `uuids` gives each its own identity.
// Errors: DATA_LOSS when a block that could be read when it was planned cannot be any more.
absl::Status Salvage(const Directory& directory, const SalvagePlan& plan,
                     absl::FunctionRef<absl::StatusOr<Directory*>(const SalvageRun&)> destination,
                     absl::FunctionRef<Uuid()> uuids);

}  // namespace journal

#endif  // JOURNAL_SALVAGE_H_
