#include "tools/os/entropy.h"

#include <sys/random.h>

#include "engine/base/check.h"

namespace tools {

uint64_t RandomWord() {
  uint64_t word = 0;
  CHECK(getrandom(&word, sizeof(word), 0) == sizeof(word));
  return word;
}

}  // namespace tools
