// The desk of a strategy: gives it what the journal of its run says, keeps books, orders and
// positions for it, and emits what it decides.
//
//   input ─► timers that are due ─► books · orders · positions ─► OnBook, OnOrder ... ─┐
//   outputs ◄── new orders, amends, cancels ◄── limits ◄── what is wanted ◄────────────┘
//
// Any row is safe: one that makes no sense, such as a level of an unknown market, does nothing.

#ifndef TOOLS_STRATEGY_DESK_H_
#define TOOLS_STRATEGY_DESK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/output_buffer.h"
#include "tools/strategy/action.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/position.h"
#include "tools/strategy/strategy.h"

namespace strategy {

// Not thread-safe: owned by the machine. `strategy` outlives it.
class Desk final : private OrderHost {
 public:
  struct Market {
    engine::MarketDefinition definition;
    size_t index = 0;  // Among the desk's.
    Book book = {};
    Position position = {};
    int64_t twice_mark = 0;  // The double of what one is worth; 0 until a price was seen.
    engine::Money profit = {};
    bool is_settled = false;
  };

  explicit Desk(Strategy& strategy);
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void WriteTo(replay::OutputMemory& memory) { outputs_.WriteTo(memory); }
  // Valid until the next call.
  std::span<const replay::Output> Apply(const journal::Record& record);

  engine::Timestamp NextTimer() const { return std::min(next_timer_, orders_.retry_at()); }
  engine::Digest StateDigest() const;
  uint64_t state_size() const;
  void CheckInvariants() const;

  engine::Timestamp now() const { return now_; }
  ConnectionState connection() const { return connection_; }
  bool is_stopped() const { return is_stopped_; }
  const Orders& orders() const { return orders_; }
  engine::Money profit() const;
  const std::deque<Market>& markets() const { return markets_; }
  // Null if it is not known.
  const Market* Find(engine::MarketId market) const {
    const uint32_t index = places_.Find(market.value());
    return index == engine::IdTable::kNone ? nullptr : &markets_[index];
  }
  // REQUIRES: it is known.
  const Market& Get(engine::MarketId market) const {
    // Nearly all questions are about the market of the input.
    return handled_ != nullptr && handled_->definition.id == market ? *handled_ : GetOther(market);
  }

  // What the strategy asks for: see strategy.h.
  void Quote(engine::MarketId market, engine::Side side, engine::Price price,
             engine::Quantity quantity, size_t level, engine::OrderFlags flags) {
    orders_.Quote(IndexOf(market), side, level, price, quantity, flags);
  }
  void PullQuotes(engine::MarketId market) { orders_.PullQuotes(IndexOf(market)); }
  OrderNumber Send(const NewOrder& order) { return orders_.Send(IndexOf(order.market), order); }
  void Cancel(OrderNumber order) { orders_.Cancel(order); }
  void CancelAll() { orders_.CancelAll(); }
  const Book::Level* BestOfOthers(engine::MarketId market, engine::Side side) const;
  bool HasOrder(engine::MarketId market) const {
    const size_t index = IndexOf(market);
    return !orders_.Exposure(index, engine::Side::kBid).is_zero() ||
           !orders_.Exposure(index, engine::Side::kAsk).is_zero();
  }
  void Stop(StopReason reason);
  void SetTimer(TimerId timer, engine::Timestamp at);
  void CancelTimer(TimerId timer);
  void Log(absl::string_view text);
  void Metric(absl::string_view name, int64_t value);

 private:
  struct Timer {
    engine::Timestamp at;
    TimerId id;
  };

  const Market& GetOther(engine::MarketId market) const;
  size_t IndexOf(engine::MarketId market) const { return Get(market).index; }

  engine::Quantity MayHave(engine::MarketId market, engine::Side side, engine::Quantity quantity,
                           engine::Quantity exposure) override;
  bool TakeRequest() override;
  engine::Timestamp NextRequest() const override;
  void Emit(const Action& action) override;

  void Handle(const journal::Record& record);
  void HandleOfMarket(const Input& input, Market& market);
  void HandleOrder(const Input& input);
  void DefineMarket(const journal::Record& record);
  void SetParameter(const journal::Record& record);
  void SetConnection(ConnectionState state);
  void FireTimers();
  void SetMark(Market& market, int64_t twice_mark);
  void Revalue(Market& market);
  void CheckLoss();
  void EmitText(ActionKind kind, absl::string_view text, int64_t value, bool is_continued);

  Strategy& strategy_;
  // Limits; zero: none.
  const Parameters::Entry& position_limit_;
  const Parameters::Entry& order_limit_;
  const Parameters::Entry& request_limit_;
  const Parameters::Entry& loss_limit_;
  const Parameters::Entry& quotes_when_stale_;

  engine::Timestamp now_;
  ConnectionState connection_ = ConnectionState::kDown;
  bool is_stopped_ = false;
  engine::IdTable places_;           // Of markets_, by id.
  std::deque<Market> markets_;       // Never removed: references stay valid.
  const Market* handled_ = nullptr;  // That of the last input that has one.
  __int128 profit_micros_ = 0;       // Of all markets.
  Orders orders_{*this};
  std::vector<Timer> timers_;  // A few: not sorted.
  engine::Timestamp next_timer_ = engine::Timestamp::Max();
  engine::Timestamp second_begin_;  // Of the second in which requests are counted.
  int64_t requests_in_second_ = 0;
  replay::OutputBuffer outputs_;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_DESK_H_
