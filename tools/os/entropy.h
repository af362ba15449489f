// Randomness from the operating system: for identifiers only, never for behaviour.

#ifndef TOOLS_OS_ENTROPY_H_
#define TOOLS_OS_ENTROPY_H_

#include <cstdint>

namespace tools {

uint64_t RandomWord();

}  // namespace tools

#endif  // TOOLS_OS_ENTROPY_H_
