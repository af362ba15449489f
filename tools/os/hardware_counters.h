// Hardware counters of the calling thread, where the kernel allows reading them.

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

// Not thread-safe: counts the thread that created it, in user mode, from Start() to Stop().
class HardwareCounters {
 public:
  HardwareCounters();
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  void Start();
  void Stop();

  // Returns the counters that are available.
  std::vector<HardwareCount> Read() const;

  // The first counter that is not available, and why; empty if all are available.
  const std::string& missing() const { return missing_; }

 private:
  struct Counter {
    const char* name;
    int descriptor;
  };
  std::vector<Counter> counters_;
  std::string missing_;
};

// Counts that the kernel keeps for the calling thread.
struct ThreadCounts {
  uint64_t minor_faults = 0;  // Page faults served without I/O.
  uint64_t major_faults = 0;  // Page faults served from disk.
  uint64_t switches = 0;      // Context switches, voluntary and involuntary.
};
ThreadCounts ReadThreadCounts();

}  // namespace tools

#endif  // TOOLS_OS_HARDWARE_COUNTERS_H_
