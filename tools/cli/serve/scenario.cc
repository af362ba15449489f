#include "tools/cli/serve/scenario.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "engine/base/integer_text.h"
#include "engine/base/prng.h"
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
constexpr absl::string_view kRangeMark = "..";
constexpr absl::string_view kBlanks = " \t\v\f\r";  // What StripAsciiWhitespace() takes, too.

struct Unit {
  ScenarioUnit unit = {};
  absl::string_view prefix;
  absl::string_view example;
  absl::string_view meaning;
};

// In the order of the enumeration. The first is that of a moment without the prefix of another.
constexpr auto kUnits = std::to_array<Unit>({
    {ScenarioUnit::kSeconds, "", "2.5", "seconds since the start"},
    {ScenarioUnit::kAfterStep, "+", "+2.5", "seconds after the step before"},
    {ScenarioUnit::kCommands, "@", "@1000", "commands of the journal"},
    {ScenarioUnit::kTrades, "trades=", "trades=10", "trades since the start"},
    {ScenarioUnit::kOrders, "orders=", "orders=10", "orders that were accepted since the start"},
    {ScenarioUnit::kConnections, "connections=", "connections=3",
     "connections to Kalshi's API since the start"},
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

// As it is written: two values, which are the same one if it is no range.
struct MomentRange {
  ScenarioMoment low;
  ScenarioMoment high;
  bool is_range = false;
};

absl::StatusOr<MomentRange> ReadMoment(absl::string_view text) {
  const auto* const known = std::find_if(kUnits.begin() + 1, kUnits.end(), [&](const Unit& unit) {
    return absl::StartsWith(text, unit.prefix);
  });
  const Unit& unit = known == kUnits.end() ? kUnits.front() : *known;
  const absl::string_view values = text.substr(unit.prefix.size());
  const size_t dots = values.find(kRangeMark);
  const bool is_range = dots != absl::string_view::npos;
  absl::StatusOr<int64_t> low = ReadValue(unit.unit, values.substr(0, dots));
  absl::StatusOr<int64_t> high =
      is_range ? ReadValue(unit.unit, values.substr(dots + kRangeMark.size())) : low;
  if (low.ok() && high.ok() && *low > *high) {
    return absl::InvalidArgumentError(
        absl::StrCat("found '", text, "', expected the lower value first"));
  }
  if (low.ok() && high.ok()) {
    return MomentRange{.low = {.unit = unit.unit, .value = *low},
                       .high = {.unit = unit.unit, .value = *high},
                       .is_range = is_range};
  }
  // A text without a prefix may be any of them, misspelt.
  const absl::string_view others =
      known == kUnits.end()
          ? " since the start, or +SECONDS, @COMMANDS, trades=N, orders=N or connections=N"
          : "";
  return absl::InvalidArgumentError(
      absl::StrCat("found '", text, "', expected ", unit.prefix, unit.prefix.empty() ? "" : " and ",
                   (low.ok() ? high : low).status().message(), others));
}

absl::StatusOr<engine::KalshiInjection> ReadFault(const ScenarioStep& step) {
  absl::StatusOr<engine::KalshiInjection> read =
      engine::ParseKalshiInjection(step.fault, step.parameters);
  if (read.ok()) return read;
  const absl::string_view what = read.status().message();
  return absl::InvalidArgumentError(absl::IsNotFound(read.status())
                                        ? absl::StrCat("found '", step.fault, "', ", what)
                                        : absl::StrCat(step.fault, ": ", what));
}

// The words after the fault. One may hold several, as in a URL.
std::string JoinParameters(const std::vector<absl::string_view>& words) {
  const std::string all = absl::StrJoin(words.begin() + 2, words.end(), "&");
  const std::vector<absl::string_view> parameters = absl::StrSplit(all, '&', absl::SkipEmpty());
  return absl::StrJoin(parameters, "&");
}

// Reads line after line.
class Reader {
 public:
  absl::Status Take(absl::string_view line) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(kBlanks), absl::SkipEmpty());
    return words[0] == "seed" ? TakeSeed(words) : TakeStep(words);
  }

  std::vector<ScenarioStep>& steps() { return steps_; }

 private:
  absl::Status TakeSeed(const std::vector<absl::string_view>& words) {
    uint64_t seed = 0;
    if (words.size() != 2 || !engine::ParseInteger(words[1], seed)) {
      return absl::InvalidArgumentError("expected 'seed' and a whole number");
    }
    if (prng_.has_value() || !steps_.empty()) {
      return absl::InvalidArgumentError("found a seed, expected one at most, before all steps");
    }
    prng_.emplace(seed);
    return absl::OkStatus();
  }

  absl::Status TakeStep(const std::vector<absl::string_view>& words) {
    ScenarioStep step;
    ASSIGN_OR_RETURN(step.moment, TakeMoment(words[0]));
    if (words.size() < 2) return absl::InvalidArgumentError("found no fault after the moment");
    step.fault = std::string(words[1]);
    step.parameters = JoinParameters(words);
    ASSIGN_OR_RETURN(const engine::KalshiInjection injection, ReadFault(step));
    if (prng_.has_value() && engine::TakesSeed(injection.fault) &&
        !injection.parameters.First("seed").has_value()) {
      const int64_t seed = prng_->Between(0, engine::KalshiFaults::kSeedMax);
      absl::StrAppend(&step.parameters, "&seed=", seed);
      RETURN_IF_ERROR(ReadFault(step).status());  // It may be too long now.
    }
    steps_.push_back(std::move(step));
    return absl::OkStatus();
  }

  absl::StatusOr<ScenarioMoment> TakeMoment(absl::string_view word) {
    ASSIGN_OR_RETURN(const MomentRange read, ReadMoment(word));
    const ScenarioUnit unit = read.low.unit;
    ScenarioMoment& before = latest_[static_cast<size_t>(unit)];
    if (unit != ScenarioUnit::kAfterStep && read.low.value < before.value) {
      return absl::InvalidArgumentError(absl::StrCat("found ", FormatMoment(read.low), " after ",
                                                     FormatMoment(before),
                                                     ", expected ascending moments"));
    }
    before = read.high;
    if (!read.is_range) return read.low;
    if (!prng_.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("found the range '", word, "', expected a line 'seed N' before all steps"));
    }
    return ScenarioMoment{.unit = unit, .value = prng_->Between(read.low.value, read.high.value)};
  }

  std::optional<engine::Prng> prng_;                       // From the seed on.
  std::array<ScenarioMoment, kUnits.size()> latest_ = {};  // By unit; of a range, its end.
  std::vector<ScenarioStep> steps_;
};

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
                      step.parameters.empty() ? "" : " ",
                      absl::StrReplaceAll(step.parameters, {{"&", " "}}));
}

absl::StatusOr<std::vector<ScenarioStep>> ParseScenario(absl::string_view text,
                                                        absl::string_view name) {
  Reader reader;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const absl::Status taken = reader.Take(line);
    if (!taken.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(name, ":", number, ": ", taken.message()));
    }
  }
  return std::move(reader.steps());
}

std::string ExampleScenario() {
  std::string text =
      "# A line is a step: a moment, a fault, its parameters. Each waits for its moment and for "
      "the\n"
      "# steps before it. Moments:\n";
  for (const Unit& unit : kUnits) {
    absl::StrAppendFormat(&text, "#   %-14s %s\n", unit.example, unit.meaning);
  }
  absl::StrAppend(&text,
                  "# After a line 'seed N', a moment may be a range, from which it is drawn: 2..5, "
                  "trades=10..20,\n"
                  "# +1..3. Faults that take a seed have one drawn, unless they give it.\n"
                  "seed 7\n");
  int64_t seconds = 0;
  for (const engine::KalshiFaultInfo& info : engine::KalshiFaultList()) {
    absl::StrAppend(&text, "# ", info.summary, "\n", seconds += 10, " ", info.name,
                    info.parameters.empty() ? "" : " ",
                    absl::StrReplaceAll(info.parameters, {{"&", " "}}), "\n");
  }
  return text;
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
