// What an account may read of itself: money, positions, fills, settlements, orders, places in the
// queue, groups.

#ifndef ENGINE_GATEWAY_KALSHI_PORTFOLIO_READS_H_
#define ENGINE_GATEWAY_KALSHI_PORTFOLIO_READS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/views/portfolio.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {

// Not thread-safe: owned by the gateway. The world outlives it. Answers are as of the last released
// record.
class KalshiPortfolioReads {
 public:
  explicit KalshiPortfolioReads(const KalshiWorld& world) : world_(world) {}

  KalshiReply Balance(AccountId account, const kalshi::QueryString& query) const;
  // What the resting orders would cost, without fees: of the latest 20,000.
  KalshiReply RestingOrderValue(AccountId account) const;
  KalshiReply Positions(AccountId account, const kalshi::QueryString& query) const;
  KalshiReply Fills(AccountId account, const kalshi::QueryString& query) const;
  KalshiReply Settlements(AccountId account, const kalshi::QueryString& query) const;
  KalshiReply Orders(AccountId account, const kalshi::QueryString& query) const;
  KalshiReply Order(AccountId account, absl::string_view order_id) const;
  KalshiReply QueuePosition(AccountId account, absl::string_view order_id) const;
  KalshiReply QueuePositions(AccountId account, const kalshi::QueryString& query) const;

 private:
  // The markets of those tickers and events. If any were named and none of them is served, the list
  // has the market zero alone, which nothing is in.
  std::vector<MarketId> MarketsOf(const std::vector<std::string>& tickers,
                                  const std::vector<std::string>& events) const;
  kalshi::Result<const PortfolioOrder*> Find(AccountId account, absl::string_view order_id) const;
  // What rests before the order. REQUIRES: it rests.
  Quantity AheadOf(OrderId order) const;

  const KalshiWorld& world_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_PORTFOLIO_READS_H_
