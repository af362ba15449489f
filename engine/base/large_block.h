// Memory for large structures with random access, in huge pages where the system provides them:
// with 4 KiB pages, a TLB miss costs as much again as the memory access itself.

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

// Returns `bytes` uninitialised bytes, aligned to a cache line. Fails as `new` does.
LargeBlock NewLargeBlock(size_t bytes);

// An allocator for standard containers.
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
