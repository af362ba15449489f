#include "tools/cli/backtest/sweep.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"

namespace tools {
namespace {

using strategy::Parameters;
using Assignments = std::vector<Parameters::Assignment>;

absl::Status TooMany() {
  return absl::InvalidArgumentError(
      absl::StrCat("--sweep: expected at most ", kSweepRunsMax, " runs"));
}

// "0.01..0.03/0.01".
absl::StatusOr<Assignments> ParseRange(absl::string_view name, absl::string_view low,
                                       absl::string_view rest, const Parameters& parameters) {
  const std::pair<absl::string_view, absl::string_view> high_and_step = absl::StrSplit(rest, '/');
  ASSIGN_OR_RETURN(const auto first, parameters.Parse(absl::StrCat(name, "=", low)));
  ASSIGN_OR_RETURN(const auto last, parameters.Parse(absl::StrCat(name, "=", high_and_step.first)));
  const auto step =
      engine::ParsePrice(high_and_step.second, parameters.Find(first.name)->terms.decimals);
  if (!step.ok() || step->units() <= 0 || last.value < first.value) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sweep ", name, "=", low, "..", rest, ": expected NAME=LOW..HIGH/STEP"));
  }
  Assignments values;
  for (int64_t value = first.value; value <= last.value; value += step->units()) {
    values.push_back({.name = first.name, .value = value});
    if (values.size() > kSweepRunsMax) return TooMany();
  }
  return values;
}

absl::StatusOr<Assignments> ParseValues(absl::string_view text, const Parameters& parameters) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  const size_t dots = parts.second.find("..");
  if (dots != absl::string_view::npos) {
    return ParseRange(parts.first, parts.second.substr(0, dots), parts.second.substr(dots + 2),
                      parameters);
  }
  Assignments values;
  for (const absl::string_view value : absl::StrSplit(parts.second, ',')) {
    ASSIGN_OR_RETURN(auto set, parameters.Parse(absl::StrCat(parts.first, "=", value)));
    values.push_back(std::move(set));
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<Assignments>> ParseSweep(std::span<const std::string> texts,
                                                    const Parameters& parameters) {
  std::vector<Assignments> runs = {{}};
  for (const std::string& text : texts) {
    ASSIGN_OR_RETURN(const Assignments values, ParseValues(text, parameters));
    if (runs.size() * values.size() > kSweepRunsMax) return TooMany();
    std::vector<Assignments> more;
    for (const Assignments& run : runs) {
      for (const Parameters::Assignment& value : values) {
        more.push_back(run);
        more.back().push_back(value);
      }
    }
    runs = std::move(more);
  }
  return runs;
}

}  // namespace tools
