#include "tools/cli/serve/scenario.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"

namespace tools {
namespace {

constexpr int kSecondDecimals = 9;  // A time is in ns.
constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kSecondsMax = 366 * 86'400;
constexpr int64_t kCountMax = int64_t{1} << 53;

struct Unit {
  ScenarioUnit unit = {};
  absl::string_view prefix;
};

// In the order of the enumeration. The first is that of a moment without the prefix of another.
constexpr auto kUnits = std::to_array<Unit>({
    {ScenarioUnit::kSeconds, ""},
    {ScenarioUnit::kAfterStep, "+"},
    {ScenarioUnit::kCommands, "@"},
    {ScenarioUnit::kTrades, "trades="},
    {ScenarioUnit::kOrders, "orders="},
    {ScenarioUnit::kConnections, "connections="},
});

absl::string_view PrefixOf(ScenarioUnit unit) { return kUnits[static_cast<size_t>(unit)].prefix; }

bool IsTime(ScenarioUnit unit) {
  return unit == ScenarioUnit::kSeconds || unit == ScenarioUnit::kAfterStep;
}

absl::StatusOr<int64_t> ReadValue(ScenarioUnit unit, absl::string_view text) {
  if (IsTime(unit)) {
    const auto seconds = engine::ParsePrice(text, kSecondDecimals);
    if (seconds.ok() && 0 <= seconds->units() && seconds->units() <= kSecondsMax * kSecondNanos) {
      return seconds->units();
    }
    return absl::InvalidArgumentError(absl::StrCat("at most ", kSecondsMax, " seconds"));
  }
  int64_t count = 0;
  if (engine::ParseInteger(text, count) && 0 < count && count <= kCountMax) return count;
  return absl::InvalidArgumentError(absl::StrCat("a whole number from 1 to ", kCountMax));
}

absl::StatusOr<ScenarioMoment> ReadMoment(absl::string_view text) {
  const auto* const known = std::find_if(kUnits.begin() + 1, kUnits.end(), [&](const Unit& unit) {
    return absl::StartsWith(text, unit.prefix);
  });
  const Unit& unit = known == kUnits.end() ? kUnits.front() : *known;
  const absl::StatusOr<int64_t> value = ReadValue(unit.unit, text.substr(unit.prefix.size()));
  if (value.ok()) return ScenarioMoment{.unit = unit.unit, .value = *value};
  // A text without a prefix may be any of them, misspelt.
  const absl::string_view others =
      known == kUnits.end()
          ? " since the start, or +SECONDS, @COMMANDS, trades=N, orders=N or connections=N"
          : "";
  return absl::InvalidArgumentError(absl::StrCat("found '", text, "', expected ", unit.prefix,
                                                 unit.prefix.empty() ? "" : " and ",
                                                 value.status().message(), others));
}

absl::StatusOr<ScenarioStep> ReadStep(absl::string_view line) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  ScenarioStep step;
  ASSIGN_OR_RETURN(step.moment, ReadMoment(words[0]));
  if (words.size() < 2) return absl::InvalidArgumentError("found no fault after the moment");
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

std::string FormatMoment(const ScenarioMoment& moment) {
  if (!IsTime(moment.unit)) return absl::StrCat(PrefixOf(moment.unit), moment.value);
  std::string seconds =
      engine::FormatPrice(engine::Price::FromUnits(moment.value), kSecondDecimals);
  seconds.erase(seconds.find_last_not_of('0') + 1);
  if (seconds.back() == '.') seconds.pop_back();
  return absl::StrCat(PrefixOf(moment.unit), seconds);
}

std::string FormatStep(const ScenarioStep& step) {
  return absl::StrCat(FormatMoment(step.moment), " ", step.fault,
                      step.parameters.empty() ? "" : " ", step.parameters);
}

absl::StatusOr<std::vector<ScenarioStep>> ParseScenario(absl::string_view text,
                                                        absl::string_view name) {
  std::vector<ScenarioStep> steps;
  std::array<ScenarioMoment, kUnits.size()> latest = {};  // By unit.
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
    ScenarioMoment& before = latest[static_cast<size_t>(step->moment.unit)];
    if (step->moment.unit != ScenarioUnit::kAfterStep && step->moment.value < before.value) {
      return error(absl::StrCat("found ", FormatMoment(step->moment), " after ",
                                FormatMoment(before), ", expected ascending moments"));
    }
    before = step->moment;
    steps.push_back(*std::move(step));
  }
  return steps;
}

int64_t Scenario::DueNanos() const {
  const ScenarioMoment& moment = steps_[next_].moment;
  return moment.unit == ScenarioUnit::kAfterStep ? taken_nanos_ + moment.value : moment.value;
}

const ScenarioStep* Scenario::Take(int64_t nanos, const VenueCounts& counts) {
  if (next_ == steps_.size()) return nullptr;
  const ScenarioStep& step = steps_[next_];
  const auto reached = [&](uint64_t count) {
    return count >= static_cast<uint64_t>(step.moment.value);
  };
  const bool has_come = [&] {
    switch (step.moment.unit) {
      case ScenarioUnit::kSeconds:
      case ScenarioUnit::kAfterStep:
        return nanos >= DueNanos();
      case ScenarioUnit::kCommands:
        return reached(counts.commands);
      case ScenarioUnit::kTrades:
        return reached(counts.kalshi.trades);
      case ScenarioUnit::kOrders:
        return reached(counts.kalshi.orders);
      case ScenarioUnit::kConnections:
        return reached(counts.kalshi.connections);
    }
    return false;
  }();
  if (!has_come) return nullptr;
  taken_nanos_ = nanos;
  ++next_;
  return &step;
}

int64_t Scenario::NanosUntilNext(int64_t nanos, int64_t most) const {
  if (next_ == steps_.size() || !IsTime(steps_[next_].moment.unit)) return most;
  return std::clamp<int64_t>(DueNanos() - nanos, 0, most);
}

}  // namespace tools
