// A journal that a verb was given by its path.

#ifndef TOOLS_CLI_BASE_OPEN_JOURNAL_H_
#define TOOLS_CLI_BASE_OPEN_JOURNAL_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"

namespace tools {

struct OpenedJournal {
  std::unique_ptr<journal::Directory> directory;  // Outlives the reader.
  std::unique_ptr<journal::Reader> reader;
};

// Read-only. Errors: with the path in the message.
absl::StatusOr<OpenedJournal> OpenJournal(const std::string& path);

// Where a journal's first segments are gone and were not pruned, what is read begins late without
// an error: says so. To be called before anything is shown of it.
void WarnOfMissingBeginning(const journal::JournalInfo& info, Console& console);

// Whether an engine can be driven from the journal's first record.
// Errors: UNIMPLEMENTED when what came before it has been deleted.
absl::Status CheckBeginsWithFirst(const journal::JournalInfo& info);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_OPEN_JOURNAL_H_
