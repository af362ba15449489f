// The price of one contract or share: a signed count of the market's price unit.
//
// The market's price_decimals defines the unit (10^-4 dollar for Nasdaq and Kalshi); decimal.h
// formats and parses prices with it. A regular value type without arithmetic: the core only
// compares prices.

#ifndef ENGINE_TYPES_PRICE_H_
#define ENGINE_TYPES_PRICE_H_

#include <compare>
#include <cstdint>
#include <ostream>

namespace engine {

class Price {
 public:
  constexpr Price() = default;
  static constexpr Price FromUnits(int64_t units) { return Price(units); }
  constexpr int64_t units() const { return units_; }

  friend constexpr auto operator<=>(Price, Price) = default;
  friend std::ostream& operator<<(std::ostream& out, Price price) { return out << price.units_; }

 private:
  explicit constexpr Price(int64_t units) : units_(units) {}
  int64_t units_ = 0;
};

// Market prices stay within ±kPriceUnitsMax, so that price × quantity fits 128 bits and a
// difference of prices fits 64.
inline constexpr int64_t kPriceUnitsMax = 1'000'000'000'000;

}  // namespace engine

#endif  // ENGINE_TYPES_PRICE_H_
