// Files that hold secrets.

#ifndef TOOLS_OS_PRIVATE_FILE_H_
#define TOOLS_OS_PRIVATE_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Reads a file that only its user may read and write. Errors, all with the path: NOT_FOUND and
// others of the system; PERMISSION_DENIED if others may read or write it; FAILED_PRECONDITION if it
// is no regular file; INVALID_ARGUMENT if it is larger than `bytes_max`.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path, size_t bytes_max);

// Creates the file, for its user alone. Errors: ALREADY_EXISTS if anything is at `path`; others of
// the system, with the path.
absl::Status WritePrivateFile(const std::string& path, absl::string_view contents);

}  // namespace tools

#endif  // TOOLS_OS_PRIVATE_FILE_H_
