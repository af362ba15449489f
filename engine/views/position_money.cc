#include "engine/views/position_money.h"

#include <algorithm>
#include <cstdlib>

namespace engine {
namespace {

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// The part of `cost` for `part` of `whole` contracts, rounded down. REQUIRES: part <= whole, whole
// is not zero.
Money Share(Money cost, uint64_t part, uint64_t whole) {
  const __int128 share = static_cast<__int128>(cost.micros()) * part / whole;
  return Money::FromMicros(static_cast<int64_t>(share));
}

}  // namespace

Money AddUpTo(Money sum, Money more) {
  int64_t micros = 0;
  if (__builtin_add_overflow(sum.micros(), more.micros(), &micros)) micros = INT64_MAX;
  return Money::FromMicros(micros);
}

ContractUnits ContractUnits::Of(const MarketDefinition& market) {
  if (market.kind != MarketKind::kBinary) return {};
  const int decimals = market.price_decimals + market.quantity_decimals;
  return {.dollar = PowerOfTen(market.price_decimals),
          .micros_per_unit = PowerOfTen(kBinaryDecimalsMax - decimals)};
}

void ApplyFill(const ContractUnits& units, Side side, Quantity quantity, Price price, Money fee,
               PortfolioPosition& position) {
  const bool closes = side == Side::kBid ? position.position < 0 : position.position > 0;
  const auto held = static_cast<uint64_t>(std::abs(position.position));
  const Quantity closed =
      closes ? std::min(quantity, Quantity::FromUnits(held)) : Quantity::FromUnits(0);
  if (!closed.is_zero()) {
    const Money cost = Share(position.cost_basis, closed.units(), held);
    position.cost_basis -= cost;
    position.realised_pnl += units.Pair(closed) - units.Cost(side, closed, price) - cost;
    position.open_fees -= Share(position.open_fees, closed.units(), held);
  }
  const Quantity opened = quantity - closed;
  position.cost_basis += units.Cost(side, opened, price);
  position.open_fees = AddUpTo(position.open_fees, Share(fee, opened.units(), quantity.units()));
  position.fees = AddUpTo(position.fees, fee);
  position.traded = AddUpTo(position.traded, units.Cost(side, quantity, price));
  position.volume += quantity;
  const auto change = static_cast<int64_t>(quantity.units());
  position.position += side == Side::kBid ? change : -change;
}

void ApplySettlement(Money revenue, PortfolioPosition& position) {
  position.realised_pnl += revenue - position.cost_basis;
  position.cost_basis = position.open_fees = Money();
  position.position = 0;
}

}  // namespace engine
