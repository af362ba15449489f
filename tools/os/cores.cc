#include "tools/os/cores.h"

#include <cstddef>

namespace tools {

std::vector<int> UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return {0};
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

cpu_set_t OnlyCore(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(core), &set);
  return set;
}

bool PinThisThread(int core) {
  const cpu_set_t set = OnlyCore(core);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

}  // namespace tools
