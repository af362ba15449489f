// Rewrites the sealed part of a journal into another directory, as small as possible.
//
//   A: segment 0 │ 1 │ 2 │ 3, being written        B: segment 0 │ 1
//      └─ sealed: records 1 … n ─┘      ─► Repack ─►   records 1 … n, the same log digest
//
// The result is the same journal: UUID, records, metadata, times and checkpoints are those of the
// original, which is only read. Before Repack() succeeds it reads the result back and compares its
// log digest with the digest of the records that were copied.

#ifndef JOURNAL_MAINTENANCE_REPACK_H_
#define JOURNAL_MAINTENANCE_REPACK_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"

namespace journal {

struct RepackReport {
  uint64_t record_count = 0;
  engine::SequenceNumber last_sequence;  // The last record of the sealed segments.
  uint64_t bytes_before = 0;             // Of the sealed segments.
  uint64_t bytes_after = 0;
  uint64_t segments_left_out = 0;  // Segments that are not sealed.
  engine::Digest log_digest;
};

// `progress` receives the number of records written, and their total. `to` is empty; after an error
// its content must not be used.
// Errors: DATA_LOSS (the original is damaged, or the result read back differs),
// FAILED_PRECONDITION (no segment is sealed), UNIMPLEMENTED (the journal does not begin with record
// 1), those of both storages.
absl::StatusOr<RepackReport> Repack(const Directory& from, Directory& to,
                                    const BulkOptions& options,
                                    const WorkProgress& progress = nullptr);

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_REPACK_H_
