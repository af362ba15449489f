// Small files in one piece, errors that name a file, and the metadata of journals that verbs write.

#ifndef TOOLS_CLI_BASE_FILES_H_
#define TOOLS_CLI_BASE_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/journal_metadata.h"

namespace tools {

// Errors: NOT_FOUND with the path.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// The file appears, or is replaced, only when it is complete. Errors: ALREADY_EXISTS unless
// `replace`, the storage's.
absl::Status WriteFile(const std::string& path, absl::string_view contents, bool replace);

// Returns the error with the path before its message.
absl::Status ErrorIn(const std::string& path, const absl::Status& status);

// Of a journal of this program's commands. `created_by` is the command line.
journal::JournalMetadata ExchangeMetadata(const std::string& created_by);

// Returns `word`, quoted for a shell if necessary.
std::string ShellWord(const std::string& word);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_FILES_H_
