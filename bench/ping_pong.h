// How near two cores are to each other: the time for a word to go there and back.
//
// On virtual machines they move, and every number of two threads moves with them.

#ifndef BENCH_PING_PONG_H_
#define BENCH_PING_PONG_H_

#include <cstdint>

namespace bench {

// Below this they share a cache.
inline constexpr double kNearNanos = 250;

// The median round trip in nanoseconds. The calling thread runs on `here` afterwards.
double PingPongNanos(int here, int there);

}  // namespace bench

#endif  // BENCH_PING_PONG_H_
