// The runs of a sweep: every combination of the values of some parameters.
//
//   size=50,100  half_spread=0.01..0.03/0.01     six runs

#ifndef TOOLS_CLI_BACKTEST_SWEEP_H_
#define TOOLS_CLI_BACKTEST_SWEEP_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/strategy/parameters.h"

namespace tools {

inline constexpr size_t kSweepRunsMax = 100'000;

// The last parameter changes fastest. Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<std::vector<std::vector<strategy::Parameters::Assignment>>> ParseSweep(
    std::span<const std::string> texts, const strategy::Parameters& parameters);

}  // namespace tools

#endif  // TOOLS_CLI_BACKTEST_SWEEP_H_
