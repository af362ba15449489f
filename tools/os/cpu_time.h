// How long the calling thread has been on a core: what its work costs, whatever else the machine
// does meanwhile.

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
