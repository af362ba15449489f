// Settings that reduce disturbance of a measurement, and whether the system granted them.

#ifndef TOOLS_OS_MEASURING_CONDITIONS_H_
#define TOOLS_OS_MEASURING_CONDITIONS_H_

#include <optional>
#include <string>
#include <vector>

namespace tools {

struct MeasuringConditions {
  std::optional<int> core;   // Pin the thread to this core.
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

}  // namespace tools

#endif  // TOOLS_OS_MEASURING_CONDITIONS_H_
