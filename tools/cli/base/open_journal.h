// Opens a journal that the command line names by its path.

#ifndef TOOLS_CLI_BASE_OPEN_JOURNAL_H_
#define TOOLS_CLI_BASE_OPEN_JOURNAL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"

namespace tools {

struct OpenedJournal {
  std::unique_ptr<journal::Directory> directory;  // Outlives the reader.
  std::unique_ptr<journal::Reader> reader;
};

// Opens read-only. Errors: with the path in the message.
absl::StatusOr<OpenedJournal> OpenJournal(const std::string& path);

// Warns if the journal's first segments are missing without having been pruned: reading such a
// journal starts late without an error. Call it before printing any of its contents.
void WarnOfMissingBeginning(const journal::JournalInfo& info, Console& console);

// OK if the journal begins with record 1, so that an engine can be driven from it. Errors:
// UNIMPLEMENTED if earlier records were deleted.
absl::Status CheckBeginsWithFirst(const journal::JournalInfo& info);

// Returns the rows that a deletion of segments has left (journal/kept_rows.h). If they cannot be
// read, prints a warning and returns none.
std::vector<journal::Row> KeptRows(const journal::Directory& directory,
                                   const journal::JournalInfo& info, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_OPEN_JOURNAL_H_
