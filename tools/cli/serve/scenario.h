// A script of faults: what 'serve --scenario FILE' injects, and when.
//
//   # a moment          a fault           its parameters
//   2.5                 rate_limit_burst  count=20
//   @1000               inject_seq_gap    count=1 mode=reorder
//   connections=3       pause_exchange
//   +1.5                resume_exchange
//
// Steps are taken in the order of the file: each waits for its moment and for those before it.
// With a line 'seed 7' before them, a moment may be a range, such as 2..5, trades=10..20 or +1..3:
// one of it is drawn when the file is read, as are the seeds of faults that take one.

#ifndef TOOLS_CLI_SERVE_SCENARIO_H_
#define TOOLS_CLI_SERVE_SCENARIO_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/serve/venue_server.h"

namespace tools {

// What a step waits for.
enum class ScenarioUnit : uint8_t {
  kSeconds,      // Since the start.
  kAfterStep,    // Seconds after the step before it was taken; of the first, since the start.
  kCommands,     // Of the journal.
  kTrades,       // Since the start, as are the next two.
  kOrders,       // Accepted ones.
  kConnections,  // To the port of Kalshi's API.
};

// A regular value type.
struct ScenarioMoment {
  ScenarioUnit unit = ScenarioUnit::kSeconds;
  int64_t value = 0;  // Nanoseconds, or a count.

  friend bool operator==(const ScenarioMoment&, const ScenarioMoment&) = default;
};

// A regular value type.
struct ScenarioStep {
  ScenarioMoment moment = {};
  std::string fault = {};       // A name of KalshiFaultList().
  std::string parameters = {};  // As KalshiGateway::Inject takes them, which accepts them.

  friend bool operator==(const ScenarioStep&, const ScenarioStep&) = default;
};

// As a script has them.
std::string FormatMoment(const ScenarioMoment& moment);
std::string FormatStep(const ScenarioStep& step);

inline constexpr size_t kScenarioBytesMax = size_t{1} << 20;

// Any bytes are safe. `name`: of the file, for errors. Errors: INVALID_ARGUMENT with file and line,
// what was found and what was expected.
absl::StatusOr<std::vector<ScenarioStep>> ParseScenario(absl::string_view text,
                                                        absl::string_view name);

// A script with every fault, and how scripts are written.
std::string ExampleScenario();

// Not thread-safe: owned by the loop.
class Scenario {
 public:
  explicit Scenario(std::vector<ScenarioStep> steps) : steps_(std::move(steps)) {}

  // The next step if its moment has come, which is then taken; null if not, or at the end. `nanos`:
  // since the start.
  const ScenarioStep* Take(int64_t nanos, const VenueCounts& counts);
  // How long a loop may wait after `nanos`, if nothing is counted meanwhile; `most` at most.
  int64_t NanosUntilNext(int64_t nanos, int64_t most) const;

 private:
  // When the next step is due by time alone. REQUIRES: there is one, and it waits for time.
  int64_t DueNanos() const;

  std::vector<ScenarioStep> steps_;
  size_t next_ = 0;
  int64_t taken_nanos_ = 0;  // When the step before was taken.
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_SCENARIO_H_
