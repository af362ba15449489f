#include "engine/wire/http/http_date.h"

#include "absl/time/time.h"

namespace engine {
namespace {

constexpr absl::string_view kFormat = "%a, %d %b %E4Y %H:%M:%S GMT";

}  // namespace

std::string HttpDate(Timestamp time) {
  return absl::FormatTime(kFormat, absl::FromUnixNanos(time.nanos()), absl::UTCTimeZone());
}

std::optional<Timestamp> ParseHttpDate(absl::string_view text) {
  absl::Time time;
  std::string error;
  if (!absl::ParseTime(kFormat, text, &time, &error)) return std::nullopt;
  const Timestamp parsed = Timestamp::FromNanos(absl::ToUnixNanos(time));
  // Other spellings of the same time are none: blanks, small letters, a wrong weekday.
  if (HttpDate(parsed) != text) return std::nullopt;
  return parsed;
}

}  // namespace engine
