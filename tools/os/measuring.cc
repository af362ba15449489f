#include "tools/os/measuring.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
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

constexpr std::pair<const char*, uint64_t> kEvents[] = {
    {"cycles", PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
    {"cache misses", PERF_COUNT_HW_CACHE_MISSES},
    {"branch misses", PERF_COUNT_HW_BRANCH_MISSES},
};

// Returns -1 on error, with the reason in errno.
int Open(uint64_t event) {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = event;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

// Since the thread began.
KernelCounts ReadKernelCounts() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return {.minor_faults = static_cast<uint64_t>(usage.ru_minflt),
          .major_faults = static_cast<uint64_t>(usage.ru_majflt),
          .switches = static_cast<uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw)};
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

ThreadCounters::ThreadCounters() {
  for (const auto& [name, event] : kEvents) {
    const int descriptor = Open(event);
    if (descriptor >= 0) {
      descriptors_.emplace_back(name, descriptor);
    } else if (missing_.empty()) {
      missing_ = absl::StrCat("the kernel gives no ", name, ": ", std::strerror(errno));
    }
  }
}

ThreadCounters::~ThreadCounters() {
  for (const auto& [name, descriptor] : descriptors_) close(descriptor);
}

void ThreadCounters::Start() {
  kernel_counts_ = ReadKernelCounts();
  for (const auto& [name, descriptor] : descriptors_) {
    ioctl(descriptor, PERF_EVENT_IOC_RESET, 0);
    ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0);
  }
}

void ThreadCounters::Stop() {
  for (const auto& [name, descriptor] : descriptors_) ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0);
  const KernelCounts now = ReadKernelCounts();
  kernel_counts_ = {.minor_faults = now.minor_faults - kernel_counts_.minor_faults,
                    .major_faults = now.major_faults - kernel_counts_.major_faults,
                    .switches = now.switches - kernel_counts_.switches};
}

std::vector<HardwareCount> ThreadCounters::hardware_counts() const {
  std::vector<HardwareCount> counts;
  for (const auto& [name, descriptor] : descriptors_) {
    uint64_t value = 0;
    if (read(descriptor, &value, sizeof(value)) == sizeof(value)) counts.push_back({name, value});
  }
  return counts;
}

}  // namespace tools
