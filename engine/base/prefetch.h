// Prefetches memory. Accepts any address, valid or not.
//
// To GCC, a function that only prefetches has no effect: where it is not inlined, GCC silently
// removes calls to it. GCC may not remove the empty asm statement, and so keeps the call.

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
// Prefetches the address `bytes` after `at`. Any address.
ENGINE_ALWAYS_INLINE void PrefetchToReadAfter(const void* at, size_t bytes) {
  PrefetchToRead(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(at) + bytes));
}
ENGINE_ALWAYS_INLINE void PrefetchToWrite(const void* at) {
  __builtin_prefetch(at, 1);
  asm volatile("");
}

}  // namespace engine

#endif  // ENGINE_BASE_PREFETCH_H_
