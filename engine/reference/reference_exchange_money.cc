#include <algorithm>
#include <cstdint>

#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"

namespace engine {
namespace {

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

__int128 FloorTo(__int128 amount, __int128 step) {
  __int128 rest = amount % step;
  if (rest < 0) rest += step;
  return amount - rest;
}
__int128 CeilTo(__int128 amount, __int128 step) { return -FloorTo(-amount, step); }

// What pairs of `quantity` contracts pay: one dollar each.
__int128 Pair(const MarketDefinition& market, __int128 quantity) {
  return quantity * PowerOfTen(6 - market.quantity_decimals);
}

// What `side` pays for `quantity` contracts at `price`.
__int128 Cost(const MarketDefinition& market, Side side, Price price, Quantity quantity) {
  const __int128 dollar = PowerOfTen(market.price_decimals);
  const __int128 each = side == Side::kBid ? price.units() : dollar - price.units();
  return static_cast<__int128>(quantity.units()) * each *
         PowerOfTen(6 - market.price_decimals - market.quantity_decimals);
}

__int128 Fee(const MarketDefinition& market, uint32_t coefficient, uint32_t multiplier, Price price,
             Quantity quantity) {
  const __int128 dollar = PowerOfTen(market.price_decimals);
  const __int128 product = static_cast<__int128>(coefficient) * multiplier *
                           static_cast<__int128>(quantity.units()) * price.units() *
                           (dollar - price.units());
  const __int128 scale = PowerOfTen(market.quantity_decimals + 2 * market.price_decimals);
  return CeilTo(product, scale) / scale;
}

Money ToMoney(__int128 micros) { return Money::FromMicros(static_cast<int64_t>(micros)); }

}  // namespace

// ---- Holdings.

ReferenceExchange::Holding ReferenceExchange::HoldingOf(AccountId account, MarketId market) const {
  const auto found = holdings_.find({account, market});
  return found == holdings_.end() ? Holding() : found->second;
}

void ReferenceExchange::SetHolding(AccountId account, MarketId market, const Holding& holding) {
  if (holding == Holding()) {
    holdings_.erase({account, market});
  } else {
    holdings_[{account, market}] = holding;
  }
}

int64_t ReferenceExchange::Position(AccountId account, MarketId market) const {
  return HoldingOf(account, market).contracts;
}

// How much of the account's position an order of `side` can close.
Quantity ReferenceExchange::Reducible(AccountId account, MarketId market, Side side) const {
  const int64_t position = Position(account, market);
  const int64_t opposite = side == Side::kBid ? -position : position;
  return Quantity::FromUnits(static_cast<uint64_t>(std::max<int64_t>(opposite, 0)));
}

// ---- Fills.

ReferenceExchange::Paid ReferenceExchange::PayForFill(RestingOrder& order, Price price,
                                                      Quantity quantity, uint32_t coefficient) {
  const Market& market = markets_.at(order.market);
  const MarketDefinition& definition = *market.definition;
  const Quantity closed = std::min(quantity, Reducible(order.account, order.market, order.side));
  const __int128 gross = Pair(definition, static_cast<__int128>(closed.units())) -
                         Cost(definition, order.side, price, quantity);
  const __int128 due = gross -
                       Fee(definition, coefficient, market.fees.multiplier, price, quantity) +
                       order.credit.micros();
  const __int128 change = FloorTo(due, kBalanceStepMicros);
  order.credit = ToMoney(due - change);
  accounts_[order.account].balance += ToMoney(change);
  fees_collected_ += ToMoney(gross - change);
  const auto units = static_cast<int64_t>(quantity.units());
  Holding holding = HoldingOf(order.account, order.market);
  holding.contracts += order.side == Side::kBid ? units : -units;
  SetHolding(order.account, order.market, holding);
  return {ToMoney(change), ToMoney(gross - change)};
}

void ReferenceExchange::AppendFillEvents(const RestingOrder& order, Quantity quantity,
                                         const Paid& paid) {
  AppendBalance(order.account, order.market, order.id, paid.change, paid.fee);
  Event& event = events_->Append(EventKind::kPosition);
  event.account = order.account;
  event.market = order.market;
  event.price = Price::FromUnits(Position(order.account, order.market));
  event.quantity = quantity;
}

void ReferenceExchange::AppendBalance(AccountId account, MarketId market, OrderId order,
                                      Money change, Money fee) {
  Event& event = events_->Append(EventKind::kBalance);
  event.order_id = order;
  event.account = account;
  event.market = market;
  event.price = Price::FromUnits(change.micros());
  event.quantity = Quantity::FromUnits(static_cast<uint64_t>(fee.micros()));
  event.counter_order_id = OrderId(static_cast<uint64_t>(accounts_.at(account).balance.micros()));
  event.quantity_remaining = Quantity::FromUnits(static_cast<uint64_t>(Reserved(account)));
}

// ---- Reservations.

// The most that the remaining quantity of `order` can cost at its price, with the rounding of every
// fill.
__int128 ReferenceExchange::Requirement(const RestingOrder& order, uint32_t coefficient) const {
  const Market& market = markets_.at(order.market);
  const MarketDefinition& definition = *market.definition;
  const Quantity quantity = order.quantity_remaining;
  const auto units = static_cast<__int128>(quantity.units());
  const auto lot = static_cast<__int128>(definition.lot.units());
  const bool is_free = coefficient == 0 || market.fees.multiplier == 0;
  const __int128 rounding = is_free ? 0 : CeilTo(units, lot) / lot;
  const __int128 most =
      Cost(definition, order.side, order.price, quantity) +
      Fee(definition, coefficient, market.fees.multiplier, order.price, quantity) + rounding -
      order.credit.micros();
  return std::max<__int128>(0, CeilTo(most, kBalanceStepMicros));
}

// What `order` requires while it rests.
__int128 ReferenceExchange::RequirementAtRest(const RestingOrder& order) const {
  return Requirement(order, markets_.at(order.market).fees.maker_coefficient);
}

// `order`, with its present values, starts to rest (+1) or no longer rests (-1).
void ReferenceExchange::Require(const RestingOrder& order, int sign) {
  if (!markets_.at(order.market).has_money()) return;
  Holding holding = HoldingOf(order.account, order.market);
  holding.of(order.side) += sign * RequirementAtRest(order);
  SetHolding(order.account, order.market, holding);
}

// What the holding's orders reserve: what each side requires, less what pairs of its fills would
// pay.
__int128 ReferenceExchange::ReservedIn(MarketId market, const Holding& holding) const {
  const MarketDefinition& definition = *markets_.at(market).definition;
  const __int128 yes = std::max<int64_t>(holding.contracts, 0);
  const __int128 no = std::max<int64_t>(-holding.contracts, 0);
  return std::max<__int128>(0, holding.of(Side::kBid) - Pair(definition, no)) +
         std::max<__int128>(0, holding.of(Side::kAsk) - Pair(definition, yes));
}

__int128 ReferenceExchange::Reserved(AccountId account) const {
  __int128 reserved = 0;
  for (auto i = holdings_.lower_bound({account, MarketId()});
       i != holdings_.end() && i->first.first == account; ++i) {
    reserved += ReservedIn(i->first.second, i->second);
  }
  return reserved;
}

// Whether the account can reserve the most that `arrival` may cost, after `instead_of` is released.
bool ReferenceExchange::CanAfford(const Arrival& arrival, const RestingOrder* instead_of) const {
  RestingOrder worst = arrival.order;
  worst.price = arrival.worst_price;
  if (arrival.cap.has_value()) {
    worst.quantity_remaining = std::min(worst.quantity_remaining, *arrival.cap);
  }
  const FeeSchedule& fees = markets_.at(worst.market).fees;
  const Holding before = HoldingOf(worst.account, worst.market);
  Holding after = before;
  if (instead_of != nullptr) after.of(worst.side) -= RequirementAtRest(*instead_of);
  after.of(worst.side) +=
      Requirement(worst, std::max(fees.maker_coefficient, fees.taker_coefficient));
  const __int128 reserved =
      Reserved(worst.account) - ReservedIn(worst.market, before) + ReservedIn(worst.market, after);
  return accounts_.at(worst.account).balance.micros() >= reserved;
}

// ---- Settlement.

void ReferenceExchange::PayOut(AccountId account, MarketId market_id) {
  const Market& market = markets_.at(market_id);
  const MarketDefinition& definition = *market.definition;
  const int64_t position = Position(account, market_id);
  const auto quantity =
      Quantity::FromUnits(static_cast<uint64_t>(position > 0 ? position : -position));
  // A YES is worth what a bid at the settlement value pays, a NO what an ask pays.
  const __int128 worth =
      Cost(definition, position > 0 ? Side::kBid : Side::kAsk, market.settlement_value, quantity);
  const __int128 change = FloorTo(worth, kBalanceStepMicros);
  accounts_.at(account).balance += ToMoney(change);
  fees_collected_ += ToMoney(worth - change);
  SetHolding(account, market_id, Holding());
  RestingOrder unordered;
  unordered.account = account;
  unordered.market = market_id;
  AppendFillEvents(unordered, quantity, {ToMoney(change), ToMoney(worth - change)});
}

}  // namespace engine
