// Any file is either refused, with its name and a line, or is a list of steps that fit the venue's
// faults, are in order, and are read again as they are written.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/gateway/kalshi/faults.h"
#include "tools/cli/serve/scenario.h"
#include "tools/serve/venue_server.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<std::vector<tools::ScenarioStep>> steps = tools::ParseScenario(text, "FILE");
  if (!steps.ok()) {
    CHECK(absl::IsInvalidArgument(steps.status()));
    CHECK(absl::StartsWith(steps.status().message(), "FILE:")) << steps.status().message();
    return 0;
  }
  std::string written;
  int64_t latest = 0;
  for (const tools::ScenarioStep& step : *steps) {
    CHECK(engine::ParseKalshiInjection(step.fault, step.parameters).ok()) << step.fault;
    CHECK(step.moment.value >= 0);
    if (step.moment.unit == tools::ScenarioUnit::kSeconds) {
      CHECK(latest <= step.moment.value);
      latest = step.moment.value;
    }
    absl::StrAppend(&written, tools::FormatStep(step), "\n");
  }
  const absl::StatusOr<std::vector<tools::ScenarioStep>> again =
      tools::ParseScenario(written, "WRITTEN");
  CHECK(again.ok()) << again.status() << "\n" << written;
  CHECK(*again == *steps) << written;

  // Once all is counted, each is taken when its time has come.
  constexpr auto kMuch = std::numeric_limits<uint64_t>::max();
  const tools::VenueCounts counts = {
      .commands = kMuch, .kalshi = {.trades = kMuch, .orders = kMuch, .connections = kMuch}};
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  tools::Scenario scenario(*steps);
  int64_t nanos = 0;
  for (const tools::ScenarioStep& step : *steps) {
    const bool is_time = step.moment.unit == tools::ScenarioUnit::kSeconds ||
                         step.moment.unit == tools::ScenarioUnit::kAfterStep;
    if (is_time) nanos += scenario.NanosUntilNext(nanos, kMost);
    const tools::ScenarioStep* const taken = scenario.Take(nanos, counts);
    CHECK(taken != nullptr && *taken == step);
    if (nanos > kMost / 2) return 0;  // No venue serves for so long.
  }
  CHECK(scenario.Take(nanos, counts) == nullptr);
  return 0;
}
