// Renames a complete folder to its final name.

#ifndef TOOLS_OS_RENAME_FOLDER_H_
#define TOOLS_OS_RENAME_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace tools {

// Errors: ALREADY_EXISTS if anything is at `path`, including a dangling link.
absl::Status CheckNothingIsAt(const std::string& path);

// Renames without replacing; durable on return. Errors: ALREADY_EXISTS if `to` exists, others with
// the path and the reason.
absl::Status RenameFolder(const std::string& from, const std::string& to);

}  // namespace tools

#endif  // TOOLS_OS_RENAME_FOLDER_H_
