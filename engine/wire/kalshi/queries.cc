#include "engine/wire/kalshi/queries.h"

#include <algorithm>
#include <utility>

#include "engine/wire/kalshi/query_reader.h"

namespace engine::kalshi {
namespace {

constexpr int64_t kLimitMax = 1'000;
constexpr int32_t kLimitDefault = 100;
constexpr size_t kTickersMax = 100;
constexpr size_t kMarketTickersMax = 1'000;
constexpr size_t kEventTickersMax = 10;

std::optional<MarketFilter> ParseMarketFilter(absl::string_view text) {
  if (text == "unopened") return MarketFilter::kUnopened;
  if (text == "open") return MarketFilter::kOpen;
  if (text == "paused") return MarketFilter::kPaused;
  if (text == "closed") return MarketFilter::kClosed;
  if (text == "settled") return MarketFilter::kSettled;
  return std::nullopt;
}

std::vector<MarketFilter> ReadStatuses(QueryReader& reader) {
  std::vector<MarketFilter> statuses;
  for (const std::string& text : reader.List("status", kTickersMax)) {
    const std::optional<MarketFilter> status = ParseMarketFilter(text);
    if (!status.has_value()) {
      reader.Fail("status", "oneof");
    } else if (std::find(statuses.begin(), statuses.end(), *status) == statuses.end()) {
      statuses.push_back(*status);
    }
  }
  return statuses;
}

std::optional<OrderStatus> ReadOrderStatus(QueryReader& reader) {
  const std::string text = reader.Text("status");
  const std::optional<OrderStatus> status = ParseOrderStatus(text);
  if (!text.empty() && !status.has_value()) reader.Fail("status", "oneof");
  return status;
}

GetPositions::Settlement ReadSettlementStatus(QueryReader& reader) {
  const std::string text = reader.Text("settlement_status");
  if (text.empty() || text == "unsettled") return GetPositions::Settlement::kUnsettled;
  if (text == "settled") return GetPositions::Settlement::kSettled;
  if (text != "all") reader.Fail("settlement_status", "oneof");
  return GetPositions::Settlement::kAll;
}

GetCandlesticks ReadCandlesticks(QueryReader& reader) {
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  const auto start = reader.Integer("start_ts", 0, kAny);
  const auto end = reader.Integer("end_ts", 0, kAny);
  const auto period = reader.Integer("period_interval", 0, kAny);
  reader.Require("start_ts", start.has_value());
  reader.Require("end_ts", end.has_value());
  reader.Require("period_interval", period.has_value());
  if (period != 1 && period != 60 && period != 1440) reader.Fail("period_interval", "oneof");
  if (end.value_or(0) < start.value_or(0)) reader.Fail("end_ts", "gtefield");
  return {.start_s = start.value_or(0),
          .end_s = end.value_or(0),
          .period_minutes = static_cast<int32_t>(period.value_or(1)),
          .include_latest_before_start = reader.Flag("include_latest_before_start")};
}

kalshi::Page ReadPage(CursorList list, QueryReader& reader) {
  return reader.Page(list, kLimitDefault, 1, kLimitMax);
}

}  // namespace

std::optional<OrderStatus> ParseOrderStatus(absl::string_view text) {
  if (text == "resting") return OrderStatus::kResting;
  if (text == "canceled") return OrderStatus::kCanceled;
  if (text == "executed") return OrderStatus::kExecuted;
  return std::nullopt;
}

Result<GetMarkets> ParseGetMarkets(const QueryString& query) {
  QueryReader reader(query, "GetMarkets");
  const std::string mve_filter = reader.Text("mve_filter");
  if (!mve_filter.empty() && mve_filter != "only" && mve_filter != "exclude") {
    reader.Fail("mve_filter", "oneof");
  }
  return reader.Finish(
      GetMarkets{.page = reader.Page(CursorList::kMarkets, kLimitDefault, 0, kLimitMax),
                 .event_tickers = reader.List("event_ticker", kEventTickersMax),
                 .series_ticker = reader.Text("series_ticker"),
                 .tickers = reader.List("tickers", kMarketTickersMax),
                 .statuses = ReadStatuses(reader),
                 .created = reader.Range("min_created_ts", "max_created_ts"),
                 .updated = reader.Range("min_updated_ts", "max_updated_ts"),
                 .close = reader.Range("min_close_ts", "max_close_ts"),
                 .settled = reader.Range("min_settled_ts", "max_settled_ts"),
                 .is_mve_only = mve_filter == "only"});
}

Result<GetOrderbook> ParseGetOrderbook(const QueryString& query) {
  QueryReader reader(query, "GetMarketOrderbook");
  const int64_t depth = reader.Integer("depth", 0, 100).value_or(0);
  return reader.Finish(GetOrderbook{.depth = static_cast<int32_t>(depth)});
}

Result<GetOrderbooks> ParseGetOrderbooks(const QueryString& query) {
  QueryReader reader(query, "GetMarketOrderbooks");
  std::vector<std::string> tickers = reader.List("tickers", kTickersMax);
  reader.Require("tickers", !tickers.empty());
  return reader.Finish(GetOrderbooks{.tickers = std::move(tickers)});
}

Result<GetTrades> ParseGetTrades(const QueryString& query) {
  QueryReader reader(query, "GetTrades");
  return reader.Finish(
      GetTrades{.page = reader.Page(CursorList::kTrades, kLimitDefault, 0, kLimitMax),
                .ticker = reader.Text("ticker"),
                .time = reader.Range("min_ts", "max_ts"),
                .is_block_trade = reader.OptionalFlag("is_block_trade")});
}

Result<GetCandlesticks> ParseGetCandlesticks(const QueryString& query) {
  QueryReader reader(query, "GetMarketCandlesticks");
  return reader.Finish(ReadCandlesticks(reader));
}

Result<GetBatchCandlesticks> ParseGetBatchCandlesticks(const QueryString& query) {
  QueryReader reader(query, "BatchGetMarketCandlesticks");
  std::vector<std::string> tickers = reader.List("market_tickers", kTickersMax);
  reader.Require("market_tickers", !tickers.empty());
  return reader.Finish(
      GetBatchCandlesticks{.tickers = std::move(tickers), .times = ReadCandlesticks(reader)});
}

Result<GetEvents> ParseGetEvents(const QueryString& query) {
  QueryReader reader(query, "GetEvents");
  GetEvents events{.page = reader.Page(CursorList::kEvents, 200, 1, 200),
                   .statuses = ReadStatuses(reader),
                   .series_ticker = reader.Text("series_ticker"),
                   .tickers = reader.List("tickers", kMarketTickersMax)};
  events.min_close_s = reader.Range("min_close_ts", "").min;
  events.with_nested_markets = reader.Flag("with_nested_markets");
  return reader.Finish(std::move(events));
}

Result<GetEvent> ParseGetEvent(const QueryString& query) {
  QueryReader reader(query, "GetEvent");
  return reader.Finish(GetEvent{.with_nested_markets = reader.Flag("with_nested_markets")});
}

Result<GetSeriesList> ParseGetSeriesList(const QueryString& query) {
  QueryReader reader(query, "GetSeriesList");
  return reader.Finish(
      GetSeriesList{.category = reader.Text("category"), .tags = reader.List("tags", kTickersMax)});
}

Result<GetFeeChanges> ParseGetFeeChanges(const QueryString& query) {
  QueryReader reader(query, "GetSeriesFeeChanges");
  return reader.Finish(GetFeeChanges{.series_ticker = reader.Text("series_ticker"),
                                     .show_historical = reader.Flag("show_historical")});
}

Result<GetPositions> ParseGetPositions(const QueryString& query) {
  QueryReader reader(query, "GetPositions");
  GetPositions positions{.page = ReadPage(CursorList::kPositions, reader),
                         .settlement = ReadSettlementStatus(reader),
                         .ticker = reader.Text("ticker"),
                         .event_tickers = reader.List("event_ticker", kEventTickersMax),
                         .part = reader.Part()};
  for (const std::string& filter : reader.List("count_filter", kTickersMax)) {
    if (filter == "position") {
      positions.has_position = true;
    } else if (filter == "total_traded") {
      positions.has_total_traded = true;
    } else if (filter != "resting_order_count") {
      reader.Fail("count_filter", "oneof");
    }
  }
  return reader.Finish(std::move(positions));
}

Result<GetFills> ParseGetFills(const QueryString& query) {
  QueryReader reader(query, "GetFills");
  return reader.Finish(GetFills{.page = ReadPage(CursorList::kFills, reader),
                                .tickers = reader.List("ticker", kTickersMax),
                                .order_id = reader.Text("order_id"),
                                .time = reader.Range("min_ts", "max_ts"),
                                .part = reader.Part()});
}

Result<GetSettlements> ParseGetSettlements(const QueryString& query) {
  QueryReader reader(query, "GetSettlements");
  return reader.Finish(GetSettlements{.page = ReadPage(CursorList::kSettlements, reader),
                                      .ticker = reader.Text("ticker"),
                                      .event_ticker = reader.Text("event_ticker"),
                                      .time = reader.Range("min_ts", "max_ts"),
                                      .part = reader.Part()});
}

Result<GetOrders> ParseGetOrders(const QueryString& query) {
  QueryReader reader(query, "GetOrders");
  return reader.Finish(GetOrders{.page = ReadPage(CursorList::kOrders, reader),
                                 .ticker = reader.Text("ticker"),
                                 .event_tickers = reader.List("event_ticker", kEventTickersMax),
                                 .time = reader.Range("min_ts", "max_ts"),
                                 .status = ReadOrderStatus(reader),
                                 .part = reader.Part()});
}

Result<GetQueuePositions> ParseGetQueuePositions(const QueryString& query) {
  QueryReader reader(query, "GetOrderQueuePositions");
  GetQueuePositions positions{.market_tickers = reader.List("market_tickers", kMarketTickersMax),
                              .event_ticker = reader.Text("event_ticker"),
                              .part = reader.Part()};
  if (positions.market_tickers.empty() && positions.event_ticker.empty()) {
    reader.Fail("market_tickers", "required_without");
  }
  return reader.Finish(std::move(positions));
}

Result<PartOnly> ParsePartOnly(const QueryString& query, absl::string_view endpoint) {
  QueryReader reader(query, endpoint);
  return reader.Finish(
      PartOnly{.part = reader.Part(), .market_ticker = reader.Text("market_ticker")});
}

}  // namespace engine::kalshi
