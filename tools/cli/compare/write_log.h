// A log in memory as a journal on disk, with the digests of what an engine does with it.

#ifndef TOOLS_CLI_COMPARE_WRITE_LOG_H_
#define TOOLS_CLI_COMPARE_WRITE_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "journal/storage/storage.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"

namespace tools {

// The same log is the same journal: what makes it unique is made from its contents.
// `engine` may be null: no digests then. Errors: ALREADY_EXISTS, the storage's.
absl::Status WriteLog(const std::string& path, const replay::Log& log,
                      const std::string& created_by, replay::Subject* engine);
// Into an empty folder.
absl::Status WriteLog(journal::Directory& directory, const replay::Log& log,
                      const std::string& created_by, replay::Subject* engine);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_WRITE_LOG_H_
