// Writes a busy session (replay/testing/busy_session.h) as a journal, with the digests of the
// exchange: something to try diff, bisect and minimize on.
//
//   make_busy_session PATH LENGTH [LATE_FROM [SEED]]

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/testing/write_log.h"

int main(int argument_count, char** arguments) {
  replay::BusySessionOptions options;
  bool understood = argument_count >= 3 && absl::SimpleAtoi(arguments[2], &options.length);
  if (argument_count > 3) understood &= absl::SimpleAtoi(arguments[3], &options.late_from);
  if (argument_count > 4) understood &= absl::SimpleAtoi(arguments[4], &options.seed);
  if (!understood || options.length < 100) {
    std::fprintf(stderr, "usage: make_busy_session PATH LENGTH(>=100) [LATE_FROM [SEED]]\n");
    return 2;
  }
  const auto engine = tools::OpenSubject("fast");
  const absl::Status written = tools::WriteLog(arguments[1], replay::BusySession(options),
                                               "make_busy_session", engine->get());
  if (!written.ok()) std::fprintf(stderr, "%s\n", std::string(written.message()).c_str());
  return written.ok() ? 0 : 1;
}
