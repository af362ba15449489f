// How many files and sockets this process may have open.

#ifndef TOOLS_OS_DESCRIPTOR_LIMIT_H_
#define TOOLS_OS_DESCRIPTOR_LIMIT_H_

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace tools {

// Raises the limit to `wanted`, or as far as this user may; never lowers it. Returns what it is.
inline uint64_t RaiseDescriptorLimit(uint64_t wanted) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  rlimit higher = limit;
  // The superuser may also raise the hard limit.
  higher.rlim_cur = wanted;
  higher.rlim_max = std::max<rlim_t>(limit.rlim_max, wanted);
  if (setrlimit(RLIMIT_NOFILE, &higher) == 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace tools

#endif  // TOOLS_OS_DESCRIPTOR_LIMIT_H_
