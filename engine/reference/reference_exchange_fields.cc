#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"

namespace engine {

RejectReason ReferenceExchange::CheckTerms(const Command& command) const {
  if (!IsSide(command.side)) return RejectReason::kInvalidSide;
  if (!IsOrderType(command.type)) return RejectReason::kInvalidOrderType;
  if (!IsTimeInForce(command.tif)) return RejectReason::kInvalidTimeInForce;
  const bool is_market_order = command.type == OrderType::kMarket;
  const bool rests = MayRest(command.tif);
  if (is_market_order && rests) return RejectReason::kInvalidTimeInForce;
  if (markets_.at(command.market).is_mirrored() && !rests) return RejectReason::kMarketIsMirrored;

  const OrderFlags flags = command.flags;
  if (flags.post_only() && !rests) return RejectReason::kInvalidFlags;
  if (flags.cancel_on_pause() && !rests) return RejectReason::kInvalidFlags;
  if (flags.reduce_only()) {
    const bool means_something =
        command.tif == TimeInForce::kImmediateOrCancel && markets_.at(command.market).is_binary();
    if (!means_something) return RejectReason::kInvalidFlags;
  }
  if (is_market_order && command.price != Price()) return RejectReason::kPriceOnMarketOrder;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::CheckQuantity(const Command& command) const {
  const MarketDefinition& market = *markets_.at(command.market).definition;
  const Quantity quantity = command.quantity;
  if (quantity.is_zero()) return RejectReason::kQuantityZero;
  if (quantity > kQuantityMax) return RejectReason::kQuantityAboveMaximum;
  if (!market.quantity_max.is_zero() && quantity > market.quantity_max) {
    return RejectReason::kQuantityAboveMaximum;
  }
  if (quantity < market.quantity_min) return RejectReason::kQuantityBelowMinimum;
  if (quantity.units() % market.lot.units() != 0) return RejectReason::kQuantityOffLot;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::CheckPrice(const Command& command) const {
  const MarketDefinition& market = *markets_.at(command.market).definition;
  const Price price = command.price;
  if (price < market.price_min || price > market.price_max) return RejectReason::kPriceOutOfBand;
  Price tick = market.tick;
  for (const TickBand& band : market.bands) {
    if (band.from <= price) tick = band.tick;
  }
  if (price.units() % tick.units() != 0) return RejectReason::kPriceOffTick;
  return RejectReason::kNone;
}

// The price and quantity of a trade that a venue reports: it may lie between ticks, and a trade of
// no order between lots.
RejectReason ReferenceExchange::CheckExecution(const Command& command,
                                               const RestingOrder* order) const {
  const MarketDefinition& market = *markets_.at(command.market).definition;
  const bool has_side = IsSide(command.side) || command.side == Side();
  if (order == nullptr && !has_side) return RejectReason::kInvalidSide;
  if (command.quantity.is_zero()) return RejectReason::kQuantityZero;
  if (command.quantity > kQuantityMax) return RejectReason::kQuantityAboveMaximum;
  if (order != nullptr) {
    if (command.quantity.units() % market.lot.units() != 0) return RejectReason::kQuantityOffLot;
    if (command.quantity > order->quantity_remaining) return RejectReason::kQuantityAboveRemaining;
  }
  if (command.price < market.price_min || command.price > market.price_max) {
    return RejectReason::kPriceOutOfBand;
  }
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::CheckGroup(AccountId account, GroupId group) const {
  if (group == GroupId()) return RejectReason::kNone;
  const auto found = groups_.find({account, group});
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  return found->second.is_tripped ? RejectReason::kGroupTripped : RejectReason::kNone;
}

}  // namespace engine
