#include "engine/wire/mold/kept_messages.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/base/check.h"
#include "engine/wire/mold/packet.h"

namespace engine {
namespace {

size_t SizeOf(const std::byte* framed) {
  return kMoldLengthBytes + LoadBigEndian<uint16_t>(framed);
}

}  // namespace

MoldKeptMessages::MoldKeptMessages(size_t bytes_max, uint64_t first_sequence)
    : blocks_max_(std::max<size_t>(bytes_max / kBlockBytes, 2)), next_(first_sequence) {}

void MoldKeptMessages::Add(Bytes framed) {
  CHECK(framed.size() >= kMoldLengthBytes && framed.size() <= kBlockBytes) << framed.size();
  if (blocks_.empty() || framed.size() > kBlockBytes - blocks_.back().used) AddBlock();
  Block& block = blocks_.back();
  std::memcpy(&block.bytes[block.used], framed.data(), framed.size());
  block.used += framed.size();
  ++next_;
}

void MoldKeptMessages::AddBlock() {
  Block block;
  if (blocks_.size() == blocks_max_) {
    block.bytes = std::move(blocks_.front().bytes);
    blocks_.pop_front();
  } else {
    block.bytes = std::make_unique_for_overwrite<std::byte[]>(kBlockBytes);
  }
  block.first = next_;
  blocks_.push_back(std::move(block));
}

void MoldKeptMessages::Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) {
  if (first < oldest() || first >= next_) return;
  auto block = std::prev(std::ranges::upper_bound(blocks_, first, {}, &Block::first));
  uint64_t sequence = block->first;
  for (; block != blocks_.end(); ++block) {
    for (size_t at = 0; at < block->used; ++sequence) {
      const std::byte* const message = &block->bytes[at];
      const size_t bytes = SizeOf(message);
      if (sequence >= first && !take(Bytes(message, bytes))) return;
      at += bytes;
    }
  }
}

}  // namespace engine
