// Counters of the calling thread: the processor's, where the kernel allows reading them, and the
// kernel's own.

#ifndef TOOLS_OS_THREAD_COUNTERS_H_
#define TOOLS_OS_THREAD_COUNTERS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tools {

struct HardwareCount {
  std::string name;  // "cycles", "instructions", "cache misses", "branch misses".
  uint64_t value = 0;
};

struct KernelCounts {
  uint64_t minor_faults = 0;  // Page faults served without I/O.
  uint64_t major_faults = 0;  // Page faults served from disk.
  uint64_t switches = 0;      // Context switches, voluntary and involuntary.
};

// Not thread-safe: counts the thread that created it from Start() to Stop(); in hardware, its user
// mode only.
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

}  // namespace tools

#endif  // TOOLS_OS_THREAD_COUNTERS_H_
