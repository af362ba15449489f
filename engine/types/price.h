// The price of one contract or share: a signed count of the market's price unit.
//
// The unit (10^-4 dollar for Nasdaq and Kalshi) is the market's price_decimals; decimal.h writes
// and reads prices with it. A regular value type without arithmetic: the core compares prices only.

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

// Bands of markets stay within ±kPriceUnitsMax, so that a price × a quantity fits 128 bits and a
// difference of prices fits 64.
inline constexpr int64_t kPriceUnitsMax = 1'000'000'000'000;

}  // namespace engine

#endif  // ENGINE_TYPES_PRICE_H_
