// The parameters of each endpoint that has some: a query string to values. Errors have the shape
// `msg`, with the texts of Go's validator.

#ifndef ENGINE_WIRE_KALSHI_QUERIES_H_
#define ENGINE_WIRE_KALSHI_QUERIES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/cursor.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine::kalshi {

// Unix seconds, both included. Without a bound all times.
struct SecondsRange {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();

  bool Contains(int64_t seconds) const { return min <= seconds && seconds <= max; }
  friend bool operator==(const SecondsRange&, const SecondsRange&) = default;
};

// Where a page begins (nullopt: at the first entry) and how long it is.
struct Page {
  std::optional<CursorPosition> after;
  int32_t limit = 100;
};

// Which part of an account a request is about.
struct AccountPart {
  std::optional<int32_t> subaccount;      // 0 to 63.
  std::optional<int32_t> exchange_index;  // -1, or an index.
};

enum class MarketFilter : uint8_t { kUnopened, kOpen, kPaused, kClosed, kSettled };

struct GetMarkets {
  Page page;  // 0 to 1000, 0 is the default, 100.
  std::vector<std::string> event_tickers;
  std::string series_ticker;
  std::vector<std::string> tickers;
  std::vector<MarketFilter> statuses;  // Empty: all.
  SecondsRange created, updated, close, settled;
  bool is_mve_only = false;  // No market is a multivariate one.
};

struct GetOrderbook {
  int32_t depth = 0;  // 0: all levels. At most 100.
};

struct GetOrderbooks {
  std::vector<std::string> tickers;  // 1 to 100.
};

struct GetTrades {
  Page page;  // 0 to 1000, 0 is the default, 100.
  std::string ticker;
  SecondsRange time;
  std::optional<bool> is_block_trade;
};

struct GetCandlesticks {
  int64_t start_s = 0;
  int64_t end_s = 0;
  int32_t period_minutes = 1;  // 1, 60 or 1440.
  bool include_latest_before_start = false;
};

struct GetBatchCandlesticks {
  std::vector<std::string> tickers;  // 1 to 100.
  GetCandlesticks times;
};

struct GetEvents {
  Page page;  // 1 to 200, by default 200.
  std::vector<MarketFilter> statuses;
  std::string series_ticker;
  std::vector<std::string> tickers;
  int64_t min_close_s = std::numeric_limits<int64_t>::min();
  bool with_nested_markets = false;
};

struct GetEvent {
  bool with_nested_markets = false;
};

struct GetSeriesList {
  std::string category;
  std::vector<std::string> tags;
};

struct GetFeeChanges {
  std::string series_ticker;
  bool show_historical = false;
};

struct GetPositions {
  Page page;                      // 1 to 1000, by default 100.
  bool has_position = false;      // count_filter: those whose position is not zero, or
  bool has_total_traded = false;  // whose total traded is not. Neither: all.
  enum class Settlement : uint8_t { kUnsettled, kSettled, kAll };
  Settlement settlement = Settlement::kUnsettled;
  std::string ticker;
  std::vector<std::string> event_tickers;
  AccountPart part;
};

struct GetFills {
  Page page;  // 1 to 1000, by default 100.
  std::vector<std::string> tickers;
  std::string order_id;
  SecondsRange time;
  AccountPart part;
};

struct GetSettlements {
  Page page;  // 1 to 1000, by default 100.
  std::string ticker;
  std::string event_ticker;
  SecondsRange time;
  AccountPart part;
};

enum class OrderStatus : uint8_t { kResting, kCanceled, kExecuted };
// "resting", "canceled" or "executed"; ToText() of portfolio_objects.h is the inverse.
std::optional<OrderStatus> ParseOrderStatus(absl::string_view text);

struct GetOrders {
  Page page;  // 1 to 1000, by default 100.
  std::string ticker;
  std::vector<std::string> event_tickers;  // At most 10.
  SecondsRange time;
  std::optional<OrderStatus> status;
  AccountPart part;
};

struct GetQueuePositions {
  std::vector<std::string> market_tickers;  // This or the next is not empty.
  std::string event_ticker;
  AccountPart part;
};

// Of writes to one order, and of balance and groups.
struct PartOnly {
  AccountPart part;
  std::string market_ticker;  // Empty: not compared with the order's.
};

Result<GetMarkets> ParseGetMarkets(const QueryString& query);
Result<GetOrderbook> ParseGetOrderbook(const QueryString& query);
Result<GetOrderbooks> ParseGetOrderbooks(const QueryString& query);
Result<GetTrades> ParseGetTrades(const QueryString& query);
Result<GetCandlesticks> ParseGetCandlesticks(const QueryString& query);
Result<GetBatchCandlesticks> ParseGetBatchCandlesticks(const QueryString& query);
Result<GetEvents> ParseGetEvents(const QueryString& query);
Result<GetEvent> ParseGetEvent(const QueryString& query);
Result<GetSeriesList> ParseGetSeriesList(const QueryString& query);
Result<GetFeeChanges> ParseGetFeeChanges(const QueryString& query);
Result<GetPositions> ParseGetPositions(const QueryString& query);
Result<GetFills> ParseGetFills(const QueryString& query);
Result<GetSettlements> ParseGetSettlements(const QueryString& query);
Result<GetOrders> ParseGetOrders(const QueryString& query);
Result<GetQueuePositions> ParseGetQueuePositions(const QueryString& query);
// `endpoint` is the name in the error: "CancelOrder".
Result<PartOnly> ParsePartOnly(const QueryString& query, absl::string_view endpoint);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_QUERIES_H_
