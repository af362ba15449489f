// Runs of strategies as applications: "ticktape strategy NAME". Those that are linked into this
// program have a machine; of all others the rows can be read.

#ifndef TOOLS_CLI_BASE_STRATEGY_APPLICATION_H_
#define TOOLS_CLI_BASE_STRATEGY_APPLICATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/journal_metadata.h"
#include "replay/engines.h"
#include "tools/strategy/registry.h"

namespace tools {

// Null if that is no name of a run of a strategy. Lives until the program ends.
const replay::Application* FindStrategyApplication(absl::string_view application);

// Errors: INVALID_ARGUMENT that suggests the nearest name.
absl::StatusOr<const strategy::StrategyInfo*> StrategyNamed(const std::string& name);

// Ends `created_by` of a run whose orders rested nowhere.
inline constexpr absl::string_view kDryRun = " dry";

// The metadata of a new run of the strategy. `created_by`: the command line.
journal::JournalMetadata StrategyMetadata(absl::string_view strategy,
                                          const std::string& created_by);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_STRATEGY_APPLICATION_H_
