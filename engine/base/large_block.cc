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
  // Advice for the whole pages of it: where it is not taken, or no huge page fits, all is as it
  // was.
  void* pages = block.get();
  size_t rest = bytes;
  if (bytes >= kHugePageBytes && std::align(kPageBytes, kHugePageBytes / 2, pages, rest)) {
    (void)madvise(pages, rest / kPageBytes * kPageBytes, MADV_HUGEPAGE);
  }
  return block;
}

}  // namespace engine
