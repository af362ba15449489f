// What a thread that is measured needs: settings that reduce disturbance, and whether the system
// granted them; counters of the thread; and the cheapest clock, for timing single commands.

#ifndef TOOLS_OS_MEASURING_H_
#define TOOLS_OS_MEASURING_H_

#include <x86intrin.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/os/clocks.h"

namespace tools {

struct MeasuringConditions {
  std::optional<int> core = {};  // Pin the thread to this core.
  bool fifo = false;         // Run under SCHED_FIFO, ahead of all threads that are not real-time.
  bool lock_memory = false;  // Keep all pages in memory: mlockall.
  bool huge_pages = false;   // Back large blocks by huge pages.
};

struct ConditionReport {
  std::string name;  // "core", "SCHED_FIFO", "mlockall", "huge pages".
  bool asked = false;
  bool taken = false;
  std::string detail = "";  // "core 1", and the reason if it was refused.
};

// Applies core and SCHED_FIFO to the calling thread, memory settings to the process. Returns one
// report for each, in the order above.
std::vector<ConditionReport> TakeConditions(const MeasuringConditions& conditions);
// Reports the huge pages that the process uses now; call it again after the memory is allocated.
ConditionReport HugePagesReport(bool asked);

// Makes programs started after this call request huge pages. Only glibc's malloc honours it.
// Returns false if this program requests them already.
bool AskForHugePages();

struct HardwareCount {
  std::string name;  // "cycles", "instructions", "cache misses", "branch misses".
  uint64_t value = 0;
};

struct KernelCounts {
  uint64_t minor_faults = 0;  // Page faults served without I/O.
  uint64_t major_faults = 0;  // Page faults served from disk.
  uint64_t switches = 0;      // Context switches, voluntary and involuntary.
};

// Counters of the calling thread: the processor's, where the kernel allows reading them, and the
// kernel's own. Not thread-safe: counts the thread that created it from Start() to Stop(); in
// hardware, its user mode only.
class ThreadCounters {
 public:
  ThreadCounters();
  ~ThreadCounters();
  ThreadCounters(const ThreadCounters&) = delete;
  ThreadCounters& operator=(const ThreadCounters&) = delete;

  void Start();
  void Stop();

  const KernelCounts& kernel_counts() const { return kernel_counts_; }
  // Those that are available.
  std::vector<HardwareCount> hardware_counts() const;
  // The first hardware counter that is not available, and why; empty if all are available.
  const std::string& missing() const { return missing_; }

 private:
  std::vector<std::pair<const char*, int>> descriptors_;  // By the name of the counter.
  std::string missing_;
  KernelCounts kernel_counts_;  // Until Stop(): since the thread began.
};

// The processor's time stamp counter. A reading is fenced: it waits for all earlier instructions,
// and no later one starts before it. On some processors the counter advances in steps of 10 ns;
// means over many readings are exact nevertheless. A value type.
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

#endif  // TOOLS_OS_MEASURING_H_
