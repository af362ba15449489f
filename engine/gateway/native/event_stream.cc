#include "engine/gateway/native/event_stream.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace engine {

void EventStream::AddBlock() {
  std::unique_ptr<Block> block;
  while (next_ >= oldest_ + kFramesOfBlock + kept_min_) {
    block = std::move(blocks_.front());
    blocks_.pop_front();
    oldest_ += kFramesOfBlock;
  }
  if (block == nullptr) block = std::make_unique<Block>();
  blocks_.push_back(std::move(block));
}

absl::string_view EventStream::Read(uint64_t& number) const {
  CHECK(oldest_ <= number && number <= next_) << number;
  if (number == next_) return {};
  const uint64_t at = number - oldest_;
  const uint64_t in_block = at % kFramesOfBlock;
  const uint64_t count = std::min(kFramesOfBlock - in_block, next_ - number);
  number += count;
  const native::EventFrame* const first = &(*blocks_[at / kFramesOfBlock])[in_block];
  return {reinterpret_cast<const char*>(first), count * native::kFrameBytes};
}

}  // namespace engine
