// How often this thread has allocated: linking this replaces the program's operator new by one that
// counts, which costs an addition.

#ifndef TOOLS_OS_ALLOCATION_COUNT_H_
#define TOOLS_OS_ALLOCATION_COUNT_H_

#include <cstdint>

namespace tools {

// Calls of operator new by this thread since it began.
uint64_t AllocationCount();

}  // namespace tools

#endif  // TOOLS_OS_ALLOCATION_COUNT_H_
