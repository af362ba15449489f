// A script of faults: what 'serve --scenario FILE' injects, and when.
//
//   # seconds since the start, or @ and commands of the journal; a fault; its parameters
//   2.5     rate_limit_burst  count=20
//   @1000   inject_seq_gap    count=1 mode=reorder
//   10      pause_exchange
//
// Steps are taken in the order of the file: each waits for its moment and for those before it.

#ifndef TOOLS_CLI_SERVE_SCENARIO_H_
#define TOOLS_CLI_SERVE_SCENARIO_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

struct ScenarioStep {
  int64_t after_nanos = 0;      // Since the start, or
  uint64_t after_commands = 0;  // of the journal.
  std::string fault = {};       // A name of KalshiFaultList().
  std::string parameters = {};  // As KalshiGateway::Inject takes them.

  friend bool operator==(const ScenarioStep&, const ScenarioStep&) = default;
};

inline constexpr size_t kScenarioBytesMax = size_t{1} << 20;

// Any bytes are safe. `name`: of the file, for errors. Errors: INVALID_ARGUMENT with file and line,
// what was found and what was expected.
absl::StatusOr<std::vector<ScenarioStep>> ParseScenario(absl::string_view text,
                                                        absl::string_view name);

// Not thread-safe: owned by the loop.
class Scenario {
 public:
  explicit Scenario(std::vector<ScenarioStep> steps) : steps_(std::move(steps)) {}

  // The next step if its moment has come, which is then taken; null if not, or at the end.
  const ScenarioStep* Take(int64_t nanos, uint64_t commands) {
    if (next_ == steps_.size()) return nullptr;
    const ScenarioStep& step = steps_[next_];
    if (nanos < step.after_nanos || commands < step.after_commands) return nullptr;
    ++next_;
    return &step;
  }
  // How long a loop may wait after `nanos`, if nothing else happens.
  int64_t NanosUntilNext(int64_t nanos, int64_t most) const {
    if (next_ == steps_.size() || steps_[next_].after_nanos == 0) return most;
    return std::clamp<int64_t>(steps_[next_].after_nanos - nanos, 0, most);
  }

 private:
  std::vector<ScenarioStep> steps_;
  size_t next_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_SCENARIO_H_
