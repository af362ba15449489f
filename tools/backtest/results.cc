#include "tools/backtest/results.h"

#include <algorithm>

namespace tools {

using engine::Money;
using engine::Side;
using engine::Timestamp;

std::optional<int64_t> TwiceMid(const engine::DepthView& depth, engine::MarketId market) {
  const auto bid = depth.BestPrice(market, Side::kBid);
  const auto ask = depth.BestPrice(market, Side::kAsk);
  if (!bid.has_value() || !ask.has_value()) return std::nullopt;
  return bid->units() + ask->units();
}

void Results::OnRest(engine::Quantity quantity, uint32_t level) {
  ++levels_[level].orders;
  levels_[level].ordered += quantity.units();
}

void Results::OnFill(const Fill& fill) {
  ++(fill.is_maker ? counts.made : counts.taken);
  if (fill.is_maker) levels_[fill.level].filled += fill.quantity.units();
  fills_.push_back(fill);
  next_due_ = std::min(next_due_, Timestamp::FromNanos(fill.time.nanos() + kMarkoutNanos[0]));
}

void Results::MarkDue(Timestamp now, const engine::DepthView& depth) {
  next_due_ = Timestamp::Max();
  for (size_t i = 0; i < kMarkoutNanos.size(); ++i) {
    size_t& next = next_marked_[i];
    for (; next < fills_.size(); ++next) {
      Fill& fill = fills_[next];
      const Timestamp due = Timestamp::FromNanos(fill.time.nanos() + kMarkoutNanos[i]);
      if (due > now) {
        next_due_ = std::min(next_due_, due);
        break;
      }
      const std::optional<int64_t> later = TwiceMid(depth, fill.market);
      fill.twice_mid_later[i] = later;
      if (!fill.is_maker || !later.has_value() || !fill.twice_mid.has_value()) continue;
      const int64_t moved = *later - *fill.twice_mid;
      LevelResults& level = levels_[fill.level];
      level.twice_markout[i] += __int128{fill.side == Side::kBid ? moved : -moved} *
                                static_cast<int64_t>(fill.quantity.units());
      level.marked[i] += fill.quantity.units();
    }
  }
}

void Results::AddProfit(Timestamp now, Money profit) {
  last_profit_ = profit;
  best_profit_ = std::max(best_profit_, profit);
  drawdown_ = std::max(drawdown_, best_profit_ - profit);
  if (seen_++ % every_ != 0) return;
  curve_.push_back({.time = now, .profit = profit});
  if (curve_.size() < kPointsMax) return;
  for (size_t i = 0; i < curve_.size() / 2; ++i) curve_[i] = curve_[2 * i];
  curve_.resize(curve_.size() / 2);
  every_ *= 2;
}

}  // namespace tools
