// A quantity: a count of the market's quantity unit (one share; 0.01 contract).

#ifndef ENGINE_TYPES_QUANTITY_H_
#define ENGINE_TYPES_QUANTITY_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <ostream>

#include "engine/base/check.h"
#include "engine/base/inline.h"

namespace engine {

// A regular value type. Never negative: a subtraction that would go below zero fails a CHECK.
class Quantity {
 public:
  constexpr Quantity() = default;
  static constexpr Quantity FromUnits(uint64_t units) { return Quantity(units); }
  constexpr uint64_t units() const { return units_; }
  constexpr bool is_zero() const { return units_ == 0; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.units_ + b.units_);
  }
  // REQUIRES: a >= b.
  ENGINE_ALWAYS_INLINE friend Quantity operator-(Quantity a, Quantity b) {
    if (a.units_ < b.units_) [[unlikely]]
      FailBelowZero(a.units_, b.units_);
    return Quantity(a.units_ - b.units_);
  }
  Quantity& operator+=(Quantity other) { return *this = *this + other; }
  Quantity& operator-=(Quantity other) { return *this = *this - other; }

  friend std::ostream& operator<<(std::ostream& out, Quantity quantity) {
    return out << quantity.units_;
  }

 private:
  [[noreturn]] ENGINE_COLD static void FailBelowZero(uint64_t a, uint64_t b) {
    CHECK(false) << a << " - " << b;
    __builtin_unreachable();
  }

  explicit constexpr Quantity(uint64_t units) : units_(units) {}
  uint64_t units_ = 0;
};

// The maximum quantity of one order. 1.8 × 10^9 such orders at one price level still sum within 64
// bits.
inline constexpr Quantity kQuantityMax = Quantity::FromUnits(10'000'000'000);

}  // namespace engine

#endif  // ENGINE_TYPES_QUANTITY_H_
