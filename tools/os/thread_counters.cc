#include "tools/os/thread_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tools {
namespace {

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
