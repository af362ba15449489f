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

}  // namespace engine

#endif  // ENGINE_BASE_LARGE_BLOCK_H_
