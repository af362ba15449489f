#include "engine/gateway/kalshi/routes.h"

#include "absl/strings/strip.h"

namespace engine {
namespace {

using enum KalshiRequest;

// Literal parts before others, where both could stand.
constexpr KalshiRoute kRoutes[] = {
    // What anyone may read.
    {kExchangeStatus, "GET", "/exchange/status"},
    {kExchangeSchedule, "GET", "/exchange/schedule"},
    {kUserDataTimestamp, "GET", "/exchange/user_data_timestamp"},
    {kMarkets, "GET", "/markets"},
    {kTrades, "GET", "/markets/trades"},
    {kOrderbooks, "GET", "/markets/orderbooks"},
    {kBatchCandlesticks, "GET", "/markets/candlesticks"},
    {kMarket, "GET", "/markets/{ticker}"},
    {kOrderbook, "GET", "/markets/{ticker}/orderbook"},
    {kEvents, "GET", "/events"},
    {kEventFeeChanges, "GET", "/events/fee_changes"},
    {kEvent, "GET", "/events/{event_ticker}"},
    {kSeriesList, "GET", "/series"},
    {kSeriesFeeChanges, "GET", "/series/fee_changes"},
    {kSeries, "GET", "/series/{series_ticker}"},
    {kCandlesticks, "GET", "/series/{series_ticker}/markets/{ticker}/candlesticks"},
    {kEndpointCosts, "GET", "/account/endpoint_costs"},

    // What an account may read of itself.
    {kAccountLimits, "GET", "/account/limits", true, KalshiBucket::kRead},
    {kBalance, "GET", "/portfolio/balance", true, KalshiBucket::kRead},
    {kRestingOrderValue, "GET", "/portfolio/summary/total_resting_order_value", true,
     KalshiBucket::kRead},
    {kPositions, "GET", "/portfolio/positions", true, KalshiBucket::kRead},
    {kFills, "GET", "/portfolio/fills", true, KalshiBucket::kRead},
    {kSettlements, "GET", "/portfolio/settlements", true, KalshiBucket::kRead},
    {kOrders, "GET", "/portfolio/orders", true, KalshiBucket::kRead},
    {kQueuePositions, "GET", "/portfolio/orders/queue_positions", true, KalshiBucket::kRead},
    {kOrder, "GET", "/portfolio/orders/{order_id}", true, KalshiBucket::kRead, 2},
    {kQueuePosition, "GET", "/portfolio/orders/{order_id}/queue_position", true,
     KalshiBucket::kRead},
    {kGroups, "GET", "/portfolio/order_groups", true, KalshiBucket::kRead},
    {kGroup, "GET", "/portfolio/order_groups/{order_group_id}", true, KalshiBucket::kRead},

    // What changes orders and groups.
    {kCreateOrder, "POST", "/portfolio/events/orders", true, KalshiBucket::kWrite},
    {kCancelAll, "DELETE", "/portfolio/events/orders", true, KalshiBucket::kWrite},
    {kBatchCreate, "POST", "/portfolio/events/orders/batched", true, KalshiBucket::kWrite, 10,
     /*is_batch=*/true},
    {kBatchCancel, "DELETE", "/portfolio/events/orders/batched", true, KalshiBucket::kWrite, 2,
     /*is_batch=*/true},
    {kCancelOrder, "DELETE", "/portfolio/events/orders/{order_id}", true, KalshiBucket::kWrite, 2},
    {kAmendOrder, "POST", "/portfolio/events/orders/{order_id}/amend", true, KalshiBucket::kWrite},
    {kDecreaseOrder, "POST", "/portfolio/events/orders/{order_id}/decrease", true,
     KalshiBucket::kWrite},
    {kCreateGroup, "POST", "/portfolio/order_groups/create", true, KalshiBucket::kWrite},
    {kDeleteGroup, "DELETE", "/portfolio/order_groups/{order_group_id}", true,
     KalshiBucket::kWrite},
    {kResetGroup, "PUT", "/portfolio/order_groups/{order_group_id}/reset", true,
     KalshiBucket::kWrite},
    {kTriggerGroup, "PUT", "/portfolio/order_groups/{order_group_id}/trigger", true,
     KalshiBucket::kWrite},
    {kLimitGroup, "PUT", "/portfolio/order_groups/{order_group_id}/limit", true,
     KalshiBucket::kWrite},

    // What Kalshi no longer serves.
    {kLegacyWrite, "POST", "/portfolio/orders", true, KalshiBucket::kWrite},
    {kLegacyWrite, "POST", "/portfolio/orders/batched", true, KalshiBucket::kWrite},
    {kLegacyWrite, "DELETE", "/portfolio/orders/batched", true, KalshiBucket::kWrite},
    {kLegacyWrite, "DELETE", "/portfolio/orders/{order_id}", true, KalshiBucket::kWrite},
    {kLegacyWrite, "POST", "/portfolio/orders/{order_id}/amend", true, KalshiBucket::kWrite},
    {kLegacyWrite, "POST", "/portfolio/orders/{order_id}/decrease", true, KalshiBucket::kWrite},
};

// Takes the first part of a path that begins with "/".
absl::string_view TakePart(absl::string_view& path) {
  path.remove_prefix(1);
  const absl::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(part.size());
  return part;
}

// Whether `path` has the form of `pattern`; fills in `parts`.
bool Matches(absl::string_view pattern, absl::string_view path,
             std::array<absl::string_view, 2>& parts) {
  size_t count = 0;
  while (!pattern.empty() && !path.empty() && path.front() == '/') {
    const absl::string_view wanted = TakePart(pattern);
    const absl::string_view found = TakePart(path);
    if (wanted.front() == '{') {
      if (found.empty()) return false;
      parts[count++] = found;
    } else if (wanted != found) {
      return false;
    }
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::span<const KalshiRoute> KalshiRoutes() { return kRoutes; }

std::optional<KalshiMatch> FindKalshiRoute(absl::string_view method, absl::string_view path) {
  if (!absl::ConsumePrefix(&path, kKalshiRoot)) return std::nullopt;
  for (const KalshiRoute& route : kRoutes) {
    KalshiMatch match = {.route = &route, .parts = {}};
    if (route.method == method && Matches(route.path, path, match.parts)) return match;
  }
  return std::nullopt;
}

}  // namespace engine
