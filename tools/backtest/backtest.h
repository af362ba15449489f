// A strategy in a recorded market.
//
//   journal ─► market_simulation ─► events ─► public_feed ─┐
//                     ▲                └─► its own orders ─┴─► latency ─► strategy ─► actions ─┐
//                     └──────────────────────────── latency ◄─────────────────────────────────┘
//
// One loop takes what comes first: a record, an input that arrives at the strategy, an action that
// arrives at the exchange, a timer. At one time a record comes first, then actions, then inputs. A
// decision takes a microsecond, besides the latencies.

#ifndef TOOLS_BACKTEST_BACKTEST_H_
#define TOOLS_BACKTEST_BACKTEST_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/contract_money.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/output.h"
#include "tools/backtest/latency.h"
#include "tools/backtest/market_simulation.h"
#include "tools/backtest/public_feed.h"
#include "tools/backtest/results.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {

// Of the strategy. No recorded command is of it.
inline constexpr engine::AccountId kOwnAccount = engine::AccountId(0x7fff'fff0);

struct BacktestTerms {
  Impact impact = Impact::kNone;
  LatencyTerms to_strategy = {};
  LatencyTerms to_venue = {};
  uint64_t seed = 1;
  std::vector<std::string> markets = {};  // Symbols; empty: all.
  std::vector<strategy::Parameters::Assignment> parameters = {};
  engine::Money cash = engine::Money::FromDollars(1'000'000);  // In binary markets.
  // Of mirrored binary markets: those of matched ones are recorded. Zero charges nothing.
  engine::FeeSchedule fees = {};
};

// A queue in memory that is used again. Not thread-safe.
template <typename T>
class Queue {
 public:
  bool empty() const { return count_ == 0; }
  const T& front() const { return items_[first_]; }
  // The item that was pushed, valid until the next call.
  T& Push(const T& item) {
    if (count_ == items_.size()) Grow();
    return items_[(first_ + count_++) & (items_.size() - 1)] = item;
  }
  void Pop() {
    first_ = (first_ + 1) & (items_.size() - 1);
    --count_;
  }

 private:
  void Grow() {
    std::vector<T> larger(items_.empty() ? 64 : 2 * items_.size());
    for (size_t i = 0; i < count_; ++i) larger[i] = items_[(first_ + i) & (items_.size() - 1)];
    items_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> items_;  // 2^n.
  size_t first_ = 0;
  size_t count_ = 0;
};

// Not thread-safe.
class Backtest {
 public:
  // Applies an input to the strategy and returns its outputs, valid until the next call.
  using Apply = std::function<absl::StatusOr<std::span<const replay::Output>>(
      const strategy::Input& input, engine::Bytes attachment)>;

  // `apply` drives `machine`, which outlives this. Parameters are given to it first.
  Backtest(BacktestTerms terms, const strategy::StrategyMachine& machine, Apply apply);

  // Everything until the records' end; then what is on its way.
  absl::Status ApplyRecorded(const journal::Record& record);
  absl::Status Finish();

  const Results& results() const { return results_; }
  const MarketSimulation& market() const { return market_; }
  uint64_t inputs() const { return input_count_; }
  // Errors: INVALID_ARGUMENT if a chosen market was never defined, or none that has the fees.
  absl::Status CheckMarkets() const;

 private:
  struct Arrival {  // An action at the exchange.
    engine::Timestamp at;
    strategy::Action action;
  };
  struct OwnOrder {
    strategy::OrderNumber number = {};
    engine::Quantity remaining = {};
    uint32_t level = 0;         // Of Fill.
    engine::Money credit = {};  // Of what rounding charged too much (engine/RULES.md, Fees).
  };

  absl::Status Start(engine::Timestamp now);
  // Takes what comes before `until`.
  absl::Status RunUntil(engine::Timestamp until);
  absl::Status Hear(const strategy::Input& input, engine::Bytes attachment = {});
  void Arrive(const Arrival& arrival);
  void ApplyOwn(engine::Command command, engine::Bytes attachment = {});
  void OpenAccount(engine::Timestamp now);

  void OnEvents(const engine::Command& command, std::span<const engine::Event> events);
  void OnMarketDefined(engine::MarketId market);
  void OnMarketState(const engine::Event& event);
  // The books of markets whose snapshot is complete: the time goes on.
  void SendReopened();
  void OnApplied();
  // Of the strategy's own orders.
  void OnOwnEvent(std::span<const engine::Event> events, size_t at);
  void OnOwnFill(std::span<const engine::Event> events, size_t at, engine::OrderId order,
                 bool is_maker);
  // What the fill of `own` at `trade` costs.
  engine::Money FeeOf(const engine::Event& trade, engine::Side side, bool is_maker, OwnOrder& own);
  void OnMissedTrade(const MarketSimulation::MissedTrade& missed);
  void End(engine::OrderId order);
  // On its way to the strategy.
  void Send(const strategy::Input& input);
  void Answer(strategy::InputKind kind, strategy::OrderNumber order, const engine::Event& event);
  bool IsChosen(engine::MarketId market) const {
    return all_are_chosen_ || chosen_.contains(market);
  }
  // The others' books are of no use: the strategy cannot trade there. Valid until the next call.
  std::span<const engine::Event> OfChosen(std::span<const engine::Event> events);

  const BacktestTerms terms_;
  const strategy::StrategyMachine& machine_;
  const Apply apply_;
  MarketSimulation market_;
  PublicFeed feed_;
  Results results_;
  LatencyLine to_strategy_;
  LatencyLine to_venue_;
  Queue<strategy::Input> inputs_;
  Queue<Arrival> arrivals_;
  const bool all_are_chosen_;
  absl::flat_hash_set<engine::MarketId> chosen_;
  std::vector<engine::Event> chosen_events_;            // Of the last command.
  absl::flat_hash_map<engine::OrderId, OwnOrder> own_;  // Live ones, by the exchange's id.
  absl::flat_hash_map<strategy::OrderNumber, engine::OrderId> own_ids_;  // The same, the other way.
  // The action that the exchange applies now; null while it applies a record.
  const strategy::Action* applying_ = nullptr;
  engine::Timestamp now_;
  bool has_started_ = false;
  absl::flat_hash_set<engine::MarketId> stale_;  // Mirrored ones whose book is not known.
  std::vector<engine::MarketId> reopened_;       // Of these, those whose snapshot has begun.
  // Of mirrored binary markets, if they have fees.
  absl::flat_hash_map<engine::MarketId, engine::ContractMoney> fees_;
  bool needs_account_ = false;  // A binary market was defined, and it has none.
  bool has_account_ = false;
  absl::Status status_;  // The first error.
  uint64_t input_count_ = 0;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_BACKTEST_H_
