// The newest messages of a MoldUDP64 session, for retransmission: a ring of places of one size.
//
//   place   [ 5 ][ 6 ][ 7 ][ 4 ]     message n is at n modulo the number of places; 8 replaces 4

#ifndef ENGINE_WIRE_MOLD_RECENT_MESSAGES_H_
#define ENGINE_WIRE_MOLD_RECENT_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/retransmission.h"

namespace engine {

// Not thread-safe: owned by the publisher. Allocates in the constructor only.
class MoldRecentMessages final : public MoldHistory {
 public:
  // Keeps `count` messages of at most `framed_bytes_max` bytes each, their lengths included.
  // REQUIRES: neither is zero.
  MoldRecentMessages(size_t count, size_t framed_bytes_max, uint64_t first_sequence = 1);

  // Takes the next message, which stands after its length, and forgets the oldest if there is no
  // room. REQUIRES: it is no longer than `framed_bytes_max`.
  void Add(Bytes framed);

  void Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) override;

  // Those from oldest() to next_sequence() - 1 are kept.
  uint64_t oldest() const;
  uint64_t next_sequence() const { return next_; }

 private:
  std::byte* PlaceOf(uint64_t sequence) {
    return places_.data() + sequence % count_ * framed_bytes_max_;
  }

  const size_t count_;
  const size_t framed_bytes_max_;
  const uint64_t first_;
  uint64_t next_;
  std::vector<std::byte> places_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_RECENT_MESSAGES_H_
