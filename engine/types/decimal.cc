#include "engine/types/decimal.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

std::string Format(bool negative, uint64_t magnitude, int decimals) {
  CHECK(decimals >= 0 && decimals <= kDecimalsMax) << decimals;
  std::string digits = absl::StrCat(magnitude);
  const auto decimal_count = static_cast<size_t>(decimals);
  if (decimal_count > 0) {
    if (digits.size() <= decimal_count) digits.insert(0, decimal_count + 1 - digits.size(), '0');
    digits.insert(digits.size() - decimal_count, 1, '.');
  }
  return negative ? absl::StrCat("-", digits) : digits;
}

// Parses `digits` as a count of units. Errors quote the whole `text`.
absl::StatusOr<uint64_t> ParseMagnitude(absl::string_view digits, int decimals,
                                        absl::string_view text) {
  const auto refuse = [text](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' ", why));
  };
  uint64_t units = 0;
  int decimal_count = 0;  // Digits after the point, at most `decimals`.
  bool seen_point = false;
  bool seen_digit = false;
  const auto append = [&units](uint64_t digit) {
    return !__builtin_mul_overflow(units, 10, &units) &&
           !__builtin_add_overflow(units, digit, &units);
  };
  for (const char c : digits) {
    if (c == '.' && !seen_point && seen_digit) {
      seen_point = true;
      continue;
    }
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      return refuse("is not a decimal number");
    }
    seen_digit = true;
    if (seen_point && decimal_count == decimals) {
      if (c != '0') return refuse(absl::StrCat("has more than ", decimals, " decimals"));
      continue;
    }
    if (!append(static_cast<uint64_t>(c - '0'))) return refuse("is too large");
    decimal_count += seen_point ? 1 : 0;
  }
  if (!seen_digit || digits.back() == '.') return refuse("is not a decimal number");
  for (; decimal_count < decimals; ++decimal_count) {
    if (!append(0)) return refuse("is too large");
  }
  return units;
}

}  // namespace

std::string FormatPrice(Price price, int decimals) {
  const bool negative = price.units() < 0;
  const auto bits = static_cast<uint64_t>(price.units());
  return Format(negative, negative ? -bits : bits, decimals);
}

std::string FormatQuantity(Quantity quantity, int decimals) {
  return Format(false, quantity.units(), decimals);
}

absl::StatusOr<Price> ParsePrice(absl::string_view text, int decimals) {
  const bool negative = !text.empty() && text.front() == '-';
  ASSIGN_OR_RETURN(const uint64_t magnitude,
                   ParseMagnitude(text.substr(negative ? 1 : 0), decimals, text));
  const uint64_t limit = uint64_t{1} << 63;
  if (magnitude > (negative ? limit : limit - 1)) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' is too large"));
  }
  return Price::FromUnits(static_cast<int64_t>(negative ? -magnitude : magnitude));
}

absl::StatusOr<Quantity> ParseQuantity(absl::string_view text, int decimals) {
  ASSIGN_OR_RETURN(const uint64_t units, ParseMagnitude(text, decimals, text));
  return Quantity::FromUnits(units);
}

}  // namespace engine
