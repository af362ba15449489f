// A market maker: quotes both sides around the mid of the others, leans against what it holds, and
// stops for good when it has lost too much.
//
//   holds nothing      bid 19.99            mid 20.00            ask 20.01
//   long 200           bid 19.97      mid 20.00      ask 19.99       (skew 0.01 for each 100)

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy.h"

namespace {

using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Side;
using strategy::Book;
using strategy::InputKind;
using strategy::OrderUpdate;
using strategy::Parameter;

class MarketMaker final : public strategy::Strategy {
 private:
  void OnBook(MarketId market) override {
    const Book::Level* const best_bid = best_of_others(market, Side::kBid);
    const Book::Level* const best_ask = best_of_others(market, Side::kAsk);
    if (!book(market).is_good() || best_bid == nullptr || best_ask == nullptr) {
      return PullQuotes(market);
    }
    const engine::MarketDefinition& terms = definition(market);
    const Quantity size = size_.In(market);
    const int64_t mid =
        (best_bid->price.units() + best_ask->price.units()) / 2 - SkewOf(market, size);
    const int64_t half = std::max<int64_t>(half_spread_.PriceUnitsIn(market), 1);
    // Never at or beyond the best price of the other side: it makes markets, and takes nothing.
    const int64_t bid = std::min(mid - half, best_ask->price.units() - 1);
    const int64_t ask = std::max(mid + half, best_bid->price.units() + 1);
    QuoteAt(market, Side::kBid, OnGrid(terms, bid, Side::kBid), size);
    QuoteAt(market, Side::kAsk, OnGrid(terms, ask, Side::kAsk), size);
  }

  void OnOrder(const OrderUpdate& update) override {
    if (update.kind != InputKind::kOrderFilled) return;
    if (!kill_loss_.is_on() || is_stopped()) return;
    // Cents in 10^-6 dollar.
    if (profit().micros() >= -kill_loss_.value() * 10'000) return;
    Log("lost too much");
    Stop();
  }

  // How much lower it quotes for what it holds.
  int64_t SkewOf(MarketId market, Quantity size) const {
    const auto units = static_cast<int64_t>(std::max<uint64_t>(size.units(), 1));
    const int64_t sizes = std::clamp<int64_t>(position(market).units() / units, -1'000, 1'000);
    return sizes * skew_.PriceUnitsIn(market);
  }

  // The nearest price that is allowed, away from the mid; zero if there is none.
  static Price OnGrid(const engine::MarketDefinition& terms, int64_t units, Side side) {
    units = std::clamp(units, terms.price_min.units(), terms.price_max.units());
    const int64_t tick = terms.TickAt(Price::FromUnits(units)).units();
    const int64_t above = units % tick;
    const int64_t down = units - (above < 0 ? above + tick : above);
    return Price::FromUnits(side == Side::kBid || down == units ? down : down + tick);
  }

  void QuoteAt(MarketId market, Side side, Price price, Quantity size) {
    const engine::MarketDefinition& terms = definition(market);
    const bool is_allowed = terms.price_min <= price && price <= terms.price_max;
    Quote(market, side, price, is_allowed ? size : Quantity(), 0,
          engine::OrderFlags().WithPostOnly());
  }

  Parameter size_{*this, "size", {.value = 100, .low = 1, .summary = "contracts or shares quoted"}};
  Parameter half_spread_{
      *this, "half_spread", {.decimals = 4, .value = 100, .summary = "from the mid to each quote"}};
  Parameter skew_{*this,
                  "skew",
                  {.decimals = 4,
                   .value = 50,
                   .summary = "how much lower both quotes are for each `size` that it holds"}};
  Parameter kill_loss_{*this,
                       "kill_loss",
                       {.decimals = 2,
                        .value = 100'000,
                        .summary = "dollars lost after which it stops for good; 0: never"}};
};

TICKTAPE_STRATEGY("market_maker", MarketMaker);

}  // namespace
