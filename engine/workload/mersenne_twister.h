// The generator std::mt19937, implemented here. Published benchmarks use it, so their order flows
// can be compared. Specified by the C++ standard ([rand.eng.mers]).

#ifndef ENGINE_WORKLOAD_MERSENNE_TWISTER_H_
#define ENGINE_WORKLOAD_MERSENNE_TWISTER_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

// A regular value type: a copy continues as the original would.
class MersenneTwister {
 public:
  explicit constexpr MersenneTwister(uint32_t seed) {
    state_[0] = seed;
    for (size_t i = 1; i < kSize; ++i) {
      const uint32_t before = state_[i - 1];
      state_[i] = 1'812'433'253u * (before ^ (before >> 30)) + static_cast<uint32_t>(i);
    }
  }

  constexpr uint32_t Next() {
    if (next_ == kSize) Twist();
    uint32_t word = state_[next_++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return word ^ (word >> 18);
  }

 private:
  static constexpr size_t kSize = 624;
  static constexpr size_t kShift = 397;

  constexpr void Twist() {
    for (size_t i = 0; i < kSize; ++i) {
      const uint32_t bits = (state_[i] & 0x80000000) | (state_[(i + 1) % kSize] & 0x7fffffff);
      state_[i] = state_[(i + kShift) % kSize] ^ (bits >> 1) ^ (bits % 2 == 1 ? 0x9908b0df : 0);
    }
    next_ = 0;
  }

  std::array<uint32_t, kSize> state_ = {};
  size_t next_ = kSize;
};

}  // namespace bench

#endif  // ENGINE_WORKLOAD_MERSENNE_TWISTER_H_
