// Writes a log in memory as a journal of the exchange, with the digests of an engine that runs it.

#ifndef TOOLS_CLI_TESTING_WRITE_LOG_H_
#define TOOLS_CLI_TESTING_WRITE_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"
#include "replay/compare/subject.h"
#include "replay/compare/write_log.h"
#include "replay/log_source.h"
#include "tools/cli/base/files.h"

namespace tools {

// As replay::WriteLog(), into a new folder. Errors: ALREADY_EXISTS, too.
inline absl::Status WriteLog(const std::string& path, const replay::Log& log,
                             const std::string& created_by, replay::Subject* engine) {
  ASSIGN_OR_RETURN(const auto directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  return replay::WriteLog(*directory, log, ExchangeMetadata(created_by), engine);
}

}  // namespace tools

#endif  // TOOLS_CLI_TESTING_WRITE_LOG_H_
