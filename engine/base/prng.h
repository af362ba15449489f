// Pseudo-random numbers that are the same on every machine and in every build: xoshiro256++
// (Blackman, Vigna), seeded by splitmix64. The standard distributions are implementation-defined;
// these are not.

#ifndef ENGINE_BASE_PRNG_H_
#define ENGINE_BASE_PRNG_H_

#include <array>
#include <bit>
#include <cstdint>

namespace engine {

// A regular value type: a copy continues as the original would.
class Prng {
 public:
  explicit constexpr Prng(uint64_t seed) {
    for (uint64_t& word : state_) {  // splitmix64
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  constexpr uint64_t Next() {
    const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), without bias (Lemire's method). REQUIRES: bound > 0.
  constexpr uint64_t Below(uint64_t bound) {
    unsigned __int128 product = static_cast<unsigned __int128>(Next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = -bound % bound;
      while (static_cast<uint64_t>(product) < threshold) {
        product = static_cast<unsigned __int128>(Next()) * bound;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Uniform in [low, high], both included. REQUIRES: low <= high, high - low < 2^63.
  constexpr int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }

  // True with probability `percent` / 100.
  constexpr bool Chance(uint64_t percent) { return Below(100) < percent; }

 private:
  std::array<uint64_t, 4> state_ = {};
};

}  // namespace engine

#endif  // ENGINE_BASE_PRNG_H_
