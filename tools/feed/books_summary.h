// All books of a feed as one value, so that two who have kept them can compare.

#ifndef TOOLS_FEED_BOOKS_SUMMARY_H_
#define TOOLS_FEED_BOOKS_SUMMARY_H_

#include <cstdint>

#include "engine/base/digest.h"
#include "engine/views/feed_books.h"

namespace tools {

// A regular value type.
struct BooksSummary {
  uint64_t books = 0;  // With at least one order.
  uint64_t levels = 0;
  uint64_t orders = 0;
  // Of the levels: by locate, bids before asks, from the best on. Each is five numbers of 8 bytes,
  // little-endian: locate, side, price, quantity, count of orders.
  engine::Digest digest = {};

  friend bool operator==(const BooksSummary&, const BooksSummary&) = default;
};

// Takes about a millisecond for ten thousand books.
BooksSummary SummaryOf(const engine::FeedBooks& books);

}  // namespace tools

#endif  // TOOLS_FEED_BOOKS_SUMMARY_H_
