// Compacts a journal that exists: every sealed segment of which that saves at least half.
//
//   segment 0, full blocks │ 1, lone commands │ 2, lone commands │ 3, being written
//              stays         └── Compactor ────────┘                stays

#ifndef JOURNAL_ARCHIVE_H_
#define JOURNAL_ARCHIVE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/compactor.h"
#include "journal/storage/storage.h"

namespace journal {

struct ArchivedSegment {
  std::string file_name;
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;
  uint64_t bytes_before = 0;
  uint64_t bytes_after = 0;  // The same: nothing was changed.
};

struct ArchiveReport {
  uint64_t segment_count = 0;  // Of the whole journal.
  uint64_t record_count = 0;   // Of its sealed segments, as the bytes.
  uint64_t bytes_before = 0;
  uint64_t bytes_after = 0;
  std::vector<ArchivedSegment> compacted;
};

// Stronger than in passing, as nobody waits.
inline constexpr CompactionOptions kArchiveOptions = {.zstd_level = 9, .block_records = 16384};

// A writer may be at work meanwhile, and so may readers. `progress` is told of bytes of sealed
// segments. A crash or an error leaves every segment as it was or compacted.
// Errors: DATA_LOSS (the journal is DAMAGED: nothing is changed; or a segment is damaged inside: it
// stays as it is), UNAVAILABLE (someone else maintains it), the storage's.
absl::StatusOr<ArchiveReport> Archive(
    Directory& directory, const CompactionOptions& options = kArchiveOptions,
    const std::function<void(uint64_t done, uint64_t total)>& progress = nullptr);

}  // namespace journal

#endif  // JOURNAL_ARCHIVE_H_
