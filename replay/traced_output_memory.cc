#include "replay/traced_output_memory.h"

#include <algorithm>
#include <utility>

namespace replay {
namespace {

// Small enough to stay in the L1 cache.
constexpr size_t kFirstSize = 128;

}  // namespace

void TracedOutputMemory::Digest() {
  if (begin_ != end_) trace_.Add({begin_, end_});
  begin_ = end_;
}

std::span<Output> TracedOutputMemory::MakeRoom(std::span<const Output> begun) {
  Digest();
  begin_ = end_ = nullptr;
  if (size_ <= 2 * begun.size()) {
    size_ = std::max(kFirstSize, 4 * begun.size());
    auto larger = std::make_unique<Output[]>(size_);
    std::copy(begun.begin(), begun.end(), larger.get());
    room_ = std::move(larger);
  } else {
    std::copy(begun.begin(), begun.end(), room_.get());
  }
  return {room_.get(), size_};
}

}  // namespace replay
