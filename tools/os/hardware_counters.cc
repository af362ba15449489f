#include "tools/os/hardware_counters.h"

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

}  // namespace

HardwareCounters::HardwareCounters() {
  for (const auto& [name, event] : kEvents) {
    const int descriptor = Open(event);
    if (descriptor >= 0) {
      counters_.push_back({name, descriptor});
    } else if (missing_.empty()) {
      missing_ = absl::StrCat("the kernel gives no ", name, ": ", std::strerror(errno));
    }
  }
}

HardwareCounters::~HardwareCounters() {
  for (const Counter& counter : counters_) close(counter.descriptor);
}

void HardwareCounters::Start() {
  for (const Counter& counter : counters_) {
    ioctl(counter.descriptor, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter.descriptor, PERF_EVENT_IOC_ENABLE, 0);
  }
}

void HardwareCounters::Stop() {
  for (const Counter& counter : counters_) ioctl(counter.descriptor, PERF_EVENT_IOC_DISABLE, 0);
}

std::vector<HardwareCount> HardwareCounters::Read() const {
  std::vector<HardwareCount> counts;
  for (const Counter& counter : counters_) {
    uint64_t value = 0;
    if (read(counter.descriptor, &value, sizeof(value)) != sizeof(value)) continue;
    counts.push_back({counter.name, value});
  }
  return counts;
}

ThreadCounts ReadThreadCounts() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return {.minor_faults = static_cast<uint64_t>(usage.ru_minflt),
          .major_faults = static_cast<uint64_t>(usage.ru_majflt),
          .switches = static_cast<uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw)};
}

}  // namespace tools
