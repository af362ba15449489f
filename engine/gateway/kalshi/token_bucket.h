// A rate limit: tokens flow in at a constant rate up to a capacity, and requests take them out.

#ifndef ENGINE_GATEWAY_KALSHI_TOKEN_BUCKET_H_
#define ENGINE_GATEWAY_KALSHI_TOKEN_BUCKET_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"

namespace engine {

struct BucketSize {
  uint32_t capacity = 0;
  uint32_t refill_rate = 0;  // Tokens a second.
};

// Not thread-safe: owned by the gateway. It begins full. A clock that goes back refills nothing.
class TokenBucket {
 public:
  TokenBucket() = default;
  explicit TokenBucket(BucketSize size) : size_(size), nano_tokens_(CapacityNanos()) {}

  // Takes `cost` tokens and returns true, or takes none if there are fewer.
  bool Take(uint32_t cost, Timestamp now) {
    Refill(now);
    const int64_t wanted = int64_t{cost} * kNanos;
    if (nano_tokens_ < wanted) return false;
    nano_tokens_ -= wanted;
    return true;
  }

  BucketSize size() const { return size_; }

 private:
  static constexpr int64_t kNanos = 1'000'000'000;

  int64_t CapacityNanos() const { return int64_t{size_.capacity} * kNanos; }

  void Refill(Timestamp now) {
    const int64_t elapsed = std::clamp(now.nanos() - refilled_.nanos(), int64_t{0}, kSpanMax);
    refilled_ = std::max(refilled_, now);
    nano_tokens_ = std::min(CapacityNanos(), nano_tokens_ + elapsed * size_.refill_rate);
  }

  // Fills every bucket from empty; longer spans need no exact sum.
  static constexpr int64_t kSpanMax = 60 * kNanos;

  BucketSize size_;
  int64_t nano_tokens_ = 0;
  Timestamp refilled_;
};

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

#endif  // ENGINE_GATEWAY_KALSHI_TOKEN_BUCKET_H_
