// A set of allowed integers: the multiples of a step between two bounds, each with an index.
//
//   step 5, from -7 to 21      -5   0   5  10  15  20
//   index                       0   1   2   3   4   5
//
// The same three instructions validate a price and find its level: exact division by a constant is
// multiplication by its inverse modulo 2^64, and a number that is not divisible yields an index far
// out of range (Warren, Hacker's Delight, 10-17).

#ifndef ENGINE_TYPES_GRID_H_
#define ENGINE_TYPES_GRID_H_

#include <bit>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/inline.h"

namespace engine {

// A regular value type. A default-constructed grid allows no number.
class Grid {
 public:
  Grid() = default;

  // The multiples of `step` from `first` to `last`, both included.
  // REQUIRES: step > 0; the bounds are closer to zero than 2^62.
  Grid(int64_t step, int64_t first, int64_t last) {
    CHECK_GT(step, 0);
    first_ = -FloorDivide(-first, step) * step;
    if (first_ <= last) size_ = static_cast<uint64_t>((last - first_) / step) + 1;
    shift_ = std::countr_zero(static_cast<uint64_t>(step));
    inverse_ = InverseOfOdd(static_cast<uint64_t>(step) >> shift_);
  }

  // The index of `number` if it is allowed, else a value of at least size(). Accepts any number.
  ENGINE_ALWAYS_INLINE uint64_t IndexOf(int64_t number) const {
    return IndexOf(number, first_, inverse_, shift_);
  }
  bool Has(int64_t number) const { return IndexOf(number) < size_; }

  // The number of allowed numbers.
  uint64_t size() const { return size_; }

  // How many numbers from 1 on are allowed without a gap.
  uint64_t RunFromOne() const { return first_ == 1 && NumberAt(1) == 2 ? size_ : 0; }

  // For an owner that stores a grid in parts, and has no room for its size.
  int64_t first() const { return first_; }
  uint64_t inverse() const { return inverse_; }  // Odd.
  int shift() const { return shift_; }
  ENGINE_ALWAYS_INLINE static uint64_t IndexOf(int64_t number, int64_t first, uint64_t inverse,
                                               int shift) {
    const uint64_t distance = static_cast<uint64_t>(number) - static_cast<uint64_t>(first);
    // Low bits that are rotated out become high bits: the result is an index only if they are zero.
    return std::rotr(distance * inverse, shift);
  }
  static int64_t StepOf(uint64_t inverse, int shift) {
    return static_cast<int64_t>(InverseOfOdd(inverse) << shift);
  }

  // REQUIRES: index < size().
  int64_t NumberAt(uint64_t index) const {
    return first_ + static_cast<int64_t>(index) * StepOf(inverse_, shift_);
  }

 private:
  static int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

  // Newton's method: each step doubles the correct bits. An odd number is its own inverse in the
  // low three bits.
  static uint64_t InverseOfOdd(uint64_t odd) {
    uint64_t inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  int64_t first_ = 0;
  uint64_t inverse_ = 1;
  uint64_t size_ = 0;
  int shift_ = 0;
};

}  // namespace engine

#endif  // ENGINE_TYPES_GRID_H_
