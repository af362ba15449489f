// The cores that this process may use, and pinning a thread to one of them.

#ifndef TOOLS_OS_CORES_H_
#define TOOLS_OS_CORES_H_

#include <sched.h>

#include <vector>

namespace tools {

// Returns the cores that this process may use, ascending.
std::vector<int> UsableCores();

cpu_set_t OnlyCore(int core);

// Pins the calling thread to `core`. Returns false if the system does not allow it.
bool PinThisThread(int core);

}  // namespace tools

#endif  // TOOLS_OS_CORES_H_
