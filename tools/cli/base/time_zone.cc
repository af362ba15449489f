#include "tools/cli/base/time_zone.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

// Whether `text` begins with a digit for every 0 of `form`, and is equal elsewhere; its T may be a
// blank.
bool BeginsInForm(absl::string_view text, absl::string_view form) {
  if (text.size() < form.size()) return false;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '0' ? !IsDigit(text[i])
                       : text[i] != form[i] && !(form[i] == 'T' && text[i] == ' ')) {
      return false;
    }
  }
  return true;
}

// The parts of a time in a text.
struct WrittenTime {
  size_t bytes = 0;
  std::string civil;         // "2020-01-30T09:30:00.5".
  absl::string_view offset;  // "Z" or "-05:00"; empty: none.
};

// Returns the time that `text` begins with; nullopt if there is none.
std::optional<WrittenTime> TimeAtFront(absl::string_view text) {
  constexpr absl::string_view kMinutes = "0000-00-00T00:00";
  if (!BeginsInForm(text, kMinutes)) return std::nullopt;
  WrittenTime time{.bytes = kMinutes.size(), .civil = {}, .offset = {}};
  const bool has_seconds = BeginsInForm(text.substr(time.bytes), ":00");
  if (has_seconds) {
    time.bytes += 3;
    if (BeginsInForm(text.substr(time.bytes), ".0")) {
      time.bytes += 1 + DigitsOf(text.substr(time.bytes + 1));
    }
  }
  time.civil = absl::StrCat(text.substr(0, time.bytes), has_seconds ? "" : ":00");
  time.civil[kMinutes.find('T')] = 'T';
  const absl::string_view rest = text.substr(time.bytes);
  if (absl::StartsWith(rest, "Z")) time.offset = rest.substr(0, 1);
  for (const absl::string_view form : {"+00:00", "-00:00"}) {
    if (BeginsInForm(rest, form)) time.offset = rest.substr(0, form.size());
  }
  time.bytes += time.offset.size();
  return time;
}

// `civil` is a time without an offset, read as one of UTC. `written` is the same for messages.
absl::StatusOr<engine::Timestamp> InZone(engine::Timestamp civil, absl::string_view written,
                                         const std::optional<absl::TimeZone>& zone) {
  if (!zone.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", written, "' is a time of no zone; expected an offset from UTC, as in 2020-01-30T",
        "09:30:00Z or 2020-01-30T09:30:00-05:00, or --tz ZONE"));
  }
  const absl::Time time = absl::FromUnixNanos(civil.nanos());
  const absl::TimeZone::TimeInfo info = zone->At(absl::ToCivilSecond(time, absl::UTCTimeZone()));
  if (info.kind != absl::TimeZone::TimeInfo::UNIQUE) {
    const bool is_skipped = info.kind == absl::TimeZone::TimeInfo::SKIPPED;
    return absl::InvalidArgumentError(
        absl::StrCat("the clocks of ", zone->name(), is_skipped ? " skip '" : " show '", written,
                     is_skipped ? "'" : "' twice", "; expected an offset from UTC, as in ",
                     TimeIn(engine::Timestamp::FromNanos(absl::ToUnixNanos(info.pre)), *zone)));
  }
  const int64_t fraction = ((civil.nanos() % 1'000'000'000) + 1'000'000'000) % 1'000'000'000;
  return engine::Timestamp::FromNanos(absl::ToUnixNanos(info.pre) + fraction);
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

absl::StatusOr<std::string> WithTimesInUtc(absl::string_view text,
                                           const std::optional<absl::TimeZone>& zone) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool is_in_number = at > 0 && IsDigit(text[at - 1]);
    const auto written = is_in_number ? std::nullopt : TimeAtFront(text.substr(at));
    const size_t bytes = written.has_value() ? written->bytes : 1;
    const absl::string_view piece = text.substr(at, bytes);
    at += bytes;
    const auto time = engine::Timestamp::Parse(
        written.has_value()
            ? absl::StrCat(written->civil, written->offset.empty() ? "Z" : written->offset)
            : "");
    if (!time.ok()) {
      absl::StrAppend(&out, piece);  // No time at all, or one that its reader refuses.
    } else if (!written->offset.empty()) {
      absl::StrAppend(&out, time->ToString());
    } else {
      ASSIGN_OR_RETURN(const engine::Timestamp utc, InZone(*time, piece, zone));
      absl::StrAppend(&out, utc.ToString());
    }
  }
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
