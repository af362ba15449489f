#include "tools/cli/serve/scenario.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"

namespace tools {
namespace {

constexpr int kSecondDecimals = 9;  // A time is in ns.
constexpr int64_t kSecondsMax = 366 * 86'400;

// "2.5", or "@1000".
absl::Status ReadMoment(absl::string_view text, ScenarioStep& step) {
  const std::string found = absl::StrCat("found '", text, "', expected ");
  if (absl::ConsumePrefix(&text, "@")) {
    if (engine::ParseInteger(text, step.after_commands) && step.after_commands > 0) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(absl::StrCat(found, "@ and a number of commands"));
  }
  const auto seconds = engine::ParsePrice(text, kSecondDecimals);
  if (!seconds.ok() || seconds->units() < 0 || seconds->units() / 1'000'000'000 > kSecondsMax) {
    return absl::InvalidArgumentError(absl::StrCat(found, "seconds since the start"));
  }
  step.after_nanos = seconds->units();
  return absl::OkStatus();
}

absl::StatusOr<ScenarioStep> ReadStep(absl::string_view line) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  ScenarioStep step;
  RETURN_IF_ERROR(ReadMoment(words[0], step));
  if (words.size() < 2) return absl::InvalidArgumentError("found no fault after the time");
  step.fault = std::string(words[1]);
  step.parameters = absl::StrJoin(words.begin() + 2, words.end(), "&");
  const absl::Status fits = engine::ParseKalshiInjection(step.fault, step.parameters).status();
  if (absl::IsNotFound(fits)) {
    return absl::InvalidArgumentError(absl::StrCat("found '", step.fault, "', ", fits.message()));
  }
  if (!fits.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(step.fault, ": ", fits.message()));
  }
  return step;
}

}  // namespace

absl::StatusOr<std::vector<ScenarioStep>> ParseScenario(absl::string_view text,
                                                        absl::string_view name) {
  std::vector<ScenarioStep> steps;
  int64_t latest = 0;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const auto error = [&](absl::string_view what) {
      return absl::InvalidArgumentError(absl::StrCat(name, ":", number, ": ", what));
    };
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    absl::StatusOr<ScenarioStep> step = ReadStep(line);
    if (!step.ok()) return error(step.status().message());
    if (step->after_commands == 0 && step->after_nanos < latest) {
      return error("found a time before that of a step above, expected ascending times");
    }
    latest = std::max(latest, step->after_nanos);
    steps.push_back(*std::move(step));
  }
  return steps;
}

}  // namespace tools
