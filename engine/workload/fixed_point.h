// Logarithm, exponential and square root of fixed-point numbers in integer arithmetic: the same
// bits with every library, compiler and flag. A workload is identified by its seed and must not
// depend on the machine that generates it; std::log and fused multiply-add may differ in the last
// bit, and one bit can move an order.

#ifndef ENGINE_WORKLOAD_FIXED_POINT_H_
#define ENGINE_WORKLOAD_FIXED_POINT_H_

#include <cstdint>

namespace bench {

// A number times 2^32.
using Fixed = int64_t;
inline constexpr int kFixedBits = 32;
inline constexpr Fixed kFixedOne = Fixed{1} << kFixedBits;

constexpr Fixed FixedOf(int64_t value) { return value * kFixedOne; }
// numerator / denominator, rounded down.
constexpr Fixed FixedRatio(int64_t numerator, int64_t denominator) {
  return static_cast<Fixed>((static_cast<__int128>(numerator) << kFixedBits) / denominator);
}
constexpr Fixed Multiply(Fixed a, Fixed b) {
  return static_cast<Fixed>((static_cast<__int128>(a) * b) >> kFixedBits);
}
// Rounds to the nearest integer, halves up.
constexpr int64_t Round(Fixed value) { return (value + kFixedOne / 2) >> kFixedBits; }

// The natural logarithm of value / 2^fraction_bits. REQUIRES: value > 0.
Fixed LogOf(uint64_t value, int fraction_bits);

// e^x, in fixed point. 0 below x = -22. REQUIRES: x < 21.
Fixed ExpOf(Fixed x);

// The square root of `value`, rounded down.
uint64_t SquareRoot(unsigned __int128 value);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_FIXED_POINT_H_
