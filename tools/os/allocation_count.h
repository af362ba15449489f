// The number of allocations by the calling thread. Linking this library replaces the program's
// operator new by one that counts, at the cost of one addition.

#ifndef TOOLS_OS_ALLOCATION_COUNT_H_
#define TOOLS_OS_ALLOCATION_COUNT_H_

#include <cstdint>

namespace tools {

// Returns the number of calls of operator new by the calling thread since it started.
uint64_t AllocationCount();

}  // namespace tools

#endif  // TOOLS_OS_ALLOCATION_COUNT_H_
