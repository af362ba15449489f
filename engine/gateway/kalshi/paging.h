// What requests say about pages and times, in the terms of the views.

#ifndef ENGINE_GATEWAY_KALSHI_PAGING_H_
#define ENGINE_GATEWAY_KALSHI_PAGING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/types/ids.h"
#include "engine/views/page.h"
#include "engine/wire/kalshi/cursor.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {

// Both bounds are included; times beyond what a Timestamp holds are as far as it goes.
inline TimeRange TimesOf(const kalshi::SecondsRange& seconds) {
  constexpr int64_t kNanos = 1'000'000'000;
  constexpr int64_t kMax = INT64_MAX / kNanos - 1;
  const auto time = [](int64_t second) {
    if (second > kMax) return Timestamp::Max();
    return second < -kMax ? Timestamp::Min() : Timestamp::FromNanos(second * kNanos);
  };
  return {.since = time(seconds.min),
          .until = seconds.max > kMax ? Timestamp::Max() : time(seconds.max + 1)};
}

// What a list is of: whose it is (account zero: everyone's), and the markets, events, series and
// order that the request names. PROTOCOL.md says what differs between the pages of one listing.
uint32_t ListingOf(const KalshiIds& ids, AccountId account, const kalshi::QueryString& query);

// A cursor of another listing means the first page.
inline PageRequest PageOf(const kalshi::Page& page, uint32_t listing) {
  const bool belongs = page.after.has_value() && page.after->listing == listing;
  return {.from = belongs ? page.after->sequence : 0, .limit = static_cast<size_t>(page.limit)};
}

// `next`: of a view's page. Empty on the last page.
inline std::string CursorOf(kalshi::CursorList list, uint32_t listing, uint64_t next) {
  return next == 0 ? std::string()
                   : kalshi::MakeCursor(list, {.sequence = next, .listing = listing});
}

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_PAGING_H_
