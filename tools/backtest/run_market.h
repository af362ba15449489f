// The market data of a strategy's run as a recorded market.
//
//   rows of the run ─► levels without its own orders, trades ─► level_orders ─► records
//          └─► its machine, again ─► its own orders
//
// Times are those of receipt: an order that takes as long as the run's request took to be answered
// is in the market when the effect of the run's own order was received. What the run itself took
// stays taken, and the takers that its orders met come again, unless they were added.
//
// A market whose book is stale is paused until its next snapshot, and before its first.

#ifndef TOOLS_BACKTEST_RUN_MARKET_H_
#define TOOLS_BACKTEST_RUN_MARKET_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "replay/retime/latency_histogram.h"
#include "tools/backtest/level_orders.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {

// What the orders of a run are in the market data that it received.
enum class RunOrders {
  kTraded,  // They took part: live, or simulated so that others took what they left.
  kAdded,   // Their trades came in addition to those of the market: simulated with Impact::kNone.
  kDry,     // They rested nowhere.
};

// Not thread-safe: owned by the verb.
class RunMarket {
 public:
  // `strategy`: a new one of those that made the run.
  RunMarket(std::string name, std::unique_ptr<strategy::Strategy> strategy, RunOrders own,
            LevelOrders::Emit emit);
  RunMarket(const RunMarket&) = delete;
  RunMarket& operator=(const RunMarket&) = delete;

  // The next row of the run, which begins with row 1. Rows that make no sense mean nothing, as for
  // the strategy itself. Errors: those of `emit`.
  absl::Status Take(const journal::Record& record);
  absl::Status Finish() { return orders_.Finish(); }

  // From the request for a new order or an amend to its answer, in ns; none of a dry run.
  const replay::LatencyHistogram& answers() const { return answers_; }
  // Levels and trades that were taken.
  uint64_t market_rows() const { return market_rows_; }

 private:
  struct Market {
    bool is_known = false;        // Its book is.
    bool is_in_snapshot = false;  // It has begun.
    bool is_settled = false;
    std::set<LevelName> missing = {};  // What it has not named yet.
  };

  struct Own {
    LevelName level = {};
    engine::Quantity quantity = {};
  };

  void Measure(const strategy::Input& input, std::span<const replay::Output> outputs);
  absl::Status Define(const journal::Record& record);
  absl::Status TakeTrade(const strategy::Input& input);
  absl::Status TakeOfMarket(const strategy::Input& input, Market& market);
  absl::Status TakeLevel(const strategy::Input& input, Market& market);
  absl::Status Forget(const strategy::Input& input, Market& market);
  absl::Status Settle(const strategy::Input& input, Market& market);
  // Levels whose own orders have changed, after the change of the level is recorded, too.
  absl::Status LookAgain(engine::Timestamp now);
  absl::Status SetLevel(engine::Timestamp time, int64_t moment, const LevelName& level);
  engine::Quantity OwnAt(const LevelName& level) const;
  // What the order has at the venue, as far as the run knew; nullopt: nothing.
  std::optional<Own> OwnOf(const strategy::Order& order) const;
  std::optional<Own> OwnOrder(strategy::OrderNumber number) const;
  void CountOwn();
  absl::Status Pass(engine::CommandKind kind, const strategy::Input& input);

  const RunOrders own_;
  strategy::StrategyMachine machine_;
  replay::Driver driver_;
  LevelOrders orders_;
  absl::flat_hash_map<engine::MarketId, Market> markets_;
  std::map<LevelName, engine::Quantity> levels_;      // As recorded.
  std::map<LevelName, engine::Quantity> own_levels_;  // What its own orders have.
  std::deque<std::pair<engine::Timestamp, LevelName>> again_;
  absl::flat_hash_map<strategy::OrderNumber, engine::Timestamp> requests_;
  replay::LatencyHistogram answers_;
  std::vector<strategy::Input> own_fills_;  // Of this moment, whose trades are still to come.
  uint64_t market_rows_ = 0;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_RUN_MARKET_H_
