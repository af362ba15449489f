// Copies to memory that another core will read, and this one will not.
//
// An ordinary write first has the line come to this core, which takes it away from the one that
// read it last: a round trip, for every line. These go to memory by themselves.

#ifndef ENGINE_BASE_COPY_PAST_CACHES_H_
#define ENGINE_BASE_COPY_PAST_CACHES_H_

#include <emmintrin.h>

#include <cstddef>
#include <type_traits>

namespace engine {

// `count` of them. Whoever publishes them by an atomic store afterwards publishes all of them.
// REQUIRES: they do not overlap; `to` is the beginning of a cache line.
template <typename T>
void CopyPastCaches(const T* from, size_t count, T* to) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 64 == 0, "whole cache lines");
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  const size_t quarters = count * (sizeof(T) / sizeof(__m128i));
  for (size_t i = 0; i < quarters; ++i) _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  _mm_sfence();  // These writes know no order: the store that publishes them would overtake them.
}

}  // namespace engine

#endif  // ENGINE_BASE_COPY_PAST_CACHES_H_
