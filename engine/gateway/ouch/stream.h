// The sequenced messages of a login in one session, as packets that are ready to be sent.
//
//   Append ─► │ block │ block │ block ... │ ─► Read(place)
//             └ first kept    └ released ┘└ held ┘
//
// A message that was appended may be read once it is released. Blocks have whole packets, so what
// is read at a time can be sent between other packets.

#ifndef ENGINE_GATEWAY_OUCH_STREAM_H_
#define ENGINE_GATEWAY_OUCH_STREAM_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// Not thread-safe: owned by the ledger, and read by connections.
class OuchStream {
 public:
  // Memory: at most this. Beyond it, the oldest messages are given up.
  static constexpr size_t kBytesMax = size_t{1} << 30;
  static constexpr size_t kBlockBytes = size_t{64} << 10;

  explicit OuchStream(size_t bytes_max = kBytesMax) : blocks_max_(bytes_max / kBlockBytes) {}

  // Between two messages. A regular value type.
  struct Place {
    uint64_t block = 0;   // From 0, those that were given up included.
    size_t at = 0;        // Bytes of the block.
    uint64_t number = 1;  // Of the message after it.

    friend bool operator==(const Place&, const Place&) = default;
  };

  void Append(Bytes message);
  // No more is appended.
  void End() { has_ended_ = true; }

  // After the last message.
  const Place& end() const { return end_; }
  // Messages before `place` may be read.
  void Release(const Place& place) { released_ = place; }
  const Place& released() const { return released_; }
  // Whether all messages are released and no more follow.
  bool is_complete() const { return has_ended_ && released_ == end_; }

  // Before the message of this number; nullopt if it is given up, or later than the next one that
  // will be released.
  std::optional<Place> Find(uint64_t number) const;

  // Whether what follows `place` is kept.
  bool Has(const Place& place) const { return place.block >= first_block_; }
  // The released packets after `place`, as far as a block has them; empty if there are none.
  // `place` is moved after them. Valid until the next call of Append(). REQUIRES: Has(place).
  absl::string_view Read(Place& place) const;
  // An upper bound of the released bytes after `place`.
  size_t BytesAfter(const Place& place) const {
    return (released_.block - place.block) * kBlockBytes + released_.at - place.at;
  }

 private:
  struct Block {
    uint64_t first_number = 0;
    std::string bytes;
  };

  const Block& BlockOf(const Place& place) const { return blocks_[place.block - first_block_]; }

  const size_t blocks_max_;
  uint64_t first_block_ = 0;
  std::deque<Block> blocks_;
  Place end_;
  Place released_;
  bool has_ended_ = false;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_STREAM_H_
