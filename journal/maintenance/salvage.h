// Copies the readable records of a damaged journal into new journals.
//
//   damaged     1 … 5000 │ hole │ 5801 … 9000 │ hole │ 9100 … 12000
//   saved       OUT: 1 … 5000     run-5801: 5801 …     run-9100: 9100 …
//
// A record keeps its sequence number for ever, because it is an order's identity. So a hole is
// never closed by renumbering: each run of records becomes its own journal, and the first can be
// replayed. The damaged journal is only read.

#ifndef JOURNAL_MAINTENANCE_SALVAGE_H_
#define JOURNAL_MAINTENANCE_SALVAGE_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/finding.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

// Readable records without a gap.
struct SalvageRun {
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;
  engine::Timestamp first_time;
  engine::Timestamp last_time;

  uint64_t record_count() const { return last_sequence - first_sequence + 1; }
};

// The records missing between two runs, before the first or after the last.
struct SalvageHole {
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;  // 0: unknown.
  // The records up to this one were durable, so they may have been acknowledged; 0: none.
  engine::SequenceNumber last_durable;
};

struct SalvagePlan {
  std::vector<SalvageRun> runs;    // Ascending.
  std::vector<SalvageHole> holes;  // Ascending.
  std::vector<Finding> findings;   // The faults of the damaged journal.

  uint64_t record_count() const;
};

// Reads every block of every segment. Errors: NOT_FOUND (no journal), UNIMPLEMENTED, the storage's.
absl::StatusOr<SalvagePlan> PlanSalvage(const Directory& directory);

// Writes each run into the empty directory that `destination` returns for it; the caller keeps
// ownership. The new journals are sealed and CLEAN; each gets a UUID from `uuids`, and warns of all
// holes of the plan when it is verified.
// Errors: DATA_LOSS (a block of the plan is no longer readable), those of `destination` and of all
// storages.
absl::Status Salvage(const Directory& directory, const SalvagePlan& plan,
                     absl::FunctionRef<absl::StatusOr<Directory*>(const SalvageRun&)> destination,
                     absl::FunctionRef<Uuid()> uuids);

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_SALVAGE_H_
