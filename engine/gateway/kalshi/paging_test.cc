#include "engine/gateway/kalshi/paging.h"

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/types/ids.h"
#include "engine/wire/kalshi/cursor.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/query_string.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using kalshi::CursorList;

const KalshiIds kIds(Digest{.low = 1, .high = 2});

uint32_t Of(absl::string_view query, AccountId account = AccountId(1)) {
  return ListingOf(kIds, account, kalshi::QueryString::Parse(query));
}

TEST(Paging, AListingIsOfAnAccountAndOfWhatIsNamed) {
  EXPECT_NE(Of(""), Of("", AccountId(2)));
  EXPECT_NE(Of(""), ListingOf(KalshiIds(Digest{.low = 2, .high = 2}), AccountId(1), {}));
  for (const char* other : {"ticker=A", "ticker=B", "event_ticker=A", "tickers=A", "order_id=A",
                            "series_ticker=A", "tickers=A,B"}) {
    EXPECT_NE(Of(""), Of(other)) << other;
    EXPECT_NE(Of("ticker=C"), Of(other)) << other;
  }
  EXPECT_NE(Of("ticker=A"), Of("event_ticker=A"));
}

TEST(Paging, TheRestMayDifferFromPageToPage) {
  EXPECT_EQ(Of("ticker=A"), Of("ticker=A&cursor=x&limit=5&min_ts=1&max_ts=2&status=resting"));
  EXPECT_EQ(Of("tickers=A,B"), Of("tickers=B&tickers=A"));
}

TEST(Paging, ACursorOfAnotherListingIsTheFirstPage) {
  const auto from = [](uint32_t made, uint32_t used) {
    const std::string cursor = CursorOf(CursorList::kFills, made, 77);
    return PageOf({.after = kalshi::ParseCursor(CursorList::kFills, cursor)}, used).from;
  };
  EXPECT_EQ(from(5, 5), 77u);
  EXPECT_EQ(from(5, 6), 0u);
  EXPECT_EQ(PageOf({.after = std::nullopt}, 5).from, 0u);
  EXPECT_EQ(CursorOf(CursorList::kFills, 5, 0), "");
}

}  // namespace
}  // namespace engine
