// Compacts the sealed segments of an existing journal, each where that saves at least half.
//
//   segment 0, full blocks │ 1, lone commands │ 2, lone commands │ 3, being written
//           unchanged        └── Compactor ────────┘              unchanged

#ifndef JOURNAL_MAINTENANCE_ARCHIVE_H_
#define JOURNAL_MAINTENANCE_ARCHIVE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"
#include "journal/write/compactor.h"

namespace journal {

struct ArchivedSegment {
  std::string file_name;
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;
  uint64_t bytes_before = 0;
  uint64_t bytes_after = 0;
};

struct ArchiveReport {
  uint64_t segment_count = 0;  // All segments.
  uint64_t record_count = 0;   // In sealed segments only, as are the bytes.
  uint64_t bytes_before = 0;
  uint64_t bytes_after = 0;
  std::vector<ArchivedSegment> compacted;
};

// Compresses harder than a live writer does, because no command waits for it.
inline constexpr CompactionOptions kArchiveOptions = {.zstd_level = 9, .block_records = 16384};

// A writer and readers may run at the same time. `progress` receives bytes of sealed segments. A
// crash or an error leaves each segment either unchanged or compacted.
// Errors: DATA_LOSS (the journal is DAMAGED: nothing is changed; or a block of a sealed segment is
// damaged: that segment is unchanged), UNAVAILABLE (locked for maintenance), the storage's.
absl::StatusOr<ArchiveReport> Archive(Directory& directory,
                                      const CompactionOptions& options = kArchiveOptions,
                                      const WorkProgress& progress = nullptr);

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_ARCHIVE_H_
