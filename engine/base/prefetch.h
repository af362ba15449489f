// Has memory come closer to the processor before it is asked for. Any address.
//
// To GCC a function that only fetches ahead does nothing, and calls of it are removed where it is
// not inlined, without a word. The empty statement is something that it may not remove.

#ifndef ENGINE_BASE_PREFETCH_H_
#define ENGINE_BASE_PREFETCH_H_

#include "engine/base/inline.h"

namespace engine {

ENGINE_ALWAYS_INLINE void PrefetchToRead(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}
ENGINE_ALWAYS_INLINE void PrefetchToWrite(const void* at) {
  __builtin_prefetch(at, 1);
  asm volatile("");
}

}  // namespace engine

#endif  // ENGINE_BASE_PREFETCH_H_
