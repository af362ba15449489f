// One run of a log, in the process that measures: what 'ticktape retime' starts for each run.

#ifndef TOOLS_CLI_RETIME_ONE_RUN_H_
#define TOOLS_CLI_RETIME_ONE_RUN_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "replay/engines.h"
#include "replay/retime/retime_plan.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/retime/count_report.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/os/measuring.h"

namespace tools {

inline constexpr size_t kRetimeWorstCount = 10;

struct RetimeOptions {
  std::string path;
  std::string from;  // Positions; empty: the first record, the last record.
  std::string to;
  replay::RetimeSpeed speed;
  replay::EngineKind engine = replay::EngineKind::kFast;
  MeasuringConditions conditions;
  size_t worst_count = kRetimeWorstCount;
};

// `make_machine` may be null: the journal's own. Errors of both: the journal's; INVALID_ARGUMENT
// for positions; INTERNAL if the run and an ordinary replay end in different states.
absl::StatusOr<RetimeReport> RunTimed(const RetimeOptions& options,
                                      const EngineFactory& make_machine);

// Its classes are those of the plan, in that order, without counts: a profiler has them. Errors:
// also RESOURCE_EXHAUSTED for too many classes.
absl::StatusOr<CountReport> RunUnderProfiler(const RetimeOptions& options,
                                             const EngineFactory& make_machine);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_ONE_RUN_H_
