#include "tools/client/backoff.h"

#include <algorithm>
#include <cstdint>

#include "gtest/gtest.h"

namespace client {
namespace {

TEST(Backoff, DoublesUpToItsMost) {
  Backoff backoff(7);
  int64_t span = Backoff::kFirstNanos;
  for (int i = 0; i < 20; ++i) {
    const int64_t wait = backoff.NextNanos();
    EXPECT_GE(wait, span / 2);
    EXPECT_LE(wait, span);
    span = std::min(2 * span, Backoff::kMostNanos);
  }
  EXPECT_EQ(span, Backoff::kMostNanos);
  backoff.Reset();
  EXPECT_LE(backoff.NextNanos(), Backoff::kFirstNanos);
}

TEST(Backoff, FollowsFromItsSeed) {
  Backoff a(1);
  Backoff b(1);
  Backoff other(2);
  bool differs = false;
  for (int i = 0; i < 8; ++i) {
    const int64_t wait = a.NextNanos();
    EXPECT_EQ(b.NextNanos(), wait);
    differs |= other.NextNanos() != wait;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace client
