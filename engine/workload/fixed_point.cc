#include "engine/workload/fixed_point.h"

#include <array>
#include <bit>

#include "engine/base/check.h"

namespace bench {
namespace {

constexpr uint64_t kLn2 = 0x58b90bfbe8e7bcd5;    // ln 2 × 2^63.
constexpr uint64_t kLog2e = 0x5c551d94ae0bf85d;  // log2 e × 2^62.

// 2^(1/2), 2^(1/4), ... times 2^62: each is the square root of the one before.
std::array<uint64_t, kFixedBits> RootsOfTwo() {
  std::array<uint64_t, kFixedBits> roots;
  uint64_t root = uint64_t{1} << 63;
  for (uint64_t& each : roots) {
    root = SquareRoot(static_cast<unsigned __int128>(root) << 62);
    each = root;
  }
  return roots;
}

}  // namespace

// Computes the logarithm one binary digit at a time: squaring the mantissa doubles its logarithm.
Fixed LogOf(uint64_t value, int fraction_bits) {
  CHECK(value > 0);
  const int top = 63 - std::countl_zero(value);
  uint64_t mantissa = value << (63 - top);  // In [1, 2), times 2^63.
  int64_t log2 = int64_t{top - fraction_bits} * kFixedOne;
  for (Fixed bit = kFixedOne / 2; bit > 0; bit /= 2) {
    const auto square = static_cast<unsigned __int128>(mantissa) * mantissa;
    const bool is_two_or_more = (square >> 127) != 0;
    mantissa = static_cast<uint64_t>(square >> (is_two_or_more ? 64 : 63));
    if (is_two_or_more) log2 += bit;
  }
  return static_cast<Fixed>((static_cast<__int128>(log2) * static_cast<int64_t>(kLn2)) >> 63);
}

Fixed ExpOf(Fixed x) {
  CHECK(x < FixedOf(21));
  if (x < FixedOf(-22)) return 0;
  static const std::array<uint64_t, kFixedBits> roots = RootsOfTwo();
  const auto log2 =
      static_cast<int64_t>((static_cast<__int128>(x) * static_cast<int64_t>(kLog2e)) >> 62);
  const auto whole = static_cast<int>(log2 >> kFixedBits);
  uint64_t mantissa = uint64_t{1} << 62;
  for (int digit = 0; digit < kFixedBits; ++digit) {
    if ((log2 >> (kFixedBits - 1 - digit)) % 2 == 0) continue;
    mantissa = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(mantissa) * roots[static_cast<size_t>(digit)]) >> 62);
  }
  const int shift = 62 - kFixedBits - whole;
  return static_cast<Fixed>(shift >= 0 ? mantissa >> shift : mantissa << -shift);
}

uint64_t SquareRoot(unsigned __int128 value) {
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 63; bit > 0; bit >>= 1) {
    const uint64_t attempt = root | bit;
    if (static_cast<unsigned __int128>(attempt) * attempt <= value) root = attempt;
  }
  return root;
}

}  // namespace bench
