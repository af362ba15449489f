// The file `kept.rows`: rows of deleted segments that are still needed (FORMAT.md, section 12).
//
//   segments, deleted    3 · 17 · 18 · 904 …      first kept segment    123457 …
//                        └── kept.rows ──┘
//
// The program that deletes the segments chooses the rows. They are a supplement and not part of the
// log: no digest covers them, and a journal without the file is CLEAN.

#ifndef JOURNAL_KEPT_ROWS_H_
#define JOURNAL_KEPT_ROWS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr char kKeptRowsFileName[] = "kept.rows";

// 1 GiB of rows. A file that claims more is damaged.
inline constexpr uint64_t kKeptRowsMax = uint64_t{1} << 24;

// Returns the rows in order of sequence; empty if there is no such file. Attachments are not kept.
// Checks the header against the file's length before it allocates memory for the rows.
// Errors: DATA_LOSS (damaged, or another journal's), the storage's; every message names the file.
absl::StatusOr<std::vector<Row>> ReadKeptRows(const Directory& directory, const Uuid& journal);

// Replaces the file atomically; durable when it returns. REQUIRES: `rows` ascend by sequence.
// Errors: RESOURCE_EXHAUSTED (more than kKeptRowsMax), the storage's.
absl::Status WriteKeptRows(Directory& directory, const Uuid& journal, std::span<const Row> rows);

}  // namespace journal

#endif  // JOURNAL_KEPT_ROWS_H_
