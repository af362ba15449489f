#include "tools/os/measuring_conditions.h"

#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr char kTunables[] = "GLIBC_TUNABLES";
constexpr char kHugePages[] = "glibc.malloc.hugetlb=1";
constexpr char kHugePageSetting[] = "/sys/kernel/mm/transparent_hugepage/enabled";

// `take` applies the condition; returns false with the reason in errno.
ConditionReport Take(const char* name, bool asked, const std::string& detail,
                     const std::function<bool()>& take) {
  ConditionReport report{.name = name, .asked = asked};
  if (!asked) return report;
  report.taken = take();
  report.detail = report.taken ? detail : absl::StrCat(detail, ": ", std::strerror(errno));
  return report;
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
  const int core = conditions.core.value_or(0);
  return {Take("core", conditions.core.has_value(), absl::StrCat("core ", core),
               [&] { return PinThisThread(core); }),
          Take("SCHED_FIFO", conditions.fifo, "priority 1",
               [] {
                 const sched_param parameters = {.sched_priority = 1};
                 return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
               }),
          Take("mlockall", conditions.lock_memory, "present and future pages",
               [] { return mlockall(MCL_CURRENT | MCL_FUTURE) == 0; }),
          HugePagesReport(conditions.huge_pages)};
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

bool AskForHugePages() {
  const char* const before = std::getenv(kTunables);
  if (before != nullptr && absl::StrContains(before, kHugePages)) return false;
  setenv(kTunables, before == nullptr ? kHugePages : absl::StrCat(before, ":", kHugePages).c_str(),
         1);
  return true;
}

}  // namespace tools
