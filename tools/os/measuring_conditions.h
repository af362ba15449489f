// What a measurement may ask of the system so that less disturbs it, and what it got.

#ifndef TOOLS_OS_MEASURING_CONDITIONS_H_
#define TOOLS_OS_MEASURING_CONDITIONS_H_

#include <optional>
#include <string>
#include <vector>

namespace tools {

struct MeasuringConditions {
  std::optional<int> core;   // Stay on this one.
  bool fifo = false;         // Before everything that is not real-time: SCHED_FIFO.
  bool lock_memory = false;  // No page is taken away: mlockall.
  bool huge_pages = false;   // Large blocks in huge pages.
};

struct ConditionReport {
  std::string name;  // "core", "SCHED_FIFO", "mlockall", "huge pages".
  bool asked = false;
  bool taken = false;
  std::string detail = "";  // "core 1"; why it was refused.
};

// For this thread and, of memory, this process. One report each, in the order above. That of huge
// pages is about the process's memory as it is; ask again when it holds what it will hold.
std::vector<ConditionReport> TakeConditions(const MeasuringConditions& conditions);
ConditionReport HugePagesReport(bool asked);

// Makes programs that are started from here on ask for huge pages. Only glibc's malloc listens.
void AskForHugePages();

// This program again from its beginning, with these arguments, asking for huge pages. Returns if it
// asks for them already, or cannot be started.
void RestartWithHugePages(char** arguments);

}  // namespace tools

#endif  // TOOLS_OS_MEASURING_CONDITIONS_H_
