#include "engine/book/ladder_memory.h"

namespace engine {

void* LadderMemory::do_allocate(size_t bytes, size_t alignment) {
  if (bytes > kSmallBytesMax) return heap_.allocate(bytes, alignment);
  if (!small_.has_value()) small_.emplace(heap_);
  return small_->pool.allocate(bytes, alignment);
}

void LadderMemory::do_deallocate(void* block, size_t bytes, size_t alignment) {
  if (bytes > kSmallBytesMax) return heap_.deallocate(block, bytes, alignment);
  small_->pool.deallocate(block, bytes, alignment);
}

}  // namespace engine
