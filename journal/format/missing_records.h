// The file `missing`: records that a salvaged journal should have and has not. FORMAT.md, section
// 12.
//
//   damaged     1 … 5000 │ hole │ 5801 … 9000 │ hole │ 9100 … 12000
//   `missing`   5001..5800 9001..9099, in each journal that is made of it
//
// It is for people and for reports: no record, digest or verdict depends on it.

#ifndef JOURNAL_FORMAT_MISSING_RECORDS_H_
#define JOURNAL_FORMAT_MISSING_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr char kMissingFileName[] = "missing";

// The file lists this many; the rest is only counted.
inline constexpr size_t kMissingRangesMax = 64;

// A regular value type. Both ends are included.
struct MissingRange {
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;

  friend bool operator==(const MissingRange&, const MissingRange&) = default;
};

// A regular value type.
struct MissingRecords {
  Uuid journal_uuid;                      // Of the journal that the file is in.
  uint64_t range_count = 0;               // At least that of `ranges`.
  std::vector<MissingRange> ranges = {};  // Ascending; at most kMissingRangesMax are kept.

  friend bool operator==(const MissingRecords&, const MissingRecords&) = default;
};

// Errors: NOT_FOUND (no such file), DATA_LOSS (damaged), the storage's.
absl::StatusOr<MissingRecords> ReadMissing(const Directory& directory);

// Replaces the file; durable when it returns. Errors: as WriteControlFile().
absl::Status WriteMissing(Directory& directory, const MissingRecords& missing);

}  // namespace journal

#endif  // JOURNAL_FORMAT_MISSING_RECORDS_H_
