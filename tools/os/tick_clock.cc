#include "tools/os/tick_clock.h"

#include "tools/os/stopwatch.h"

namespace tools {

TickClock TickClock::Calibrate() {
  constexpr double kSeconds = 0.02;
  constexpr double k4G = 4294967296.0;
  const Stopwatch stopwatch;
  const uint64_t begin = Ticks();
  while (stopwatch.Seconds() < kSeconds) {
  }
  const auto ticks = static_cast<double>(Ticks() - begin);
  const double nanos_per_tick = stopwatch.Seconds() * 1e9 / ticks;
  return {static_cast<uint64_t>(nanos_per_tick * k4G), static_cast<uint64_t>(k4G / nanos_per_tick)};
}

}  // namespace tools
