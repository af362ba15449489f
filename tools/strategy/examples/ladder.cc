// A ladder: orders at several prices below and above the mid that was there first, placed once and
// held; each that has traded in full is not replaced.

#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy.h"

namespace {

using engine::MarketId;
using engine::Price;
using engine::Side;
using strategy::Book;
using strategy::ConnectionState;
using strategy::Parameter;

class Ladder final : public strategy::Strategy {
 private:
  void OnBook(MarketId market) override {
    const Book& levels = book(market);
    if (!levels.is_good() || !levels.has_mid() || connection() != ConnectionState::kLive) return;
    if (!placed_.insert(market).second) return;
    const engine::MarketDefinition& terms = definition(market);
    const int64_t step = step_.PriceUnitsIn(market);
    const int64_t best_bid = levels.best(Side::kBid)->price.units();
    const int64_t best_ask = levels.best(Side::kAsk)->price.units();
    for (int64_t rung = 0; rung < rungs_.value(); ++rung) {
      Place(market, terms, Side::kBid, best_bid - rung * step);
      Place(market, terms, Side::kAsk, best_ask + rung * step);
    }
  }

  void Place(MarketId market, const engine::MarketDefinition& terms, Side side, int64_t units) {
    const Price price = Price::FromUnits(units);
    if (price < terms.price_min || price > terms.price_max) return;
    if (units % terms.TickAt(price).units() != 0) return;
    Send({.market = market,
          .side = side,
          .price = price,
          .quantity = size_.In(market),
          .tif = engine::TimeInForce::kGoodTillCancelled});
  }

  Parameter size_{*this, "size", {.value = 100, .low = 1, .summary = "of each order"}};
  Parameter rungs_{
      *this, "rungs", {.value = 5, .low = 1, .high = 100, .summary = "orders on each side"}};
  Parameter step_{
      *this, "step", {.decimals = 4, .value = 100, .low = 1, .summary = "from one to the next"}};
  absl::flat_hash_set<MarketId> placed_;
};

TICKTAPE_STRATEGY("ladder", Ladder);

}  // namespace
