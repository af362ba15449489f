// Randomness from the operating system: for identifiers only, never for behaviour.

#ifndef TOOLS_OS_ENTROPY_H_
#define TOOLS_OS_ENTROPY_H_

#include <sys/random.h>

#include <cstdint>

#include "engine/base/check.h"

namespace tools {

inline uint64_t RandomWord() {
  uint64_t word = 0;
  CHECK(getrandom(&word, sizeof(word), 0) == sizeof(word));
  return word;
}

}  // namespace tools

#endif  // TOOLS_OS_ENTROPY_H_
