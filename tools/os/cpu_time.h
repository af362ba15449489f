// The CPU time of the calling thread, in nanoseconds: the cost of its work, independent of other
// load on the machine.

#ifndef TOOLS_OS_CPU_TIME_H_
#define TOOLS_OS_CPU_TIME_H_

#include <time.h>

#include <cstdint>

namespace tools {

inline int64_t ThreadCpuNanos() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace tools

#endif  // TOOLS_OS_CPU_TIME_H_
