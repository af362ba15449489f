// A journal that a verb was given by its path.

#ifndef TOOLS_CLI_OPEN_JOURNAL_H_
#define TOOLS_CLI_OPEN_JOURNAL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"

namespace tools {

struct OpenedJournal {
  std::unique_ptr<journal::Directory> directory;  // Outlives the reader.
  std::unique_ptr<journal::Reader> reader;
};

// Read-only. Errors: with the path in the message.
absl::StatusOr<OpenedJournal> OpenJournal(const std::string& path);

}  // namespace tools

#endif  // TOOLS_CLI_OPEN_JOURNAL_H_
