// What the processor counts of this thread's work, where the kernel lets it be read.

#ifndef TOOLS_OS_HARDWARE_COUNTERS_H_
#define TOOLS_OS_HARDWARE_COUNTERS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tools {

struct HardwareCount {
  std::string name;  // "cycles", "instructions", "cache misses", "branch misses".
  uint64_t value = 0;
};

// Not thread-safe: counts the thread that made it, in user mode, from Start() to Stop().
class HardwareCounters {
 public:
  HardwareCounters();
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  void Start();
  void Stop();

  // Those that there are.
  std::vector<HardwareCount> Read() const;

  // Why one is missing, the first of them; empty where all are there.
  const std::string& missing() const { return missing_; }

 private:
  struct Counter {
    const char* name;
    int descriptor;
  };
  std::vector<Counter> counters_;
  std::string missing_;
};

// What the kernel counts of this thread.
struct ThreadCounts {
  uint64_t minor_faults = 0;  // A page was given.
  uint64_t major_faults = 0;  // A page was read from a disk.
  uint64_t switches = 0;      // It was taken off its core, or waited.
};
ThreadCounts ReadThreadCounts();

}  // namespace tools

#endif  // TOOLS_OS_HARDWARE_COUNTERS_H_
