// Answers in pages: some rows, newest first, and where the next page begins.
//
//   rows   9 8 7 6 5 4 3 2 1        from 0, limit 4   ─► 9 8 7 6, next 5
//                                   from 5, limit 4   ─► 5 4 3 2, next 1
//
// A question looks at a bounded number of rows, so a page may be short, or empty, and yet have a
// next one.

#ifndef ENGINE_VIEWS_PAGE_H_
#define ENGINE_VIEWS_PAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/types/ids.h"

namespace engine {

// How many rows one question looks at.
inline constexpr size_t kVisitedRowsMax = 20'000;

struct PageRequest {
  uint64_t from = 0;  // `next` of the page before; zero for the first page. Any number is safe.
  size_t limit = 100;
};

// The rows are valid until the view changes.
template <typename Row>
struct Page {
  std::vector<const Row*> rows;
  uint64_t next = 0;  // Zero: there are no more.
};

// Times from `since` to `until`, without it.
struct TimeRange {
  Timestamp since = Timestamp::Min();
  Timestamp until = Timestamp::Max();

  bool Contains(Timestamp time) const { return since <= time && time < until; }
};

// Whether a filter by markets lets `market` pass: an empty one lets all pass.
inline bool PassesMarkets(std::span<const MarketId> markets, MarketId market) {
  return markets.empty() || std::ranges::find(markets, market) != markets.end();
}

}  // namespace engine

#endif  // ENGINE_VIEWS_PAGE_H_
