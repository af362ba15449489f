#include "bench/counting_new.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<uint64_t> allocation_count = 0;
std::atomic<int64_t> bytes_in_use = 0;

void* Count(void* memory) {
  if (memory == nullptr) std::abort();
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  bytes_in_use.fetch_add(static_cast<int64_t>(malloc_usable_size(memory)),
                         std::memory_order_relaxed);
  return memory;
}

void Release(void* memory) {
  bytes_in_use.fetch_sub(static_cast<int64_t>(malloc_usable_size(memory)),
                         std::memory_order_relaxed);
  std::free(memory);
}

void* AllocateAligned(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return Count(std::aligned_alloc(align, (size + align - 1) / align * align));
}

}  // namespace

void* operator new(std::size_t size) { return Count(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return Count(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return AllocateAligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return AllocateAligned(size, alignment);
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete[](void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { Release(memory); }

namespace bench {

uint64_t AllocationCount() { return allocation_count.load(std::memory_order_relaxed); }
int64_t BytesInUse() { return bytes_in_use.load(std::memory_order_relaxed); }

}  // namespace bench
