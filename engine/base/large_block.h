// Memory for what grows large and is looked at in no order.
//
// In huge pages, where the system gives any: to find a page of 4 KiB that the processor does not
// remember costs as much again as the look at what lies there.

#ifndef ENGINE_BASE_LARGE_BLOCK_H_
#define ENGINE_BASE_LARGE_BLOCK_H_

#include <cstddef>
#include <memory>
#include <new>

namespace engine {

inline constexpr std::align_val_t kLargeBlockAlignment{64};

struct DeleteLargeBlock {
  void operator()(std::byte* block) const { ::operator delete(block, kLargeBlockAlignment); }
};
using LargeBlock = std::unique_ptr<std::byte[], DeleteLargeBlock>;

// As many bytes, whatever they were, from the beginning of a cache line on. Fails as `new` does.
LargeBlock NewLargeBlock(size_t bytes);

// For containers of the standard library.
template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(size_t count) {
    static_assert(alignof(T) <= static_cast<size_t>(kLargeBlockAlignment));
    return reinterpret_cast<T*>(NewLargeBlock(count * sizeof(T)).release());
  }
  void deallocate(T* memory, size_t) { DeleteLargeBlock()(reinterpret_cast<std::byte*>(memory)); }

  friend bool operator==(LargeAllocator, LargeAllocator) { return true; }
};

}  // namespace engine

#endif  // ENGINE_BASE_LARGE_BLOCK_H_
