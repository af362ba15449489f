#include "engine/wire/kalshi/queries.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

using Texts = std::vector<std::string>;

QueryString Query(absl::string_view text) { return QueryString::Parse(text); }

// The text of the error; empty if there is none.
template <typename T>
std::string ErrorOf(const Result<T>& result) {
  if (result.ok()) return "";
  EXPECT_EQ(result.error().kind, errors::kBadParameter);
  return result.error().details;
}

// The error of one wrong parameter, without what all errors have.
template <typename T>
std::string FieldError(const Result<T>& result) {
  const std::string text = ErrorOf(result);
  const size_t colon = text.find("Error:");
  return colon == std::string::npos ? text : text.substr(colon + 6);
}

// The recorded text.
TEST(QueriesTest, AWrongLimitIsWordedAsRecorded) {
  EXPECT_EQ(ErrorOf(ParseGetMarkets(Query("limit=1001"))),
            "Parameter validation failed for GetMarkets: Key: 'GetMarketsParams.Limit' Error:Field "
            "validation for 'Limit' failed on the 'lte' tag");
}

TEST(QueriesTest, WrongNumbersAndFlagsAreWordedAsGoDoes) {
  EXPECT_EQ(ErrorOf(ParseGetTrades(Query("limit=abc"))),
            "Parameter validation failed for GetTrades: schema: error converting value for "
            "\"limit\": strconv.ParseInt: parsing \"abc\": invalid syntax");
  EXPECT_EQ(ErrorOf(ParseGetEvent(Query("with_nested_markets=maybe"))),
            "Parameter validation failed for GetEvent: schema: error converting value for "
            "\"with_nested_markets\": strconv.ParseBool: parsing \"maybe\": invalid syntax");
}

TEST(QueriesTest, MarketsHaveDefaults) {
  const auto markets = ParseGetMarkets(Query(""));
  ASSERT_TRUE(markets.ok());
  EXPECT_EQ(markets->page.limit, 100);
  EXPECT_EQ(markets->page.after, std::nullopt);
  EXPECT_TRUE(markets->tickers.empty() && markets->statuses.empty());
  EXPECT_EQ(markets->close, SecondsRange());
  EXPECT_FALSE(markets->is_mve_only);
  EXPECT_EQ(ParseGetMarkets(Query("limit=0&status=&cursor="))->page.limit, 100);
}

TEST(QueriesTest, MarketsHaveFilters) {
  const std::string cursor = MakeCursor(CursorList::kMarkets, {.sequence = 7, .listing = 1});
  const auto markets = ParseGetMarkets(Query(
      absl::StrCat("limit=1000&tickers=A,B&event_ticker=E&series_ticker=S&status=open,settled,open&"
                   "min_close_ts=5&max_close_ts=9&mve_filter=only&cursor=",
                   cursor)));
  ASSERT_TRUE(markets.ok()) << ErrorOf(markets);
  EXPECT_EQ(markets->page.limit, 1000);
  EXPECT_EQ(markets->page.after, (CursorPosition{.sequence = 7, .listing = 1}));
  EXPECT_EQ(markets->tickers, (Texts{"A", "B"}));
  EXPECT_EQ(markets->event_tickers, Texts{"E"});
  EXPECT_EQ(markets->series_ticker, "S");
  EXPECT_EQ(markets->statuses, (std::vector{MarketFilter::kOpen, MarketFilter::kSettled}));
  EXPECT_TRUE(markets->close.Contains(5) && markets->close.Contains(9));
  EXPECT_FALSE(markets->close.Contains(4) || markets->close.Contains(10));
  EXPECT_TRUE(markets->is_mve_only);
}

TEST(QueriesTest, MarketsRefuseWhatIsNoFilter) {
  EXPECT_EQ(FieldError(ParseGetMarkets(Query("status=active"))),
            "Field validation for 'Status' failed on the 'oneof' tag");
  EXPECT_EQ(FieldError(ParseGetMarkets(Query("mve_filter=x"))),
            "Field validation for 'MveFilter' failed on the 'oneof' tag");
  EXPECT_EQ(FieldError(ParseGetMarkets(Query("limit=-1"))),
            "Field validation for 'Limit' failed on the 'gte' tag");
  EXPECT_EQ(FieldError(ParseGetMarkets(Query("min_close_ts=-1"))),
            "Field validation for 'MinCloseTs' failed on the 'gte' tag");
}

TEST(QueriesTest, AGarbageCursorIsTheFirstPage) {
  EXPECT_EQ(ParseGetMarkets(Query("cursor=garbage"))->page.after, std::nullopt);
  const std::string other = MakeCursor(CursorList::kTrades, {.sequence = 7});
  EXPECT_EQ(ParseGetFills(Query("cursor=" + other))->page.after, std::nullopt);
}

TEST(QueriesTest, BooksHaveADepthAndTickers) {
  EXPECT_EQ(ParseGetOrderbook(Query(""))->depth, 0);
  EXPECT_EQ(ParseGetOrderbook(Query("depth=100"))->depth, 100);
  EXPECT_FALSE(ParseGetOrderbook(Query("depth=101")).ok());
  EXPECT_EQ(ParseGetOrderbooks(Query("tickers=A&tickers=B"))->tickers, (Texts{"A", "B"}));
  EXPECT_EQ(FieldError(ParseGetOrderbooks(Query(""))),
            "Field validation for 'Tickers' failed on the 'required' tag");
  std::string many = "tickers=T";
  for (int i = 0; i < 100; ++i) many += ",T";
  EXPECT_EQ(FieldError(ParseGetOrderbooks(Query(many))),
            "Field validation for 'Tickers' failed on the 'max' tag");
}

TEST(QueriesTest, TradesHaveATimeAndAKind) {
  const auto trades =
      ParseGetTrades(Query("ticker=A&min_ts=1&max_ts=2&is_block_trade=false&limit=0"));
  ASSERT_TRUE(trades.ok());
  EXPECT_EQ(trades->page.limit, 100);
  EXPECT_EQ(trades->ticker, "A");
  EXPECT_EQ(trades->time.min, 1);
  EXPECT_EQ(trades->time.max, 2);
  EXPECT_EQ(trades->is_block_trade, false);
  EXPECT_EQ(ParseGetTrades(Query(""))->is_block_trade, std::nullopt);
}

TEST(QueriesTest, CandlesticksNeedTheirTimes) {
  const auto candles = ParseGetCandlesticks(Query("start_ts=60&end_ts=120&period_interval=60"));
  ASSERT_TRUE(candles.ok());
  EXPECT_EQ(candles->start_s, 60);
  EXPECT_EQ(candles->end_s, 120);
  EXPECT_EQ(candles->period_minutes, 60);
  EXPECT_EQ(FieldError(ParseGetCandlesticks(Query(""))),
            "Field validation for 'StartTs' failed on the 'required' tag");
  EXPECT_EQ(FieldError(ParseGetCandlesticks(Query("start_ts=1&end_ts=2&period_interval=5"))),
            "Field validation for 'PeriodInterval' failed on the 'oneof' tag");
  EXPECT_EQ(FieldError(ParseGetCandlesticks(Query("start_ts=2&end_ts=1&period_interval=1"))),
            "Field validation for 'EndTs' failed on the 'gtefield' tag");
  EXPECT_EQ(ParseGetBatchCandlesticks(
                Query("market_tickers=A,B&start_ts=1&end_ts=2&period_interval=1440"))
                ->tickers,
            (Texts{"A", "B"}));
  EXPECT_FALSE(ParseGetBatchCandlesticks(Query("start_ts=1&end_ts=2&period_interval=1")).ok());
}

TEST(QueriesTest, EventsComeWithMarketsOnRequest) {
  const auto events = ParseGetEvents(Query(
      "limit=200&status=closed&series_ticker=S&tickers=A&min_close_ts=3&with_nested_markets=true"));
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->statuses, std::vector{MarketFilter::kClosed});
  EXPECT_EQ(events->min_close_s, 3);
  EXPECT_TRUE(events->with_nested_markets);
  EXPECT_EQ(ParseGetEvents(Query(""))->page.limit, 200);
  EXPECT_FALSE(ParseGetEvents(Query("limit=201")).ok());
  EXPECT_FALSE(ParseGetEvents(Query("limit=0")).ok());
  EXPECT_FALSE(ParseGetEvent(Query(""))->with_nested_markets);
}

TEST(QueriesTest, SeriesHaveACategory) {
  const auto series = ParseGetSeriesList(Query("category=Sports&tags=a,b"));
  EXPECT_EQ(series->category, "Sports");
  EXPECT_EQ(series->tags, (Texts{"a", "b"}));
  const auto changes = ParseGetFeeChanges(Query("series_ticker=S&show_historical=1"));
  EXPECT_EQ(changes->series_ticker, "S");
  EXPECT_TRUE(changes->show_historical);
}

TEST(QueriesTest, PositionsHaveFilters) {
  const auto all = ParseGetPositions(Query(""));
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->has_position || all->has_total_traded);
  EXPECT_EQ(all->settlement, GetPositions::Settlement::kUnsettled);
  EXPECT_EQ(all->part.subaccount, std::nullopt);
  const auto some = ParseGetPositions(
      Query("count_filter=position,total_traded&settlement_status=all&event_ticker=E&ticker=T&"
            "subaccount=3&exchange_index=0"));
  ASSERT_TRUE(some.ok()) << ErrorOf(some);
  EXPECT_TRUE(some->has_position && some->has_total_traded);
  EXPECT_EQ(some->settlement, GetPositions::Settlement::kAll);
  EXPECT_EQ(some->event_tickers, Texts{"E"});
  EXPECT_EQ(some->ticker, "T");
  EXPECT_EQ(some->part.subaccount, 3);
  EXPECT_EQ(some->part.exchange_index, 0);
  EXPECT_FALSE(ParseGetPositions(Query("count_filter=x")).ok());
  EXPECT_FALSE(ParseGetPositions(Query("settlement_status=x")).ok());
  EXPECT_FALSE(ParseGetPositions(Query("subaccount=64")).ok());
}

TEST(QueriesTest, FillsAndSettlementsHaveFilters) {
  const auto fills = ParseGetFills(Query("ticker=A,B&order_id=O&min_ts=1&limit=7"));
  ASSERT_TRUE(fills.ok());
  EXPECT_EQ(fills->tickers, (Texts{"A", "B"}));
  EXPECT_EQ(fills->order_id, "O");
  EXPECT_EQ(fills->time.min, 1);
  EXPECT_EQ(fills->page.limit, 7);
  EXPECT_FALSE(ParseGetFills(Query("limit=0")).ok());
  const auto settlements = ParseGetSettlements(Query("ticker=A&event_ticker=E&max_ts=4"));
  ASSERT_TRUE(settlements.ok());
  EXPECT_EQ(settlements->ticker, "A");
  EXPECT_EQ(settlements->event_ticker, "E");
  EXPECT_EQ(settlements->time.max, 4);
}

TEST(QueriesTest, OrdersHaveAStatus) {
  EXPECT_EQ(ParseGetOrders(Query(""))->status, std::nullopt);
  EXPECT_EQ(ParseGetOrders(Query("status=resting"))->status, OrderStatus::kResting);
  EXPECT_EQ(ParseGetOrders(Query("status=canceled"))->status, OrderStatus::kCanceled);
  EXPECT_EQ(ParseGetOrders(Query("status=executed"))->status, OrderStatus::kExecuted);
  EXPECT_FALSE(ParseGetOrders(Query("status=open")).ok());
  EXPECT_FALSE(ParseGetOrders(Query("event_ticker=1,2,3,4,5,6,7,8,9,10,11")).ok());
}

TEST(QueriesTest, QueuePositionsNeedAFilter) {
  EXPECT_EQ(ParseGetQueuePositions(Query("market_tickers=A,B"))->market_tickers, (Texts{"A", "B"}));
  EXPECT_EQ(ParseGetQueuePositions(Query("event_ticker=E"))->event_ticker, "E");
  EXPECT_FALSE(ParseGetQueuePositions(Query("")).ok());
}

TEST(QueriesTest, WritesNameTheirPartOfTheAccount) {
  const auto part = ParsePartOnly(Query("subaccount=2&market_ticker=A"), "CancelOrder");
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->part.subaccount, 2);
  EXPECT_EQ(part->market_ticker, "A");
  EXPECT_EQ(ErrorOf(ParsePartOnly(Query("subaccount=-1"), "CancelOrder")),
            "Parameter validation failed for CancelOrder: Key: 'CancelOrderParams.Subaccount' "
            "Error:Field validation for 'Subaccount' failed on the 'gte' tag");
}

}  // namespace
}  // namespace engine::kalshi
