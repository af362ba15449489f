// Copies to memory that another core will read and this core will not.
//
// An ordinary write first transfers the cache line to this core from the core that read it last:
// one round trip per line. These streaming stores go to memory directly.

#ifndef ENGINE_BASE_COPY_PAST_CACHES_H_
#define ENGINE_BASE_COPY_PAST_CACHES_H_

#include <emmintrin.h>

#include <cstddef>
#include <type_traits>

namespace engine {

// Copies `count` objects. An atomic store afterwards publishes all of them. REQUIRES: the ranges do
// not overlap; `to` is aligned to a cache line.
template <typename T>
void CopyPastCaches(const T* from, size_t count, T* to) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 64 == 0, "whole cache lines");
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  const size_t quarters = count * (sizeof(T) / sizeof(__m128i));
  for (size_t i = 0; i < quarters; ++i) _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  _mm_sfence();  // Streaming stores are unordered: the publishing store could overtake them.
}

}  // namespace engine

#endif  // ENGINE_BASE_COPY_PAST_CACHES_H_
