// Which request asks for what: a table of methods and paths.

#ifndef ENGINE_GATEWAY_KALSHI_ROUTES_H_
#define ENGINE_GATEWAY_KALSHI_ROUTES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/strings/string_view.h"

namespace engine {

enum class KalshiRequest : uint8_t {
  kExchangeStatus,
  kExchangeSchedule,
  kUserDataTimestamp,
  kMarkets,
  kTrades,
  kOrderbooks,
  kBatchCandlesticks,
  kMarket,
  kOrderbook,
  kEvents,
  kEventFeeChanges,
  kEvent,
  kSeriesList,
  kSeriesFeeChanges,
  kSeries,
  kCandlesticks,
  kBalance,
  kRestingOrderValue,
  kPositions,
  kFills,
  kSettlements,
  kOrders,
  kQueuePositions,
  kOrder,
  kQueuePosition,
  kCreateOrder,
  kCancelAll,
  kBatchCreate,
  kBatchCancel,
  kCancelOrder,
  kAmendOrder,
  kDecreaseOrder,
  kCreateGroup,
  kGroups,
  kGroup,
  kDeleteGroup,
  kResetGroup,
  kTriggerGroup,
  kLimitGroup,
  kAccountLimits,
  kEndpointCosts,
  kLegacyWrite,
};

enum class KalshiBucket : uint8_t { kNone, kRead, kWrite };

struct KalshiRoute {
  KalshiRequest request = {};
  absl::string_view method;
  absl::string_view path;  // Below kKalshiRoot; a name in braces stands for one part of it.
  bool needs_key = false;
  KalshiBucket bucket = KalshiBucket::kNone;
  uint32_t cost = kDefaultCost;  // Of a batch: of each of its orders.
  bool is_batch = false;

  static constexpr uint32_t kDefaultCost = 10;
};

inline constexpr absl::string_view kKalshiRoot = "/trade-api/v2";
inline constexpr absl::string_view kKalshiSocketPath = "/trade-api/ws/v2";

// In the order in which they are tried.
std::span<const KalshiRoute> KalshiRoutes();

struct KalshiMatch {
  const KalshiRoute* route = nullptr;
  std::array<absl::string_view, 2> parts = {};  // What stands for each name.
};

// `path`: of the URL, from its root. Empty if nothing is served there.
std::optional<KalshiMatch> FindKalshiRoute(absl::string_view method, absl::string_view path);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_ROUTES_H_
