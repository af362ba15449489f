#include "engine/base/large_block.h"

#include <sys/mman.h>

#include <memory>

namespace engine {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = size_t{2} << 20;

}  // namespace

LargeBlock NewLargeBlock(size_t bytes) {
  LargeBlock block(static_cast<std::byte*>(::operator new(bytes, kLargeBlockAlignment)));
  if (bytes < kHugePageBytes) return block;
  // Advice for the whole pages within the block. If the kernel declines it, nothing changes.
  void* pages = block.get();
  size_t rest = bytes;
  std::align(kPageBytes, kPageBytes, pages, rest);
  (void)madvise(pages, rest / kPageBytes * kPageBytes, MADV_HUGEPAGE);
  return block;
}

}  // namespace engine
