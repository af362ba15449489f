// The results of `retime --count`: what the commands of a log take in instructions, compared with
// what they took before, and printed.

#ifndef TOOLS_CLI_RETIME_COUNT_REPORT_H_
#define TOOLS_CLI_RETIME_COUNT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/retime/retime_statistics.h"
#include "tools/cli/base/report.h"
#include "tools/cli/retime/callgrind.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

struct ClassCounts {
  std::string kind = "";     // "new_order"
  std::string outcome = "";  // "one fill"
  uint64_t commands = 0;
  WorkCounts counts = {};  // Of all these commands.

  std::string name() const { return kind + " " + outcome; }
};

// Of one run: another one of the same build has the same instructions.
struct CountReport {
  NamedValues work = {};         // The commands: only equal work is compared.
  NamedValues environment = {};  // Compiler and engine.
  std::vector<ClassCounts> classes = {};

  uint64_t commands() const;
  WorkCounts total() const;
};

// One line of JSON, which a baseline is, too.
std::string ToJson(const CountReport& report);
// `name`: of the file, for errors. Errors: INVALID_ARGUMENT with the line; UNIMPLEMENTED for
// another version.
absl::StatusOr<CountReport> ParseCountReport(std::string text, absl::string_view name);

struct CountJudgement {
  std::string name = "";  // Of a class, or "all".
  replay::PerformanceVerdict verdict = replay::PerformanceVerdict::kSame;
  uint64_t before = 0;  // Instructions.
  uint64_t after = 0;

  double ratio() const { return static_cast<double>(after) / static_cast<double>(before); }
};

struct CountComparison {
  replay::PerformanceVerdict verdict = replay::PerformanceVerdict::kSame;  // As Overall() has it.
  std::vector<CountJudgement> judgements = {};  // Of each class with enough commands, then of all.
  std::vector<std::string> skipped = {};        // Classes with fewer than kJudgedCountMin commands.
};

// A difference of instructions above `threshold`, a fraction, is better or worse. Errors:
// UNIMPLEMENTED, with a list of the differences: in the work, in what came of it, or, unless
// `force`, in the environment.
absl::StatusOr<CountComparison> Compare(const CountReport& before, const CountReport& after,
                                        double threshold, bool force);

void AddCounts(Report& report, const std::string& path, const CountReport& counts);
void AddComparison(Report& report, const CountComparison& comparison, double threshold);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_COUNT_REPORT_H_
