// Reports of checks of golden fixtures, for people and as JSON.

#ifndef TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_
#define TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/cli/base/console.h"
#include "tools/cli/golden/expectation.h"
#include "tools/cli/golden/golden_run.h"

namespace tools {

// One expectation and the run that was compared with it.
struct GoldenResult {
  std::string path;  // Of the expectation.
  std::string journal;
  std::string engine;    // As named by the user.
  absl::Status status;   // Not OK: there is no run.
  Expectation expected;  // From the file, if it could be read.
  GoldenRun run;
  std::vector<std::string> differences;
  double seconds = 0;

  bool as_expected() const { return status.ok() && differences.empty(); }
};

// `update` is the command line that accepts the new results; empty: none is shown.
void PrintGolden(Console& console, const GoldenResult& result, const std::string& update);

// Prints one object per line, schema "ticktape.golden/1". `action` is "check", "add" or "update".
void PrintGoldenJson(Console& console, const GoldenResult& result, const std::string& action);

// Prints only where the run differs from the expectation.
void PrintDifferences(Console& console, const GoldenResult& result);

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_
