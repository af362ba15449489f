// Measures the distance between two cores: the round-trip time of a word.
//
// On virtual machines the distance changes, and every two-thread result changes with it.

#ifndef BENCH_PING_PONG_H_
#define BENCH_PING_PONG_H_

#include <cstdint>

namespace bench {

// Below this, the cores share a cache.
inline constexpr double kNearNanos = 250;

// Returns the median round trip in nanoseconds. Pins the calling thread to `here`.
double PingPongNanos(int here, int there);

}  // namespace bench

#endif  // BENCH_PING_PONG_H_
