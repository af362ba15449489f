// A rate limit: tokens flow in at a constant rate up to a capacity, and requests take them out.

#ifndef ENGINE_BASE_TOKEN_BUCKET_H_
#define ENGINE_BASE_TOKEN_BUCKET_H_

#include <algorithm>
#include <cstdint>

#include "engine/base/timestamp.h"

namespace engine {

struct BucketSize {
  uint32_t capacity = 0;
  uint32_t refill_rate = 0;  // Tokens a second.
};

// Not thread-safe. It begins full. A clock that goes back refills nothing.
class TokenBucket {
 public:
  TokenBucket() = default;
  explicit TokenBucket(BucketSize size) : size_(size), nano_tokens_(CapacityNanos()) {}

  // Whether there are `cost` tokens.
  bool Has(uint32_t cost, Timestamp now) {
    Refill(now);
    return nano_tokens_ >= int64_t{cost} * kNanos;
  }
  // Takes `cost` tokens and returns true, or takes none if there are fewer.
  bool Take(uint32_t cost, Timestamp now) {
    if (!Has(cost, now)) return false;
    nano_tokens_ -= int64_t{cost} * kNanos;
    return true;
  }
  // Takes all tokens.
  void Drain(Timestamp now) {
    Refill(now);
    nano_tokens_ = 0;
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

}  // namespace engine

#endif  // ENGINE_BASE_TOKEN_BUCKET_H_
