#include "engine/base/timestamp.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace engine {

std::string Timestamp::ToString() const {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E9SZ", absl::FromUnixNanos(nanos_),
                          absl::UTCTimeZone());
}

absl::StatusOr<Timestamp> Timestamp::Parse(absl::string_view text) {
  absl::Time time;
  std::string error;
  // ToString() writes nine decimals, so a tenth would be dropped silently: refuse it.
  const auto point = text.find('.');
  const bool too_fine = point != absl::string_view::npos && text.size() - point > 11;
  if (too_fine || !absl::EndsWith(text, "Z") ||
      !absl::ParseTime("%Y-%m-%d%ET%H:%M:%E*SZ", text, &time, &error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not a time; expected e.g. 2020-01-30T09:30:00.123456789Z"));
  }
  if (time < absl::FromUnixNanos(INT64_MIN) || time > absl::FromUnixNanos(INT64_MAX)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' does not fit 64-bit nanoseconds (years 1678 to 2261)"));
  }
  return FromNanos(absl::ToUnixNanos(time));
}

}  // namespace engine
