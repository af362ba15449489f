// A folder that appears under its name only when it is whole.

#ifndef TOOLS_OS_RENAME_FOLDER_H_
#define TOOLS_OS_RENAME_FOLDER_H_

#include <string>

#include "absl/status/status.h"

namespace tools {

// Errors: ALREADY_EXISTS.
absl::Status CheckNothingIsAt(const std::string& path);

// Durable when it returns. Errors: ALREADY_EXISTS where `to` is there, others with the path and the
// reason.
absl::Status RenameFolder(const std::string& from, const std::string& to);

}  // namespace tools

#endif  // TOOLS_OS_RENAME_FOLDER_H_
