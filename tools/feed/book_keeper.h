// The reading end of a feed's ring: applies the updates to the books, and measures how long they
// took.

#ifndef TOOLS_FEED_BOOK_KEEPER_H_
#define TOOLS_FEED_BOOK_KEEPER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/messages/book_update.h"
#include "engine/views/feed_books.h"
#include "replay/retime/latency_histogram.h"
#include "tools/feed/feed_ring.h"
#include "tools/os/measuring.h"

namespace tools {

// Nanoseconds of each stage that an update passes, of those that were measured. A value type.
struct FeedLatencies {
  replay::LatencyHistogram decode = {};  // From the receipt of its datagram to the slot.
  replay::LatencyHistogram book = {};    // From there to the changed book.
  replay::LatencyHistogram total = {};
};

// Not thread-safe: owned by the thread that keeps the books. `ring` outlives it.
class BookKeeper {
 public:
  BookKeeper(FeedRing& ring, const TickClock& clock, size_t orders_max)
      : ring_(ring), clock_(clock), books_(orders_max) {}

  // Applies what waits, and no more than kBatch updates. Returns how many.
  size_t Turn();

  static constexpr size_t kBatch = 64;

  const engine::FeedBooks& books() const { return books_; }
  const FeedLatencies& latencies() const { return latencies_; }

 private:
  struct Times {
    uint64_t received = 0;
    uint64_t published = 0;  // 0: not measured.
  };

  FeedRing& ring_;
  const TickClock clock_;
  engine::FeedBooks books_;
  FeedLatencies latencies_;
  std::array<engine::BookUpdate, kBatch> updates_;
  std::array<Times, kBatch> times_;
};

}  // namespace tools

#endif  // TOOLS_FEED_BOOK_KEEPER_H_
