// The writing end of a feed's ring: decodes messages in place, each into its slot.
//
//   [00 24 A…][00 27 R…][00 13 D…] ─► slots: kAdd, kDelete        symbols: R
//                                  └► the tape, if there is one: all, as they are
//
// A message that cannot be decoded is counted and left out; those after it are not affected.

#ifndef TOOLS_FEED_FEED_DECODER_H_
#define TOOLS_FEED_FEED_DECODER_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"
#include "tools/feed/feed_tape.h"

namespace tools {

// Not thread-safe: owned by the thread that receives. What it refers to outlives it.
class FeedDecoder {
 public:
  struct Counters {
    uint64_t updates = 0;    // Published, kClear included.
    uint64_t malformed = 0;  // Messages that are none of the format.
    uint64_t ring_full = 0;  // How often it waited for a slot.
  };

  // `wait` is called while the ring is full: its reader, another thread, gets time; or it is read
  // there. `tape` may be null.
  FeedDecoder(FeedRing& ring, FeedSymbols& symbols, FeedTape* tape, std::function<void()> wait)
      : ring_(ring), symbols_(symbols), tape_(tape), wait_(std::move(wait)) {}

  // When what is taken next was received: TickClock::Ticks().
  void set_received(uint64_t ticks) { received_ticks_ = ticks; }

  // The books begin again, empty.
  void Clear();
  // ITCH messages, each after its length: whole ones, of any content.
  void TakeItch(engine::Bytes framed);
  // One message of the add-cancel format: any bytes. All are of the book kAddCancelLocate.
  void TakeAddCancel(engine::Bytes datagram);

  static constexpr uint16_t kAddCancelLocate = 1;

  const Counters& counters() const { return counters_; }
  // Of the first message that is malformed; otherwise OK.
  const absl::Status& first_error() const { return first_error_; }

 private:
  // Of the messages that come together, the first one and each so many after it are measured:
  // reading the clock takes longer than decoding.
  static constexpr uint64_t kMeasuredEvery = 16;

  FeedSlot& Claim();
  void Publish(FeedSlot& slot, bool is_measured);
  void NoteMalformed(const absl::Status& error);
  void ReadSymbols(engine::Bytes framed);

  FeedRing& ring_;
  FeedSymbols& symbols_;
  FeedTape* const tape_;
  const std::function<void()> wait_;
  uint64_t received_ticks_ = 0;
  Counters counters_;
  absl::Status first_error_;
};

}  // namespace tools

#endif  // TOOLS_FEED_FEED_DECODER_H_
