// What passes from the thread that receives a feed to the one that keeps its books.
//
//   datagram ─► received ─► decoded into a slot, published ─► the book is updated
//               │                            │                       │
//               └────────── decode ──────────┴───────── book ────────┘

#ifndef TOOLS_FEED_FEED_RING_H_
#define TOOLS_FEED_FEED_RING_H_

#include <cstdint>

#include "engine/base/slot_ring.h"
#include "engine/messages/book_update.h"

namespace tools {

// A value. Times are TickClock::Ticks().
struct FeedSlot {
  engine::BookUpdate update;
  uint64_t received_ticks = 0;   // Of its datagram.
  uint64_t published_ticks = 0;  // When the slot was handed over; 0 if it was not measured.
};

using FeedRing = engine::SlotRing<FeedSlot>;

}  // namespace tools

#endif  // TOOLS_FEED_FEED_RING_H_
