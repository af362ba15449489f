// The digests of a journal in a report.

#ifndef TOOLS_CLI_BASE_DIGEST_ROWS_H_
#define TOOLS_CLI_BASE_DIGEST_ROWS_H_

#include "journal/digest_sidecar.h"
#include "tools/cli/base/report.h"

namespace tools {

// Adds those that the checkpoint has.
inline void AddDigests(Report& report, const journal::Checkpoint& last) {
  report.Fact("log digest", "log_digest", last.log);
  report.Fact("trace digest", "trace_digest", last.trace);
  report.Fact("state digest", "state_digest", last.state);
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_DIGEST_ROWS_H_
