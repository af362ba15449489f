// What each tier of Kalshi's may ask for.

#ifndef ENGINE_GATEWAY_KALSHI_TIERS_H_
#define ENGINE_GATEWAY_KALSHI_TIERS_H_

#include <array>

#include "absl/strings/string_view.h"
#include "engine/base/token_bucket.h"

namespace engine {

// What an account may spend: reads and writes have a bucket each.
struct KalshiTier {
  absl::string_view name;
  BucketSize read;
  BucketSize write;
};

inline constexpr auto kKalshiTiers = std::to_array<KalshiTier>({
    {"basic", {200, 200}, {100, 100}},
    {"advanced", {600, 300}, {600, 300}},
    {"expert", {1'200, 600}, {1'200, 600}},
    {"premier", {2'000, 1'000}, {2'000, 1'000}},
    {"paragon", {4'000, 2'000}, {4'000, 2'000}},
    {"prime", {8'000, 4'000}, {8'000, 4'000}},
    {"prestige", {20'000, 10'000}, {16'000, 8'000}},
});

// Null if there is no tier of that name.
constexpr const KalshiTier* FindKalshiTier(absl::string_view name) {
  for (const KalshiTier& tier : kKalshiTiers) {
    if (tier.name == name) return &tier;
  }
  return nullptr;
}

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_TIERS_H_
