#include "tools/os/measuring_conditions.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/os/cores.h"

namespace tools {
namespace {

constexpr char kTunables[] = "GLIBC_TUNABLES";
constexpr char kHugePages[] = "glibc.malloc.hugetlb=1";
constexpr char kHugePageSetting[] = "/sys/kernel/mm/transparent_hugepage/enabled";

ConditionReport Report(const char* name, int error, const std::string& detail) {
  return {.name = name,
          .asked = true,
          .taken = error == 0,
          .detail = error == 0 ? detail : absl::StrCat(detail, ": ", std::strerror(error))};
}

// Returns the memory of this process in huge pages, in KiB.
uint64_t HugeKib() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string word; rollup >> word;) {
    uint64_t kib = 0;
    if (word == "AnonHugePages:" && rollup >> kib) return kib;
  }
  return 0;
}

}  // namespace

std::vector<ConditionReport> TakeConditions(const MeasuringConditions& conditions) {
  std::vector<ConditionReport> reports = {
      {.name = "core"}, {.name = "SCHED_FIFO"}, {.name = "mlockall"}};
  if (conditions.core.has_value()) {
    const bool done = PinThisThread(*conditions.core);
    reports[0] = Report("core", done ? 0 : errno, absl::StrCat("core ", *conditions.core));
  }
  if (conditions.fifo) {
    const sched_param parameters = {.sched_priority = 1};
    const bool done = sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
    reports[1] = Report("SCHED_FIFO", done ? 0 : errno, "priority 1");
  }
  if (conditions.lock_memory) {
    const bool done = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    reports[2] = Report("mlockall", done ? 0 : errno, "present and future pages");
  }
  reports.push_back(HugePagesReport(conditions.huge_pages));
  return reports;
}

ConditionReport HugePagesReport(bool asked) {
  ConditionReport report{.name = "huge pages", .asked = asked};
  if (!asked) return report;
  const uint64_t kib = HugeKib();
  report.taken = kib > 0;
  report.detail = absl::StrCat(kib / 1024, " MiB of this process");
  if (!report.taken) {
    std::string setting = "unknown";
    std::ifstream file(kHugePageSetting);
    std::getline(file, setting);
    report.detail = absl::StrCat("the kernel gave none: transparent_hugepage is ", setting);
  }
  return report;
}

void AskForHugePages() {
  const char* const before = std::getenv(kTunables);
  setenv(kTunables, before == nullptr ? kHugePages : absl::StrCat(before, ":", kHugePages).c_str(),
         1);
}

void RestartWithHugePages(char** arguments) {
  const char* const tunables = std::getenv(kTunables);
  if (tunables != nullptr && absl::StrContains(tunables, kHugePages)) return;
  AskForHugePages();
  execv("/proc/self/exe", arguments);
}

}  // namespace tools
