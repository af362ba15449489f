// Which cores there are for this process, and staying on one of them.

#ifndef TOOLS_OS_CORES_H_
#define TOOLS_OS_CORES_H_

#include <vector>

namespace tools {

// The cores that this process may use, ascending.
std::vector<int> UsableCores();

// Keeps the calling thread on that core. False: the system does not allow it.
bool PinThisThread(int core);

}  // namespace tools

#endif  // TOOLS_OS_CORES_H_
