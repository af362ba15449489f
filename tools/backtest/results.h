// What a strategy did in a simulation, and what came of it.

#ifndef TOOLS_BACKTEST_RESULTS_H_
#define TOOLS_BACKTEST_RESULTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "tools/strategy/input.h"

namespace tools {

// After a fill, how the mid has moved: against the strategy, if it is negative.
inline constexpr std::array<int64_t, 3> kMarkoutNanos = {100'000'000, 1'000'000'000,
                                                         10'000'000'000};

// A regular value type.
struct Fill {
  engine::Timestamp time = {};
  engine::MarketId market = {};
  strategy::OrderNumber order = {};
  engine::Side side = {};
  bool is_maker = false;
  // Levels that were better when the order began to rest; of a taker 0.
  uint32_t level = 0;
  engine::Price price = {};
  engine::Quantity quantity = {};
  engine::Money fee = {};
  // The double of the mid of the market then, and later; nullopt if there was none, or the records
  // ended before.
  std::optional<int64_t> twice_mid = {};
  std::array<std::optional<int64_t>, kMarkoutNanos.size()> twice_mid_later = {};
};

// Of orders that began to rest so many levels away from the best. Quantities in units.
struct LevelResults {
  uint64_t orders = 0;
  uint64_t ordered = 0;
  uint64_t filled = 0;
  // The sum over fills of quantity times what the mid moved in its favour, doubled, and of the
  // quantities that this is known of.
  std::array<__int128, kMarkoutNanos.size()> twice_markout = {};
  std::array<uint64_t, kMarkoutNanos.size()> marked = {};
};

// A point of a curve.
struct ProfitPoint {
  engine::Timestamp time = {};
  engine::Money profit = {};
};

// Not thread-safe: owned by the backtest.
class Results {
 public:
  static constexpr size_t kLevels = 10;  // Those farther away count as the last.
  static constexpr size_t kPointsMax =
      2'000;  // Of the curve: half of them are dropped when it is full.

  struct Counts {
    uint64_t new_orders = 0;
    uint64_t amends = 0;
    uint64_t cancels = 0;
    uint64_t accepted = 0;
    uint64_t refused = 0;  // New orders.
    uint64_t failed = 0;   // Amends and cancels.
    uint64_t taken = 0;    // Fills as taker.
    uint64_t made = 0;     // Fills as maker.
  };

  Counts counts = {};

  // An order rests from now on, so many levels away from the best: fewer than kLevels.
  void OnRest(engine::Quantity quantity, uint32_t level);
  void OnFill(const Fill& fill);
  // The time goes on: later mids of fills that are due.
  void OnTime(engine::Timestamp now, const engine::DepthView& depth) {
    if (now >= next_due_) MarkDue(now, depth);
  }
  // What it is worth now.
  void OnProfit(engine::Timestamp now, engine::Money profit) {
    if (!curve_.empty() && profit == last_profit_) return;
    AddProfit(now, profit);
  }

  const std::vector<Fill>& fills() const { return fills_; }
  const std::array<LevelResults, kLevels>& levels() const { return levels_; }
  const std::vector<ProfitPoint>& curve() const { return curve_; }
  engine::Money profit() const { return last_profit_; }
  // The most that it has lost from a highest point.
  engine::Money drawdown() const { return drawdown_; }

 private:
  void AddProfit(engine::Timestamp now, engine::Money profit);
  void MarkDue(engine::Timestamp now, const engine::DepthView& depth);

  std::vector<Fill> fills_;
  // The first fill whose mid at that horizon is not known yet.
  std::array<size_t, kMarkoutNanos.size()> next_marked_ = {};
  engine::Timestamp next_due_ = engine::Timestamp::Max();
  std::array<LevelResults, kLevels> levels_ = {};
  std::vector<ProfitPoint> curve_;
  uint64_t every_ = 1;  // Points that are kept.
  uint64_t seen_ = 0;
  engine::Money last_profit_ = {};
  engine::Money best_profit_ = {};
  engine::Money drawdown_ = {};
};

// The double of the mid; nullopt if a side is empty.
std::optional<int64_t> TwiceMid(const engine::DepthView& depth, engine::MarketId market);

}  // namespace tools

#endif  // TOOLS_BACKTEST_RESULTS_H_
