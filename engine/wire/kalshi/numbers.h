// Numbers and times as Kalshi writes them: decimal numbers inside JSON strings.
//
//   count  "10.00"      hundredths of a contract
//   price  "0.5600"     10^-4 dollar
//   cost   "0.017500"   10^-6 dollar; a balance has 4 decimals, an old field whole cents
//   time   "2026-06-11T05:39:31.28563Z"

#ifndef ENGINE_WIRE_KALSHI_NUMBERS_H_
#define ENGINE_WIRE_KALSHI_NUMBERS_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine::kalshi {

// A signed count of 0.01 contract: positions and changes have a sign. A regular value type.
class Count {
 public:
  constexpr Count() = default;
  static constexpr Count FromHundredths(int64_t hundredths) { return Count(hundredths); }
  // The venue's markets have quantity_decimals 2. REQUIRES: below 2^63.
  static constexpr Count Of(Quantity quantity) {
    return Count(static_cast<int64_t>(quantity.units()));
  }
  constexpr int64_t hundredths() const { return hundredths_; }
  // REQUIRES: not negative.
  constexpr Quantity ToQuantity() const {
    return Quantity::FromUnits(static_cast<uint64_t>(hundredths_));
  }

  friend constexpr auto operator<=>(Count, Count) = default;
  friend constexpr Count operator-(Count a, Count b) {
    return Count(a.hundredths_ - b.hundredths_);
  }
  friend constexpr Count operator+(Count a, Count b) {
    return Count(a.hundredths_ + b.hundredths_);
  }
  friend std::ostream& operator<<(std::ostream& out, Count count) {
    return out << count.hundredths_;
  }

 private:
  explicit constexpr Count(int64_t hundredths) : hundredths_(hundredths) {}
  int64_t hundredths_ = 0;
};

// What a client takes of a venue is at most 10^13 contracts: a thousand such counts can be added.
inline constexpr Count kVenueCountMax = Count::FromHundredths(1'000'000'000'000'000);

inline constexpr int kPriceDecimals = 4;
inline constexpr Price kOneDollar = Price::FromUnits(10'000);

// The price of the other leg: a YES bid at p is a NO ask at 1 - p.
constexpr Price Complement(Price price) {
  return Price::FromUnits(kOneDollar.units() - price.units());
}

// Requests. Digits with at most so many decimals, and nothing else: no sign, blank, exponent, bare
// point or more than 18 digits. nullopt otherwise.
std::optional<Count> ParseCount(absl::string_view text);  // 0 to 2 decimals.
std::optional<Price> ParsePrice(absl::string_view text);  // 0 to 4 decimals.

// Responses. Each appends its text to `out`.
void AppendCount(Count count, std::string& out);    // "-3.00"
void AppendPrice(Price price, std::string& out);    // "0.5600"
void AppendMoney(Money money, std::string& out);    // "-0.017500"
void AppendBalance(Money money, std::string& out);  // "98.0186", truncated towards zero
void AppendTime(Timestamp time, std::string& out);  // RFC 3339, UTC, microseconds

// Truncated towards zero.
constexpr int64_t ToCents(Money money) { return money.micros() / 10'000; }
// Rounded down.
int64_t ToSeconds(Timestamp time);
int64_t ToMillis(Timestamp time);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_NUMBERS_H_
