// What is known of each market as a whole, folded from events: its state, its last trade, its
// volumes and its open interest.
//
//   trades     ... │ 09:30 · │ 09:31  3 trades │ ... │ 09:29 │ 09:30 now
//                  └─ older than a day ─┘└────────── volume of 24 hours ──────────┘
//                     the last price here is the previous price
//
// The day before is counted in whole minutes: a trade belongs to the last 24 hours until the minute
// after its own begins a day later. So a market keeps at most 1,441 minutes with trades.
//
// A market without trades costs one row.

#ifndef ENGINE_VIEWS_MARKET_STATS_H_
#define ENGINE_VIEWS_MARKET_STATS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "engine/base/bytes.h"
#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// Times are zero (Timestamp()) where it has not happened.
struct MarketStats {
  MarketId market;
  MarketKind kind = {};
  MarketState state = {};
  Timestamp defined_at;
  Timestamp opened_at;  // The first time; the definition's if it does not wait to be opened.
  Timestamp closed_at;  // The last time.
  Timestamp determined_at;
  Timestamp settled_at;
  Timestamp changed_at;                   // Of its definition, its state, its fees or its value.
  std::optional<Price> settlement_value;  // Of one YES contract, once it is determined.

  uint64_t trade_count = 0;
  Timestamp traded_at;     // The last trade's, as are the next two.
  Price last_price;        //
  Quantity last_size;      //
  Quantity volume;         // Of all trades.
  Money dollar_volume;     // Quantity × price of all trades; binary markets only.
  Quantity open_interest;  // YES contracts outstanding; binary markets only.
};

// As of a moment.
struct MarketDay {
  Quantity volume;                      // Of the last 24 hours.
  std::optional<Price> previous_price;  // The last trade's before them.
};

// Not thread-safe: owned by the reader of the log. It receives all events of the log from its
// beginning, or from what was loaded.
class MarketStatsView {
 public:
  // A command with its attachment and its events: all, or part after part.
  void OnEvents(const Command& command, Bytes attachment, std::span<const Event> events);

  // Null if the market is not defined. Valid as long as the view.
  const MarketStats* Find(MarketId market) const;
  // REQUIRES: `now` is not before the last command.
  MarketDay DayOf(MarketId market, Timestamp now) const;

  // In the order of their definition.
  size_t size() const { return markets_.size(); }
  const MarketStats& at(size_t place) const { return markets_[place].stats; }

 private:
  struct Minute {
    int64_t number = 0;  // Since 1970.
    Quantity volume;
    Price close;  // The price of its last trade.
  };
  struct Market {
    MarketStats stats;
    int64_t micros_per_unit = 0;  // Of quantity × price; zero in equity markets.
    Quantity volume_24h;          // Of `minutes`.
    std::deque<Minute> minutes;   // At most those of a day and one.
    std::optional<Price> previous_price;
  };

  Market* FindMutable(MarketId market);
  static bool IsAboutMarket(EventKind kind);
  void Define(const Command& command, Bytes attachment);
  static void State(MarketStats& stats, MarketState state, Timestamp time);
  static void Trade(Market& market, const Event& event, Timestamp time);
  void Position(const Command& command, const Event& event);
  static void Forget(Market& market, Timestamp now);

  IdTable places_;
  std::deque<Market> markets_;
  absl::flat_hash_map<std::pair<AccountId, MarketId>, int64_t> positions_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_MARKET_STATS_H_
