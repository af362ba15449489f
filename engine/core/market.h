// A market as the exchange stores it. The fields that every order reads come first.

#ifndef ENGINE_CORE_MARKET_H_
#define ENGINE_CORE_MARKET_H_

#include <cstdint>

#include "engine/base/digest.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_book.h"
#include "engine/core/contract_money.h"
#include "engine/state/state_digest.h"
#include "engine/types/grid.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"

namespace engine {

// Owned by the exchange; never moves.
struct alignas(64) Market {
  Market(const MarketDefinition& defined, BookStorage& storage);

  // The first cache line is all that an order needs to join a level in a market without money.
  //
  // How many prices an ordinary order may name: all of `prices` in an open market with one tick and
  // without money, where only prices, quantities and the book matter; else none.
  uint64_t ordinary_prices = 0;
  // The allowed prices on the coarsest grid that has all prices of orders so far: a market whose
  // unit is 0.0001 and whose orders are in cents has few ranks between its levels.
  Grid prices;
  Grid quantities;

  uint64_t open_prices = 0;  // As ordinary_prices, but also in markets with money.
  int64_t micros = 0;        // RiskControl::MicrosOf.

  MarketState state = MarketState::kOpen;
  Price settlement_value;  // Zero before it is determined.
  OrderBook book;

  const MarketDefinition* definition;
  ContractMoney money;  // Of binary markets, its fees included.
  Digest digest;        // The definition's part of the state digest.

  bool is_binary() const { return definition->kind == MarketKind::kBinary; }
  bool is_ordinary() const { return ordinary_prices != 0; }
  void MoveTo(MarketState to);

  // Whether an order may have this quantity.
  bool Allows(Quantity quantity) const {
    return quantities.Has(static_cast<int64_t>(quantity.units()));
  }

  // The part of the state digest and of a snapshot that changes.
  MarketStatus status() const {
    return {.market = definition->id,
            .state = state,
            .settlement_value = settlement_value,
            .fees = money.fees()};
  }

  // Makes `price` one of `prices`. Each price that is not yet one at least halves the step, so the
  // levels are numbered again at most 62 times. REQUIRES: the market's definition allows the price.
  void Include(Price price) {
    if (prices.IndexOf(price.units()) >= prices.size()) [[unlikely]]
      Refine(price);
  }

  // REQUIRES: Include(price) was called.
  int64_t RankAt(Side side, Price price) const {
    return RankOf(side, prices.IndexOf(price.units()));
  }

 private:
  void Refine(Price price);
  void CountPrices();

  int64_t price_step_ = 0;  // Of `prices`; zero before the first.
};

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_H_
