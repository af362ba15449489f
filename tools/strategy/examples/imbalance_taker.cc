// A taker: when one side of the book is much heavier than the other, it takes the best level of the
// light side, and leaves after a while.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
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
using engine::Quantity;
using engine::Side;
using strategy::Book;
using strategy::InputKind;
using strategy::OrderUpdate;
using strategy::Parameter;
using strategy::TimerId;

class ImbalanceTaker final : public strategy::Strategy {
 private:
  void OnBook(MarketId market) override {
    const Book& levels = book(market);
    if (!levels.is_good() || !levels.has_mid() || position(market).units() != 0) return;
    if (has_order(market)) return;
    const uint64_t bids = Depth(levels, Side::kBid);
    const uint64_t asks = Depth(levels, Side::kAsk);
    const auto percent = static_cast<uint64_t>(percent_.value());
    if (bids * 100 >= (bids + asks) * percent) {
      Take(market, Side::kBid, size_.In(market));
    } else if (asks * 100 >= (bids + asks) * percent) {
      Take(market, Side::kAsk, size_.In(market));
    }
  }

  void OnOrder(const OrderUpdate& update) override {
    if (update.kind != InputKind::kOrderFilled) return;
    const MarketId market = update.order->market;
    if (position(market).units() == 0) return;
    SetTimer(TimerId(market.value()),
             engine::Timestamp::FromNanos(now().nanos() + hold_seconds_.value()));
  }

  // Leaves at the best price there is, and tries again until it has.
  void OnTimer(TimerId timer) override {
    const MarketId market(timer.value());
    const int64_t units = position(market).units();
    if (units == 0) return;
    const auto quantity = Quantity::FromUnits(static_cast<uint64_t>(units > 0 ? units : -units));
    Take(market, units > 0 ? Side::kAsk : Side::kBid, quantity);
    SetTimer(timer, engine::Timestamp::FromNanos(now().nanos() + hold_seconds_.value()));
  }

  uint64_t Depth(const Book& levels, Side side) const {
    uint64_t sum = 0;
    const size_t count = std::min(levels.size(side), static_cast<size_t>(levels_.value()));
    for (size_t i = 0; i < count; ++i) sum += levels.at(side, i).quantity.units();
    return sum;
  }

  void Take(MarketId market, Side side, Quantity quantity) {
    const Book::Level* const best = book(market).best(engine::Opposite(side));
    if (best == nullptr) return;
    Send({.market = market,
          .side = side,
          .price = best->price,
          .quantity = std::min(quantity, best->quantity),
          .tif = engine::TimeInForce::kImmediateOrCancel});
  }

  Parameter size_{*this, "size", {.value = 100, .low = 1, .summary = "contracts or shares taken"}};
  Parameter levels_{
      *this, "levels", {.value = 3, .low = 1, .high = 100, .summary = "levels that are added up"}};
  Parameter percent_{
      *this,
      "percent",
      {.value = 80, .low = 51, .high = 100, .summary = "of all that is there, on the heavy side"}};
  Parameter hold_seconds_{*this,
                          "hold_seconds",
                          {.decimals = 9,
                           .value = 1'000'000'000,
                           .low = 1,
                           .high = 86'400'000'000'000,
                           .summary = "until it leaves"}};
};

TICKTAPE_STRATEGY("imbalance_taker", ImbalanceTaker);

}  // namespace
