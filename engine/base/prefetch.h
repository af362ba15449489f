// Has memory come closer to the processor before it is asked for. Any address.
//
// To GCC a function that only fetches ahead does nothing, and calls of it are removed where it is
// not inlined, without a word. The empty statement is something that it may not remove.

#ifndef ENGINE_BASE_PREFETCH_H_
#define ENGINE_BASE_PREFETCH_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/inline.h"

namespace engine {

ENGINE_ALWAYS_INLINE void PrefetchToRead(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}
// What lies `bytes` behind `at`, whatever it is.
ENGINE_ALWAYS_INLINE void PrefetchToReadBehind(const void* at, size_t bytes) {
  PrefetchToRead(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(at) + bytes));
}
ENGINE_ALWAYS_INLINE void PrefetchToWrite(const void* at) {
  __builtin_prefetch(at, 1);
  asm volatile("");
}

}  // namespace engine

#endif  // ENGINE_BASE_PREFETCH_H_
