#include "tools/backtest/latency.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr absl::string_view kExpected =
    "expected a time such as 250us, a range such as 250us+100us, or a histogram's file, and "
    "perhaps "
    ",burst=MORE/FOR/EVERY";

absl::StatusOr<int64_t> ParseNanos(absl::string_view text) {
  absl::Duration duration;
  if (!absl::ParseDuration(text, &duration) || duration < absl::ZeroDuration() ||
      duration > absl::Nanoseconds(kLatencyNanosMax)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no time from 0 to one hour: ", kExpected));
  }
  return absl::ToInt64Nanoseconds(duration);
}

absl::StatusOr<replay::LatencyHistogram> ReadHistogram(const std::string& path,
                                                       ReadWholeFile read) {
  ASSIGN_OR_RETURN(const std::string text, read(path));
  // The text does not say the exact maximum: its slot's is taken.
  constexpr uint64_t kUnknownMax = std::numeric_limits<uint64_t>::max();
  const auto histogram = replay::DecodeHistogram(absl::StripAsciiWhitespace(text), kUnknownMax);
  if (!histogram.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", histogram.status().message()));
  }
  if (histogram->count() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": the histogram has no values"));
  }
  return *histogram;
}

}  // namespace

absl::StatusOr<LatencyTerms> ParseLatency(absl::string_view text, ReadWholeFile read) {
  LatencyTerms terms{.text = std::string(text)};
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(",burst=", 1));
  if (absl::StrContains(text, ",burst=")) {
    const std::vector<absl::string_view> burst = absl::StrSplit(parts.second, '/');
    if (burst.size() != 3) {
      return absl::InvalidArgumentError(absl::StrCat("'", text, "': ", kExpected));
    }
    ASSIGN_OR_RETURN(terms.burst, ParseNanos(burst[0]));
    ASSIGN_OR_RETURN(terms.burst_length, ParseNanos(burst[1]));
    ASSIGN_OR_RETURN(terms.burst_period, ParseNanos(burst[2]));
    if (terms.burst_period == 0 || terms.burst_length > terms.burst_period) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "': a burst is shorter than what it is repeated after"));
    }
  }
  const absl::string_view base = parts.first;
  absl::Duration duration;
  const std::vector<absl::string_view> range = absl::StrSplit(base, absl::MaxSplits('+', 1));
  if (!absl::ParseDuration(range[0], &duration)) {
    ASSIGN_OR_RETURN(terms.measured, ReadHistogram(std::string(base), read));
    return terms;
  }
  ASSIGN_OR_RETURN(terms.least, ParseNanos(range[0]));
  if (range.size() == 2) {
    ASSIGN_OR_RETURN(terms.jitter, ParseNanos(range[1]));
  }
  return terms;
}

int64_t LatencyLine::Draw(int64_t nanos) {
  int64_t drawn = terms_.least;
  if (terms_.jitter != 0) drawn += random_.Between(0, terms_.jitter);
  if (terms_.measured.has_value()) {
    const uint64_t per_million = random_.Below(1'000'001);
    drawn = static_cast<int64_t>(terms_.measured->Percentile(per_million));
  }
  if (terms_.burst_period != 0) {
    const int64_t phase =
        ((nanos % terms_.burst_period) + terms_.burst_period) % terms_.burst_period;
    if (phase < terms_.burst_length) drawn += terms_.burst;
  }
  return drawn;
}

}  // namespace tools
