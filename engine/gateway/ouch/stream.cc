#include "engine/gateway/ouch/stream.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/wire/soup/packets.h"

namespace engine {
namespace {

// Of a packet of sequenced data, besides its message.
constexpr size_t kFrameBytes = kSoupLengthBytes + 1;

}  // namespace

void OuchStream::Append(Bytes message) {
  CHECK(!has_ended_);
  const size_t size = kFrameBytes + message.size();
  CHECK_LE(size, kBlockBytes);
  if (blocks_.empty() || blocks_.back().bytes.size() + size > kBlockBytes) {
    if (!blocks_.empty()) end_ = {.block = end_.block + 1, .at = 0, .number = end_.number};
    blocks_.push_back({.first_number = end_.number, .bytes = {}});
    blocks_.back().bytes.reserve(kBlockBytes);
  }
  while (blocks_.size() > std::max<size_t>(blocks_max_, 1)) {
    blocks_.pop_front();
    ++first_block_;
  }
  AppendSoupPacket(SoupType::kSequencedData, message, blocks_.back().bytes);
  end_.at += size;
  ++end_.number;
}

std::optional<OuchStream::Place> OuchStream::Find(uint64_t number) const {
  if (number == 0 || number > released_.number) return std::nullopt;
  if (number == released_.number) return released_;
  const auto after = std::ranges::upper_bound(blocks_, number, {}, &Block::first_number);
  if (after == blocks_.begin()) return std::nullopt;
  const auto block = after - 1;
  Place place = {.block = first_block_ + static_cast<uint64_t>(block - blocks_.begin()),
                 .at = 0,
                 .number = block->first_number};
  for (; place.number < number; ++place.number) {
    place.at += kSoupLengthBytes + LoadBigEndian<uint16_t>(AsBytes(block->bytes).data() + place.at);
  }
  return place;
}

absl::string_view OuchStream::Read(Place& place) const {
  if (place.number == released_.number) return {};
  if (place.at == BlockOf(place).bytes.size()) place = {place.block + 1, 0, place.number};
  const Block& block = BlockOf(place);
  const absl::string_view bytes = block.bytes;
  if (place.block == released_.block) {
    const size_t from = place.at;
    place = released_;
    return bytes.substr(from, released_.at - from);
  }
  const absl::string_view rest = bytes.substr(place.at);
  place = {.block = place.block,
           .at = bytes.size(),
           .number = blocks_[place.block + 1 - first_block_].first_number};
  return rest;
}

}  // namespace engine
