// Rows of deleted segments that someone still needs: the file `kept.rows` (FORMAT.md, section 12).
//
//   segments, deleted    3 · 17 · 18 · 904 …      first kept segment    123457 …
//                        └── kept.rows ──┘
//
// Which rows those are, the journal does not know: whoever deletes says so. They are a supplement
// and no part of the log: no digest covers them, and a journal without the file is CLEAN.

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

// A gibibyte of them: more than that is nobody's, and a file that says so is damaged.
inline constexpr uint64_t kKeptRowsMax = uint64_t{1} << 24;

// In order of sequence; none where there is no such file. Attachments are not kept. Takes no more
// memory than the file's rows need, whatever it says and however long it is.
// Errors: DATA_LOSS (damaged, or another journal's), the storage's; all with the file's name.
absl::StatusOr<std::vector<Row>> ReadKeptRows(const Directory& directory, const Uuid& journal);

// Durable, and whole or as before, when it returns; replaces what was kept.
// REQUIRES: `rows` in order of sequence.
// Errors: RESOURCE_EXHAUSTED (more than kKeptRowsMax), the storage's.
absl::Status WriteKeptRows(Directory& directory, const Uuid& journal, std::span<const Row> rows);

}  // namespace journal

#endif  // JOURNAL_KEPT_ROWS_H_
