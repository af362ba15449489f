// What Kalshi's API shows, folded from released records: each view of engine/views, once.

#ifndef ENGINE_GATEWAY_KALSHI_VIEWS_H_
#define ENGINE_GATEWAY_KALSHI_VIEWS_H_

#include <cstdint>
#include <span>

#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/views/candles.h"
#include "engine/views/depth_view.h"
#include "engine/views/market_stats.h"
#include "engine/views/portfolio.h"
#include "engine/views/trade_tape.h"

namespace engine {

// Not thread-safe: owned by the gateway.
class KalshiViews {
 public:
  // A record with all its events. Returns what it changed in the depth; valid until the next call.
  std::span<const DepthChange> Fold(const Command& command, Bytes attachment,
                                    std::span<const Event> events);

  const DepthView& depth() const { return depth_; }
  const MarketStatsView& stats() const { return stats_; }
  const TradeTape& tape() const { return tape_; }
  const CandleView& candles() const { return candles_; }
  const PortfolioView& portfolio() const { return portfolio_; }
  // How many orders were accepted.
  uint64_t orders() const { return orders_; }
  ExchangeState exchange_state() const { return exchange_state_; }
  // Of the last record.
  Timestamp time() const { return time_; }

 private:
  void Quote(MarketId market, Timestamp time);

  DepthView depth_;
  MarketStatsView stats_;
  TradeTape tape_;
  CandleView candles_;
  PortfolioView portfolio_;
  uint64_t orders_ = 0;
  ExchangeState exchange_state_ = ExchangeState::kActive;
  Timestamp time_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_VIEWS_H_
