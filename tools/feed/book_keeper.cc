#include "tools/feed/book_keeper.h"

#include <span>

namespace tools {

size_t BookKeeper::Turn() {
  size_t count = 0;
  for (; count < kBatch; ++count) {
    const FeedSlot* const slot = ring_.Front();
    if (slot == nullptr) break;
    updates_[count] = slot->update;
    times_[count] = {.received = slot->received_ticks, .published = slot->published_ticks};
    ring_.Pop();
  }
  if (count == 0) return 0;
  books_.Apply(std::span(updates_).first(count));
  const uint64_t now = TickClock::Ticks();
  for (const Times& times : std::span(times_).first(count)) {
    if (times.published == 0) continue;
    // The counters of two cores may differ by a few ticks.
    const uint64_t booked = now > times.published ? now - times.published : 0;
    const uint64_t decoded = times.published - times.received;
    latencies_.decode.Record(clock_.NanosOf(decoded));
    latencies_.book.Record(clock_.NanosOf(booked));
    latencies_.total.Record(clock_.NanosOf(decoded + booked));
  }
  return count;
}

}  // namespace tools
