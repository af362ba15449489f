// The books of mirrored markets in a simulation, and who would have traded there: an engine matches
// nothing in them (engine/RULES.md, Mirrored markets), so this decides it for the strategy's
// orders.
//
//   execute of a named order     its taker came first to what is before that order:
//   a print that has a side      and to what is before the quantity that it took
//   a recorded order arrives     it takes what it crosses
//   an order of the strategy     takes the recorded orders that it crosses
//
// "What is" are the extras: quantity that rests in the simulation and did not as recorded. These
// are orders of the strategy, and what recorded orders kept because the strategy was before them.

#ifndef TOOLS_BACKTEST_MIRRORED_BOOKS_H_
#define TOOLS_BACKTEST_MIRRORED_BOOKS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"

namespace tools {

// Not thread-safe: owned by the simulation. It decides and changes nothing: the simulation applies
// what it decides, and gives it the events.
class MirroredBooks {
 public:
  // What a taker takes of a resting order, at its price.
  struct Take {
    engine::OrderId maker = {};
    engine::Price price = {};
    engine::Quantity quantity = {};
  };

  void Define(engine::MarketId market) { markets_.insert(market); }
  bool empty() const { return markets_.empty(); }
  bool Has(engine::MarketId market) const { return !empty() && markets_.contains(market); }
  // Of any market. Events of others are left out.
  void OnEvents(const engine::Command& command, std::span<const engine::Event> events);

  // The order is the strategy's, and rests.
  void AddOwn(engine::OrderId order, engine::OrderFlags flags);
  // Null if the order is not the strategy's, or has ended.
  const engine::OrderFlags* FlagsOfOwn(engine::OrderId order) const;
  // So much of the recorded order would have traded, and stays.
  void AddPassedOver(engine::OrderId order, engine::Quantity quantity);
  engine::Quantity PassedOver(engine::OrderId order) const;

  // A taker of `quantity` takes from the resting side `side`, as far as `price`.
  struct Taker {
    engine::MarketId market = {};
    engine::Side side = {};
    engine::Price price = {};
    engine::Quantity quantity = {};
  };
  // Which extras it finds before the order `named`; all as far as the price, if that rests
  // elsewhere.
  std::vector<Take> ExtrasBefore(const Taker& taker, engine::OrderId named) const {
    return Extras(taker, named, /*others_count=*/false);
  }
  // Which extras it finds, if at `price` it takes recorded orders, too.
  std::vector<Take> ExtrasWithin(const Taker& taker) const {
    return Extras(taker, engine::OrderId(), /*others_count=*/true);
  }
  // Which orders it finds that are not the strategy's.
  std::vector<Take> OthersWithin(const Taker& taker) const;

  const engine::DepthView& depth() const { return depth_; }

 private:
  // In the order in which takers find them.
  struct LevelKey {
    engine::MarketId market = {};
    engine::Side side = {};
    int64_t rank = 0;

    friend auto operator<=>(const LevelKey&, const LevelKey&) = default;
  };
  struct Extra {
    LevelKey level = {};
    bool is_own = false;
    engine::OrderFlags flags = {};
    engine::Quantity quantity = {};  // Not of its own: all of them is.
  };

  static LevelKey KeyOf(engine::MarketId market, engine::Side side, engine::Price price) {
    return {.market = market,
            .side = side,
            .rank = side == engine::Side::kBid ? -price.units() : price.units()};
  }
  std::vector<Take> Extras(const Taker& taker, engine::OrderId named, bool others_count) const;
  engine::Quantity ExtraIn(const engine::DepthView::Place& place) const;
  // Follows an order that may have moved or ended.
  void Follow(engine::OrderId order);
  Extra& Add(engine::OrderId order);
  void Leave(const LevelKey& level);

  absl::flat_hash_set<engine::MarketId> markets_;
  engine::DepthView depth_;
  absl::flat_hash_map<engine::OrderId, Extra> extras_;
  std::map<LevelKey, uint64_t> levels_;  // How many extras each has.
  std::vector<engine::Event> events_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_MIRRORED_BOOKS_H_
