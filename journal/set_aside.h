// Keeps bytes that are cut off or replaced beside the file they stood in: segment-000003.torn.1,
// checkpoints.torn.2. What a writer or a recorded run has left is never destroyed.

#ifndef JOURNAL_SET_ASIDE_H_
#define JOURNAL_SET_ASIDE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

// Copies `begin` to `end` of one file to `to_offset` of another, or of the same.
// Errors: UNAVAILABLE (the file became shorter meanwhile), the storage's.
absl::Status CopyBytes(const File& from, uint64_t begin, uint64_t end, uint64_t to_offset,
                       File& to);

// The first unused name of this form: the file's, with ".torn.1", ".torn.2", … for its ending.
absl::StatusOr<std::string> UnusedTornName(const Directory& directory, absl::string_view file_name);

// Copies the bytes to a file of that name, durably; returns the name. After an error there is no
// such file.
absl::StatusOr<std::string> SetAside(Directory& directory, const File& file,
                                     absl::string_view file_name, uint64_t begin, uint64_t end);

}  // namespace journal

#endif  // JOURNAL_SET_ASIDE_H_
