#include <algorithm>

#include "engine/core/testing/reference_exchange.h"
#include "engine/core/testing/reference_exchange_arrival.h"

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

// What so many contracts pay if they come true.
__int128 Pair(const MarketDefinition& market, __int128 quantity) {
  return quantity * PowerOfTen(6 - market.quantity_decimals);
}

// What so many contracts cost on that side.
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

int64_t ReferenceExchange::Position(AccountId account, MarketId market) const {
  const auto found = positions_.find({account, market});
  return found == positions_.end() ? 0 : found->second;
}

// How much of the account's position an order of `side` would close.
Quantity ReferenceExchange::Reducible(AccountId account, MarketId market, Side side) const {
  const int64_t position = Position(account, market);
  const int64_t opposite = side == Side::kBid ? -position : position;
  return Quantity::FromUnits(static_cast<uint64_t>(std::max<int64_t>(opposite, 0)));
}

void ReferenceExchange::PayForFill(RestingOrder& order, Price price, Quantity quantity,
                                   uint32_t coefficient) {
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
  positions_[{order.account, order.market}] += order.side == Side::kBid ? units : -units;
  AppendFillEvents(order, quantity, ToMoney(change), ToMoney(gross - change));
}

void ReferenceExchange::AppendFillEvents(const RestingOrder& order, Quantity quantity, Money change,
                                         Money fee) {
  AppendBalance(order.account, order.market, order.id, change, fee);
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

// The most that what remains of `order` can cost at its price, rounding of every fill included.
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

// What the account's orders may still cost: those that rest but `without`, and `with` as if it
// rested.
__int128 ReferenceExchange::Reserved(AccountId account, OrderId without,
                                     const Arrival* with) const {
  __int128 reserved = 0;
  for (const auto& [id, market] : markets_) {
    if (!market.is_binary()) continue;
    for (const Side side : {Side::kBid, Side::kAsk}) {
      __int128 sum = 0;
      for (const auto& [order_id, order] : orders_) {
        if (order.account != account || order.market != id || order.side != side) continue;
        if (order_id != without) sum += Requirement(order, market.fees.maker_coefficient);
      }
      if (with != nullptr && with->order.market == id && with->order.side == side) {
        RestingOrder order = with->order;
        order.price = with->worst_price;
        if (with->cap.has_value()) {
          order.quantity_remaining = std::min(order.quantity_remaining, *with->cap);
        }
        sum += Requirement(order,
                           std::max(market.fees.maker_coefficient, market.fees.taker_coefficient));
      }
      const Quantity opposite = Reducible(account, id, side);
      const __int128 covered = Pair(*market.definition, static_cast<__int128>(opposite.units()));
      reserved += std::max<__int128>(0, sum - covered);
    }
  }
  return reserved;
}

void ReferenceExchange::PayOut(AccountId account, MarketId market_id) {
  const Market& market = markets_.at(market_id);
  const MarketDefinition& definition = *market.definition;
  const int64_t position = Position(account, market_id);
  const auto quantity =
      Quantity::FromUnits(static_cast<uint64_t>(position > 0 ? position : -position));
  // What a YES is worth is what it costs to buy; a NO, to sell.
  const __int128 worth =
      Cost(definition, position > 0 ? Side::kBid : Side::kAsk, market.settlement_value, quantity);
  const __int128 change = FloorTo(worth, kBalanceStepMicros);
  accounts_.at(account).balance += ToMoney(change);
  fees_collected_ += ToMoney(worth - change);
  positions_.erase({account, market_id});
  RestingOrder nobody;
  nobody.account = account;
  nobody.market = market_id;
  AppendFillEvents(nobody, quantity, ToMoney(change), ToMoney(worth - change));
}

}  // namespace engine
