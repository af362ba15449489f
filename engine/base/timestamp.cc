#include "engine/base/timestamp.h"

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace engine {
namespace {

constexpr absl::string_view kForm = "0000-00-00T00:00:00";  // A digit for every 0.
constexpr absl::string_view kFormWithBlank = "0000-00-00 00:00:00";
constexpr absl::string_view kOffsetForm = "+00:00";
constexpr size_t kDecimals = 9;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Whether `text` begins with a digit for every '0' of `form`, and is equal elsewhere.
bool BeginsInForm(absl::string_view text, absl::string_view form) {
  if (text.size() < form.size()) return false;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '0' ? !IsDigit(text[i]) : text[i] != form[i]) return false;
  }
  return true;
}

int NumberAt(absl::string_view text, size_t at, size_t digits) {
  int number = 0;
  for (const char c : text.substr(at, digits)) number = number * 10 + (c - '0');
  return number;
}

// Takes ".5" from the front of `text`: 500,000,000. Returns nullopt for no or too many decimals.
std::optional<int> ConsumeNanos(absl::string_view& text) {
  if (!absl::ConsumePrefix(&text, ".")) return 0;
  int nanos = 0;
  size_t decimals = 0;
  for (; decimals < text.size() && IsDigit(text[decimals]); ++decimals) {
    if (decimals == kDecimals) return std::nullopt;
    nanos = nanos * 10 + (text[decimals] - '0');
  }
  if (decimals == 0) return std::nullopt;
  text.remove_prefix(decimals);
  for (; decimals < kDecimals; ++decimals) nanos *= 10;
  return nanos;
}

// "Z", or an offset from UTC in hours and minutes.
std::optional<absl::Duration> ParseOffset(absl::string_view text) {
  if (text == "Z") return absl::ZeroDuration();
  const bool is_west = absl::ConsumePrefix(&text, "-");
  if (!is_west && !absl::ConsumePrefix(&text, "+")) return std::nullopt;
  if (text.size() != kOffsetForm.size() - 1 || !BeginsInForm(text, kOffsetForm.substr(1))) {
    return std::nullopt;
  }
  const int hours = NumberAt(text, 0, 2);
  const int minutes = NumberAt(text, 3, 2);
  if (hours > 23 || minutes > 59) return std::nullopt;
  const absl::Duration offset = absl::Hours(hours) + absl::Minutes(minutes);
  return is_west ? -offset : offset;
}

}  // namespace

std::string Timestamp::ToString() const {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E9SZ", absl::FromUnixNanos(nanos_),
                          absl::UTCTimeZone());
}

absl::StatusOr<Timestamp> Timestamp::Parse(absl::string_view text) {
  const auto refuse = [text] {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text,
                     "' is not a time; expected e.g. 2020-01-30T09:30:00.123456789Z or "
                     "2020-01-30 04:30:00-05:00"));
  };
  if (!BeginsInForm(text, kForm) && !BeginsInForm(text, kFormWithBlank)) return refuse();
  absl::string_view rest = text.substr(kForm.size());
  const std::optional<int> nanos = ConsumeNanos(rest);
  const std::optional<absl::Duration> offset = ParseOffset(rest);
  if (!nanos.has_value() || !offset.has_value()) return refuse();
  const int month = NumberAt(text, 5, 2);
  const int day = NumberAt(text, 8, 2);
  const int hour = NumberAt(text, 11, 2);
  const int minute = NumberAt(text, 14, 2);
  const int second = NumberAt(text, 17, 2);
  // CivilSecond normalises: 30 February becomes a day in March, and second 60 becomes a minute.
  const absl::CivilSecond civil(NumberAt(text, 0, 4), month, day, hour, minute, second);
  if (civil.month() != month || civil.day() != day || civil.hour() != hour ||
      civil.minute() != minute || civil.second() != second) {
    return refuse();
  }
  const absl::Time time =
      absl::FromCivil(civil, absl::UTCTimeZone()) + absl::Nanoseconds(*nanos) - *offset;
  if (time < absl::FromUnixNanos(INT64_MIN) || time > absl::FromUnixNanos(INT64_MAX)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' does not fit 64-bit nanoseconds (years 1678 to 2261)"));
  }
  return FromNanos(absl::ToUnixNanos(time));
}

}  // namespace engine
