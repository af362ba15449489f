// What a check of golden fixtures looks like, for people and for machines.

#ifndef TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_
#define TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/cli/base/console.h"
#include "tools/cli/golden/expectation.h"
#include "tools/cli/golden/golden_run.h"

namespace tools {

// One expectation that was held against its journal.
struct GoldenResult {
  std::string path;  // Of the expectation.
  std::string journal;
  std::string engine;    // As it was named.
  absl::Status status;   // Not OK: there is no run.
  Expectation expected;  // As the file says, if it could be read.
  GoldenRun run;
  std::vector<std::string> differences;
  double seconds = 0;

  bool as_expected() const { return status.ok() && differences.empty(); }
};

// `update` is the command line that would accept what the engine says now; empty: none is named.
void PrintGolden(Console& console, const GoldenResult& result, const std::string& update);

// One object a line, schema "ticktape.golden/1". `action` is "check", "add" or "update".
void PrintGoldenJson(Console& console, const GoldenResult& result, const std::string& action);

// Where the run parted, without what comes before and after it.
void PrintDifferences(Console& console, const GoldenResult& result);

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_GOLDEN_REPORT_H_
