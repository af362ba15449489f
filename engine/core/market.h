// A market as the exchange stores it: its book, and what an order reads besides. What it has in
// common with other markets is in its terms.

#ifndef ENGINE_CORE_MARKET_H_
#define ENGINE_CORE_MARKET_H_

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_book.h"
#include "engine/core/contract_money.h"
#include "engine/core/market_terms.h"
#include "engine/state/state_digest.h"
#include "engine/types/grid.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Owned by the market table; never moves. Three cache lines: two of the book's two sides, and the
// fields, which begin where the book ends.
struct alignas(64) Market {
  Market(MarketId market, const MarketTerms& its_terms, BookStorage& storage);

  [[no_unique_address]] OrderBook book;

  MarketState state = MarketState::kOpen;

 private:
  uint8_t price_shift_ = 0;  // Of the grid of prices, as are the next two.

 public:
  // How many prices an ordinary order may name: all of the grid in an open market with one tick and
  // without money, where only prices, quantities and the book matter; else none. None where nothing
  // is matched, so that the fast path leaves mirrored markets to the rules.
  uint64_t ordinary_prices = 0;
  uint64_t open_prices = 0;  // As ordinary_prices, but also in markets with money.

 private:
  // The allowed prices on a grid that has all prices of orders so far, cents at first: a market
  // whose unit is 0.0001 and whose orders are in cents has few ranks between its levels.
  int64_t price_first_ = 0;
  uint64_t price_inverse_ = 1;
  uint64_t quantity_run_ = 0;  // All quantities from 1 to this one are allowed.

 public:
  const MarketTerms* terms;  // The table's.

  MarketId id() const { return book.market(); }
  const MarketDefinition& definition() const { return terms->definition; }  // No id, no symbol.
  // REQUIRES: is_binary().
  const ContractMoney& money() const { return static_cast<const BinaryTerms*>(terms)->money; }

  bool is_binary() const { return terms->is_binary(); }
  // Whether its orders reserve money and its trades move it.
  bool has_money() const { return terms->has_money(); }
  bool is_mirrored() const { return definition().mirrored; }
  bool is_ordinary() const { return ordinary_prices != 0; }
  void MoveTo(MarketState to);

  // Whether an order may have this quantity.
  ENGINE_ALWAYS_INLINE bool Allows(Quantity quantity) const {
    if (quantity.units() - 1 < quantity_run_) [[likely]]
      return true;
    return terms->quantities.Has(static_cast<int64_t>(quantity.units()));
  }

  // The part of the state digest and of a snapshot that changes.
  MarketStatus status() const {
    return {.market = id(),
            .state = state,
            .settlement_value = terms->settlement_value,
            .fees = terms->fees};
  }

  // The index of `price` on the grid, or a value of at least the number of prices. Accepts any.
  ENGINE_ALWAYS_INLINE uint64_t IndexOf(Price price) const {
    return Grid::IndexOf(price.units(), price_first_, price_inverse_, price_shift_);
  }

  // Adds `price` to the grid. Each price that is not yet on it at least halves the step, so the
  // levels are numbered again at most 62 times. REQUIRES: the market's definition allows the price.
  void Include(Price price) {
    const uint64_t index = IndexOf(price);
    if (index >= open_prices && index >= prices().size()) [[unlikely]]
      Refine(price);
  }

  // REQUIRES: Include(price) was called.
  int64_t RankAt(Side side, Price price) const { return RankOf(side, IndexOf(price)); }

  // Prefetches what every order reads.
  ENGINE_ALWAYS_INLINE void Prefetch() const {
    PrefetchToRead(&ordinary_prices);
    book.Prefetch();
  }

 private:
  Grid prices() const;
  Grid PricesInStepsOf(int64_t step) const;
  void SetPrices(const Grid& prices);
  void Refine(Price price);
  void CountPrices();
};
static_assert(sizeof(Market) == 192);

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_H_
