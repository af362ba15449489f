// One run of `retime`, in the process that measures.

#ifndef TOOLS_CLI_RETIME_RETIME_ONE_RUN_H_
#define TOOLS_CLI_RETIME_RETIME_ONE_RUN_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/retime/retime_speed.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/os/measuring_conditions.h"

namespace tools {

struct RetimeOptions {
  std::string path;
  std::string from;  // Positions; empty: the first record, the last record.
  std::string to;
  replay::RetimeSpeed speed;
  replay::EngineKind engine = replay::EngineKind::kFast;
  MeasuringConditions conditions;
  size_t worst_count = 10;
};

// Creates a new machine at every call.
using EngineFactory = std::function<std::unique_ptr<replay::Machine>(replay::EngineKind)>;

// Errors: the journal's; INVALID_ARGUMENT for positions; INTERNAL if the timed run and an ordinary
// replay end in different states.
absl::StatusOr<RetimeReport> RunRetimeOnce(const RetimeOptions& options,
                                           const EngineFactory& make_machine);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_ONE_RUN_H_
