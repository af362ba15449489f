// Operations on whole files: reserve, copy, keep a copy, replace.
//
// Bytes of a writer or a recording are never destroyed: those that are cut off or replaced are kept
// beside the original, in segment-000003.torn.1, checkpoints.torn.2, …

#ifndef JOURNAL_STORAGE_FILE_OPERATIONS_H_
#define JOURNAL_STORAGE_FILE_OPERATIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

// Writes zeros over the bytes `begin` to `end` of `file`, at most 1 MiB per system call, without a
// sync. Allocates nothing. May run on several threads with different files.
// Errors: the storage's; some of the zeros may then be written.
absl::Status WriteZeros(File& file, uint64_t begin, uint64_t end);

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

// Replaces the file `name`, atomically and durably: `write` fills a new file `temporary`, which is
// synced and renamed to `name`. Returns the open file. Removes a `temporary` that an interrupted
// call left, and its own if it fails before the rename; the file `name` is then unchanged.
absl::StatusOr<std::unique_ptr<File>> ReplaceFile(Directory& directory, absl::string_view temporary,
                                                  absl::string_view name,
                                                  absl::FunctionRef<absl::Status(File&)> write);

}  // namespace journal

#endif  // JOURNAL_STORAGE_FILE_OPERATIONS_H_
