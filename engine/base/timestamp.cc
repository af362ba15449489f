#include "engine/base/timestamp.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace engine {
namespace {

constexpr absl::string_view kForm = "0000-00-00T00:00:00";  // A digit for every 0.
constexpr size_t kDecimals = 9;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Whether `text` has the form of ToString(), with zero to nine decimals.
bool IsInForm(absl::string_view text) {
  if (text.size() <= kForm.size() || text.back() != 'Z') return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '0' ? !IsDigit(text[i]) : text[i] != kForm[i]) return false;
  }
  const absl::string_view fraction = text.substr(kForm.size(), text.size() - kForm.size() - 1);
  if (fraction.empty()) return true;
  if (fraction.front() != '.' || fraction.size() < 2 || fraction.size() > kDecimals + 1) {
    return false;
  }
  for (const char c : fraction.substr(1)) {
    if (!IsDigit(c)) return false;
  }
  return true;
}

int NumberAt(absl::string_view text, size_t at, size_t digits) {
  int number = 0;
  for (const char c : text.substr(at, digits)) number = number * 10 + (c - '0');
  return number;
}

// The fraction of `text` in nanoseconds: 500,000,000 for "2020-01-30T09:30:00.5Z".
int NanosOf(absl::string_view text) {
  int nanos = 0;
  for (size_t i = 0; i < kDecimals; ++i) {
    const size_t at = kForm.size() + 1 + i;
    nanos = nanos * 10 + (at + 1 < text.size() ? text[at] - '0' : 0);
  }
  return nanos;
}

}  // namespace

std::string Timestamp::ToString() const {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E9SZ", absl::FromUnixNanos(nanos_),
                          absl::UTCTimeZone());
}

absl::StatusOr<Timestamp> Timestamp::Parse(absl::string_view text) {
  const auto refuse = [text] {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not a time; expected e.g. 2020-01-30T09:30:00.123456789Z"));
  };
  if (!IsInForm(text)) return refuse();
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
      absl::FromCivil(civil, absl::UTCTimeZone()) + absl::Nanoseconds(NanosOf(text));
  if (time < absl::FromUnixNanos(INT64_MIN) || time > absl::FromUnixNanos(INT64_MAX)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' does not fit 64-bit nanoseconds (years 1678 to 2261)"));
  }
  return FromNanos(absl::ToUnixNanos(time));
}

}  // namespace engine
