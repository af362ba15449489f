#include "engine/base/token_bucket.h"

#include <cstdint>

#include "engine/base/timestamp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Timestamp At(int64_t nanos) { return Timestamp::FromNanos(1'800'000'000 * kSecond + nanos); }

TEST(TokenBucket, BeginsFullAndRefillsAtItsRate) {
  TokenBucket bucket({.capacity = 100, .refill_rate = 100});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(bucket.Take(10, At(0)));
  EXPECT_FALSE(bucket.Take(10, At(0)));
  EXPECT_FALSE(bucket.Take(10, At(kSecond / 10 - 1)));
  EXPECT_TRUE(bucket.Take(10, At(kSecond / 10)));
  EXPECT_FALSE(bucket.Take(1, At(kSecond / 10)));
}

TEST(TokenBucket, HoldsAtMostItsCapacity) {
  TokenBucket bucket({.capacity = 100, .refill_rate = 1'000});
  EXPECT_TRUE(bucket.Take(100, At(0)));
  EXPECT_TRUE(bucket.Take(100, At(1'000 * kSecond)));
  EXPECT_FALSE(bucket.Take(1, At(1'000 * kSecond)));
}

TEST(TokenBucket, ARequestDearerThanTheCapacityNeverPasses) {
  TokenBucket bucket({.capacity = 100, .refill_rate = 100});
  EXPECT_FALSE(bucket.Take(101, At(0)));
  EXPECT_FALSE(bucket.Take(101, At(1'000 * kSecond)));
  EXPECT_TRUE(bucket.Take(100, At(1'000 * kSecond)));
}

TEST(TokenBucket, AClockThatGoesBackRefillsNothing) {
  TokenBucket bucket({.capacity = 10, .refill_rate = 10});
  EXPECT_TRUE(bucket.Take(10, At(5 * kSecond)));
  EXPECT_FALSE(bucket.Take(1, At(0)));
  EXPECT_FALSE(bucket.Take(1, At(5 * kSecond)));
  EXPECT_TRUE(bucket.Take(10, At(6 * kSecond)));
}

TEST(TokenBucket, DrainsAndRefills) {
  TokenBucket bucket({.capacity = 10, .refill_rate = 10});
  EXPECT_TRUE(bucket.Has(10, At(0)));
  bucket.Drain(At(0));
  EXPECT_FALSE(bucket.Has(1, At(0)));
  EXPECT_TRUE(bucket.Has(10, At(kSecond)));
  EXPECT_TRUE(bucket.Take(10, At(kSecond)));
}

}  // namespace
}  // namespace engine
