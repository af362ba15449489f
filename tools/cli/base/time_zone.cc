#include "tools/cli/base/time_zone.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr size_t kTimeBytes = absl::string_view("2020-01-30T09:30:00.123456789Z").size();

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// The number of digits that `text` begins with.
size_t DigitsOf(absl::string_view text) {
  size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  return count;
}

// A day from three texts of digits, of this century or the last; nullopt if there is no such day.
std::optional<absl::CivilDay> MakeDay(absl::string_view year, absl::string_view month,
                                      absl::string_view day) {
  int numbers[3] = {};
  if (!engine::ParseInteger(year, numbers[0]) || !engine::ParseInteger(month, numbers[1]) ||
      !engine::ParseInteger(day, numbers[2]) || numbers[0] < 1900 || numbers[0] > 2099) {
    return std::nullopt;
  }
  const absl::CivilDay made(numbers[0], numbers[1], numbers[2]);
  if (made.month() != numbers[1] || made.day() != numbers[2]) return std::nullopt;
  return made;
}

// "2020-01-30", and nothing that continues the day.
std::optional<absl::CivilDay> DayWithDashes(absl::string_view text) {
  constexpr size_t kBytes = absl::string_view("2020-01-30").size();
  if (text.size() < kBytes || text[4] != '-' || text[7] != '-' || DigitsOf(text) != 4 ||
      DigitsOf(text.substr(5)) != 2 || DigitsOf(text.substr(8)) != 2) {
    return std::nullopt;
  }
  return MakeDay(text.substr(0, 4), text.substr(5, 2), text.substr(8, 2));
}

// The day that `digits` mean: 20200130 or 01302020, or 013020 after an S.
std::optional<absl::CivilDay> DayOfDigits(absl::string_view digits, bool follows_s) {
  if (digits.size() == 6 && follows_s) {
    return MakeDay(absl::StrCat("20", digits.substr(4)), digits.substr(0, 2), digits.substr(2, 2));
  }
  if (digits.size() != 8) return std::nullopt;
  const auto year_first = MakeDay(digits.substr(0, 4), digits.substr(4, 2), digits.substr(6));
  if (year_first.has_value()) return year_first;
  return MakeDay(digits.substr(4), digits.substr(0, 2), digits.substr(2, 2));
}

}  // namespace

absl::StatusOr<absl::TimeZone> FindTimeZone(const std::string& name) {
  if (name == "local") return absl::LocalTimeZone();
  absl::TimeZone zone;
  if (!absl::StartsWith(name, "/") && absl::LoadTimeZone(name, &zone)) return zone;
  if (!absl::LoadTimeZone("America/New_York", &zone)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the time zone '", name,
                     "' cannot be looked up: this machine has no database of time zones; install "
                     "the package tzdata"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "'", name, "' is not a time zone; expected e.g. America/New_York, UTC or local"));
}

std::string TimeIn(engine::Timestamp time, absl::TimeZone zone) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E9S%Ez", absl::FromUnixNanos(time.nanos()), zone);
}

std::string WithTimesIn(absl::string_view text, absl::TimeZone zone) {
  std::string out;
  size_t done = 0;
  for (size_t end = text.find('Z'); end != text.npos; end = text.find('Z', end + 1)) {
    if (end + 1 - done < kTimeBytes) continue;
    const size_t begin = end + 1 - kTimeBytes;
    const absl::string_view candidate = text.substr(begin, kTimeBytes);
    const auto time = engine::Timestamp::Parse(candidate);
    if (!time.ok() || time->ToString() != candidate) continue;
    absl::StrAppend(&out, text.substr(done, begin - done), TimeIn(*time, zone));
    done = end + 1;
  }
  absl::StrAppend(&out, text.substr(done));
  return out;
}

absl::StatusOr<engine::Timestamp> BeginOf(absl::CivilDay day, absl::TimeZone zone) {
  const absl::Time begin = absl::FromCivil(day, zone);
  if (day.year() < 1678 || day.year() > 2261) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", absl::FormatCivilTime(day), "' is outside the years 1678 to 2261"));
  }
  return engine::Timestamp::FromNanos(absl::ToUnixNanos(begin));
}

absl::StatusOr<absl::CivilDay> ParseDay(absl::string_view text) {
  const bool has_digits_only = text.size() == 8 && DigitsOf(text) == 8;
  const auto day = has_digits_only ? MakeDay(text.substr(0, 4), text.substr(4, 2), text.substr(6))
                   : text.size() == 10 ? DayWithDashes(text)
                                       : std::nullopt;
  if (!day.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not a day; expected e.g. 2020-01-30"));
  }
  return *day;
}

std::optional<absl::CivilDay> DayInFileName(absl::string_view path) {
  const absl::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0.
  std::optional<absl::CivilDay> found;
  for (size_t at = 0; at < name.size();) {
    const size_t digits = DigitsOf(name.substr(at));
    std::optional<absl::CivilDay> day = DayWithDashes(name.substr(at));
    if (!day.has_value()) {
      day = DayOfDigits(name.substr(at, digits), at > 0 && name[at - 1] == 'S');
    }
    if (day.has_value() && found.has_value() && *day != *found) return std::nullopt;
    if (day.has_value()) found = day;
    at += std::max<size_t>(digits, 1);
  }
  return found;
}

absl::StatusOr<engine::Timestamp> MidnightOf(const std::string& path,
                                             const std::optional<std::string>& date,
                                             const std::string& zone_name) {
  ASSIGN_OR_RETURN(const absl::TimeZone zone, FindTimeZone(zone_name));
  if (date.has_value()) {
    const absl::StatusOr<absl::CivilDay> day = ParseDay(*date);
    if (day.ok()) return BeginOf(*day, zone);
    return absl::InvalidArgumentError(absl::StrCat("--date: ", day.status().message()));
  }
  const std::optional<absl::CivilDay> day = DayInFileName(path);
  if (day.has_value()) return BeginOf(*day, zone);
  return absl::InvalidArgumentError(
      absl::StrCat("'", path, "': of which day? Its times count from midnight in ", zone_name,
                   "; expected --date YYYY-MM-DD, or the day in the file's name"));
}

}  // namespace tools
