// The messages of a MoldUDP64 session, for retransmission: as many of the newest as a number of
// bytes holds.
//
//   blocks   [ 1 2 3 4 ][ 5 6 7 ][ 8 9     ]     if another one is needed, 1 to 4 are forgotten

#ifndef ENGINE_WIRE_MOLD_KEPT_MESSAGES_H_
#define ENGINE_WIRE_MOLD_KEPT_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/retransmission.h"

namespace engine {

// Not thread-safe: owned by the publisher. It takes memory as messages come, for each its own size.
class MoldKeptMessages final : public MoldHistory {
 public:
  // What a block holds, and so the size of the largest message with its length.
  static constexpr size_t kBlockBytes = size_t{16} << 10;

  // Keeps `bytes_max` of messages and lengths, up to a block less; but never less than a block.
  explicit MoldKeptMessages(size_t bytes_max, uint64_t first_sequence = 1);

  // Takes the next message, which stands after its length, and forgets the oldest ones if there is
  // no room. REQUIRES: it is no larger than kBlockBytes.
  void Add(Bytes framed);

  void Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) override;

  // Those from oldest() to next_sequence() - 1 are kept.
  uint64_t oldest() const { return blocks_.empty() ? next_ : blocks_.front().first; }
  uint64_t next_sequence() const { return next_; }

 private:
  struct Block {
    uint64_t first = 0;  // The number of its first message.
    size_t used = 0;     // Bytes.
    std::unique_ptr<std::byte[]> bytes;
  };

  void AddBlock();

  const size_t blocks_max_;
  uint64_t next_;
  std::deque<Block> blocks_;  // Ascending; none is empty.
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_KEPT_MESSAGES_H_
