// Which whole numbers are allowed: the multiples of a step between two bounds; and the place of
// each among them.
//
//   step 5, from -7 to 21      -5   0   5  10  15  20
//   index                       0   1   2   3   4   5
//
// A price is judged and found in the ladder by the same three instructions: division by a number
// that is known beforehand is a multiplication by its inverse modulo 2^64, and what is not
// divisible lands far outside (Warren, Hacker's Delight, 10-17).

#ifndef ENGINE_TYPES_GRID_H_
#define ENGINE_TYPES_GRID_H_

#include <bit>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/inline.h"

namespace engine {

// A regular value type; one that is made by default allows nothing.
class Grid {
 public:
  Grid() = default;

  // REQUIRES: step > 0; the bounds are closer to zero than 2^62.
  Grid(int64_t step, int64_t first, int64_t last) {
    CHECK_GT(step, 0);
    first_ = -FloorDivide(-first, step) * step;
    if (first_ <= last) size_ = static_cast<uint64_t>((last - first_) / step) + 1;
    if (step == 1) run_ = size_;
    shift_ = std::countr_zero(static_cast<uint64_t>(step));
    inverse_ = InverseOfOdd(static_cast<uint64_t>(step) >> shift_);
  }

  // The place of `number` if that is allowed, else size() or more. Any number.
  ENGINE_ALWAYS_INLINE uint64_t IndexOf(int64_t number) const {
    const uint64_t distance = static_cast<uint64_t>(number) - static_cast<uint64_t>(first_);
    // What is shifted out at the bottom comes in at the top: an index only if it is zero.
    return std::rotr(distance * inverse_, shift_);
  }
  ENGINE_ALWAYS_INLINE bool Has(int64_t number) const {
    if (static_cast<uint64_t>(number) - static_cast<uint64_t>(first_) < run_) [[likely]]
      return true;
    return IndexOf(number) < size_;
  }

  // How many numbers are allowed.
  uint64_t size() const { return size_; }

  // REQUIRES: index < size().
  int64_t NumberAt(uint64_t index) const {
    return first_ + static_cast<int64_t>((index << shift_) * InverseOfOdd(inverse_));
  }

 private:
  static int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

  // Newton: each step doubles the correct bits, of which an odd number is three of its own inverse.
  static uint64_t InverseOfOdd(uint64_t odd) {
    uint64_t inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  int64_t first_ = 0;
  uint64_t run_ = 0;  // As size_, where all numbers between the bounds are allowed; else none.
  uint64_t inverse_ = 1;
  uint64_t size_ = 0;
  int shift_ = 0;
};

}  // namespace engine

#endif  // ENGINE_TYPES_GRID_H_
