// The processor's time stamp counter: the cheapest clock, for timing single commands.
//
// A reading is fenced: it waits for all earlier instructions, and no later one starts before it. On
// some processors the counter advances in steps of 10 ns; means over many readings are exact
// nevertheless.

#ifndef TOOLS_OS_TICK_CLOCK_H_
#define TOOLS_OS_TICK_CLOCK_H_

#include <x86intrin.h>

#include <algorithm>
#include <cstdint>

#include "tools/os/stopwatch.h"

namespace tools {

// A value type.
class TickClock {
 public:
  // Measures the rate of the counter. Takes 20 ms.
  static TickClock Calibrate() {
    constexpr double kSeconds = 0.02;
    constexpr double k4G = 4294967296.0;
    const Stopwatch stopwatch;
    const uint64_t begin = Ticks();
    while (stopwatch.Seconds() < kSeconds) {
    }
    const auto ticks = static_cast<double>(Ticks() - begin);
    const double nanos_per_tick = stopwatch.Seconds() * 1e9 / ticks;
    return {static_cast<uint64_t>(nanos_per_tick * k4G),
            static_cast<uint64_t>(k4G / nanos_per_tick)};
  }

  static uint64_t Ticks() {
    _mm_lfence();
    const uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
  }

  uint64_t NanosOf(uint64_t ticks) const { return Scale(ticks, nanos_per_4g_ticks_); }
  uint64_t TicksOf(uint64_t nanos) const { return Scale(nanos, ticks_per_4g_nanos_); }

 private:
  TickClock(uint64_t nanos_per_4g_ticks, uint64_t ticks_per_4g_nanos)
      : nanos_per_4g_ticks_(nanos_per_4g_ticks), ticks_per_4g_nanos_(ticks_per_4g_nanos) {}

  // Rounded; saturated at 2^63.
  static uint64_t Scale(uint64_t value, uint64_t per_4g) {
    const auto scaled =
        (static_cast<unsigned __int128>(value) * per_4g + (uint64_t{1} << 31)) >> 32;
    return static_cast<uint64_t>(std::min<unsigned __int128>(scaled, uint64_t{1} << 63));
  }

  uint64_t nanos_per_4g_ticks_;
  uint64_t ticks_per_4g_nanos_;
};

}  // namespace tools

#endif  // TOOLS_OS_TICK_CLOCK_H_
