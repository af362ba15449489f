// Bid or ask. For a binary market, always on the YES leg.

#ifndef ENGINE_TYPES_SIDE_H_
#define ENGINE_TYPES_SIDE_H_

#include <cstdint>

namespace engine {

// Do not renumber: in the journal. Zero is no side.
enum class Side : uint8_t {
  kBid = 1,
  kAsk = 2,
};

constexpr bool IsValid(Side side) { return side == Side::kBid || side == Side::kAsk; }

// REQUIRES: IsValid(side).
constexpr Side Opposite(Side side) { return static_cast<Side>(3 - static_cast<uint8_t>(side)); }

}  // namespace engine

#endif  // ENGINE_TYPES_SIDE_H_
