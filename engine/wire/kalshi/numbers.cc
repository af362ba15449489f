#include "engine/wire/kalshi/numbers.h"

#include <array>

namespace engine::kalshi {
namespace {

constexpr size_t kDigitsMax = 18;  // Any 18 digits fit 63 bits.

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits, and perhaps a point and 1 to `decimals` more; the value in units of 10^-decimals.
std::optional<int64_t> ParseDecimal(absl::string_view text, int decimals) {
  int64_t value = 0;
  size_t digits = 0;
  int after_point = -1;  // Digits after the point; -1 before it.
  for (const char c : text) {
    if (c == '.' && after_point < 0 && digits > 0) {
      after_point = 0;
      continue;
    }
    if (!IsDigit(c) || ++digits > kDigitsMax) return std::nullopt;
    if (after_point >= 0 && ++after_point > decimals) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  if (digits == 0 || after_point == 0) return std::nullopt;
  for (int i = after_point < 0 ? 0 : after_point; i < decimals; ++i) {
    if (__builtin_mul_overflow(value, int64_t{10}, &value)) return std::nullopt;
  }
  return value;
}

// Appends `value` units of 10^-Decimals.
template <int Decimals>
void AppendDecimal(int64_t value, std::string& out) {
  std::array<char, 32> text;
  char* const end = text.data() + text.size();
  char* at = end;
  uint64_t rest = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  for (int i = 0; i < Decimals; ++i) {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  *--at = '.';
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--at = '-';
  out.append(at, static_cast<size_t>(end - at));
}

constexpr int64_t kNanosPerSecond = 1'000'000'000;

int64_t FloorDivide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

struct Date {
  int64_t year = 0;
  int64_t month = 0;  // From 1.
  int64_t day = 0;    // From 1.
};

// The civil date of a day since 1970-01-01 (Gregorian, years 1678 to 2262): counts in eras of 400
// years that begin in March, so that the leap day is the last of its year.
Date DateOf(int64_t days) {
  const int64_t shifted = days + 719'468;  // Since 0000-03-01.
  const int64_t era = shifted / 146'097;
  const int64_t day_of_era = shifted % 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {.year = era * 400 + year_of_era + (month <= 2 ? 1 : 0),
          .month = month,
          .day = day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

// Writes `digits` decimal digits of `value` and returns the end.
char* PutDigits(int64_t value, int digits, char* at) {
  for (int i = digits - 1; i >= 0; --i) {
    at[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return at + digits;
}

// Writes "hh:mm:ss" of a second of the day.
char* PutTimeOfDay(int64_t second, char* at) {
  at = PutDigits(second / 3'600, 2, at);
  *at++ = ':';
  at = PutDigits(second / 60 % 60, 2, at);
  *at++ = ':';
  return PutDigits(second % 60, 2, at);
}

}  // namespace

std::optional<Count> ParseCount(absl::string_view text) {
  const std::optional<int64_t> value = ParseDecimal(text, 2);
  if (!value.has_value()) return std::nullopt;
  return Count::FromHundredths(*value);
}

std::optional<Price> ParsePrice(absl::string_view text) {
  const std::optional<int64_t> value = ParseDecimal(text, kPriceDecimals);
  if (!value.has_value()) return std::nullopt;
  return Price::FromUnits(*value);
}

void AppendCount(Count count, std::string& out) { AppendDecimal<2>(count.hundredths(), out); }
void AppendPrice(Price price, std::string& out) {
  AppendDecimal<kPriceDecimals>(price.units(), out);
}
void AppendMoney(Money money, std::string& out) { AppendDecimal<6>(money.micros(), out); }
void AppendBalance(Money money, std::string& out) { AppendDecimal<4>(money.micros() / 100, out); }

void AppendTime(Timestamp time, std::string& out) {
  const int64_t seconds = ToSeconds(time);
  const int64_t days = FloorDivide(seconds, 86'400);
  // The difference fits even where seconds * kNanosPerSecond does not.
  const auto nanos = static_cast<int64_t>(static_cast<uint64_t>(time.nanos()) -
                                          static_cast<uint64_t>(seconds) * kNanosPerSecond);
  const Date date = DateOf(days);
  std::array<char, 32> text;
  char* at = PutDigits(date.year, 4, text.data());
  *at++ = '-';
  at = PutDigits(date.month, 2, at);
  *at++ = '-';
  at = PutDigits(date.day, 2, at);
  *at++ = 'T';
  at = PutTimeOfDay(seconds - days * 86'400, at);
  if (nanos >= 1'000) {
    *at++ = '.';
    at = PutDigits(nanos / 1'000, 6, at);
    while (at[-1] == '0') --at;
  }
  *at++ = 'Z';
  out.append(text.data(), static_cast<size_t>(at - text.data()));
}

int64_t ToSeconds(Timestamp time) { return FloorDivide(time.nanos(), kNanosPerSecond); }
int64_t ToMillis(Timestamp time) { return FloorDivide(time.nanos(), 1'000'000); }

}  // namespace engine::kalshi
