// Writes a log in memory to disk as a journal, with the digests of an engine that runs it.

#ifndef TOOLS_CLI_COMPARE_WRITE_LOG_H_
#define TOOLS_CLI_COMPARE_WRITE_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "journal/journal_metadata.h"
#include "journal/storage/storage.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace tools {

// Equal logs give equal journals: the journal's UUID is derived from the contents. If `engine` is
// null, no digests are written. Errors: ALREADY_EXISTS, the storage's.
absl::Status WriteLog(const std::string& path, const replay::Log& log,
                      const std::string& created_by, replay::Subject* engine);
// The same, into an empty folder, for a log of any application.
absl::Status WriteLog(journal::Directory& directory, const replay::Log& log,
                      const journal::JournalMetadata& metadata, replay::Subject* engine);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_WRITE_LOG_H_
