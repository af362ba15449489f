// Keeps bytes that are cut off or replaced, in a file beside the original: segment-000003.torn.1,
// checkpoints.torn.2. Bytes that a writer or a recording left are never destroyed.

#ifndef JOURNAL_SET_ASIDE_H_
#define JOURNAL_SET_ASIDE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

// Copies the bytes `begin` to `end` of `from` to offset `to_offset` of `to`, which may be the same
// file if the ranges do not overlap. Errors: UNAVAILABLE (`from` became shorter), the storage's.
absl::Status CopyBytes(const File& from, uint64_t begin, uint64_t end, uint64_t to_offset,
                       File& to);

// Returns the first unused name with the file's extension replaced by ".torn.1", ".torn.2", …
absl::StatusOr<std::string> UnusedTornName(const Directory& directory, absl::string_view file_name);

// Copies the bytes `begin` to `end` to a file of such a name, durably, and returns the name. If the
// copy fails, removes that file.
absl::StatusOr<std::string> SetAside(Directory& directory, const File& file,
                                     absl::string_view file_name, uint64_t begin, uint64_t end);

}  // namespace journal

#endif  // JOURNAL_SET_ASIDE_H_
