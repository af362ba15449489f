#include "engine/core/order_rules.h"

#include <cstdint>

#include "engine/base/timestamp.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

bool IsMultiple(Quantity quantity, Quantity lot) { return quantity.units() % lot.units() == 0; }

// Whether the flags agree with the time in force and with the market.
RejectReason CheckFlags(const Command& command, const MarketDefinition& market) {
  const OrderFlags flags = command.flags;
  const bool may_rest = Rests(command.tif);
  if (flags.post_only() && !may_rest) return RejectReason::kInvalidFlags;
  if (flags.cancel_on_pause() && !may_rest) return RejectReason::kInvalidFlags;
  if (flags.reduce_only() &&
      (command.tif != TimeInForce::kImmediateOrCancel || market.kind != MarketKind::kBinary)) {
    return RejectReason::kInvalidFlags;
  }
  return RejectReason::kNone;
}

RejectReason CheckTerms(const Command& command, const MarketDefinition& market) {
  if (!IsValid(command.side)) return RejectReason::kInvalidSide;
  if (!IsValid(command.type)) return RejectReason::kInvalidOrderType;
  if (!IsValid(command.tif)) return RejectReason::kInvalidTimeInForce;
  const bool is_market_order = command.type == OrderType::kMarket;
  if (is_market_order && Rests(command.tif)) return RejectReason::kInvalidTimeInForce;
  if (market.mirrored && !Rests(command.tif)) return RejectReason::kMarketIsMirrored;
  RETURN_IF_REFUSED(CheckFlags(command, market));
  if (is_market_order && command.price != Price()) return RejectReason::kPriceOnMarketOrder;
  return RejectReason::kNone;
}

RejectReason CheckQuantity(Quantity quantity, const MarketDefinition& market) {
  if (quantity.is_zero()) return RejectReason::kQuantityZero;
  const Quantity maximum = market.quantity_max.is_zero() ? kQuantityMax : market.quantity_max;
  if (quantity > maximum) return RejectReason::kQuantityAboveMaximum;
  if (quantity < market.quantity_min) return RejectReason::kQuantityBelowMinimum;
  if (!IsMultiple(quantity, market.lot)) return RejectReason::kQuantityOffLot;
  return RejectReason::kNone;
}

// Whether the price lies in the market's band.
RejectReason CheckBand(Price price, const MarketDefinition& market) {
  const bool is_within = price >= market.price_min && price <= market.price_max;
  return is_within ? RejectReason::kNone : RejectReason::kPriceOutOfBand;
}

}  // namespace

RejectReason CheckPrice(Price price, const MarketDefinition& market) {
  RETURN_IF_REFUSED(CheckBand(price, market));
  if (price.units() % market.TickAt(price).units() != 0) return RejectReason::kPriceOffTick;
  return RejectReason::kNone;
}

RejectReason CheckLimitOrder(const Command& command, const MarketDefinition& market) {
  RETURN_IF_REFUSED(CheckQuantity(command.quantity, market));
  return CheckPrice(command.price, market);
}

RejectReason CheckAddressedOrder(const Command& command, const OrderSlot* order) {
  const uint64_t id = command.order_id.value();
  if (id == 0 || id >= command.sequence.value()) return RejectReason::kUnknownOrder;
  if (order == nullptr) return RejectReason::kOrderNotLive;
  if (order->market != command.market) return RejectReason::kWrongMarket;
  if (order->account != command.account) return RejectReason::kWrongAccount;
  return RejectReason::kNone;
}

RejectReason CheckNewOrder(const Command& command, const MarketDefinition& market) {
  RETURN_IF_REFUSED(CheckTerms(command, market));
  RETURN_IF_REFUSED(command.type == OrderType::kMarket ? CheckQuantity(command.quantity, market)
                                                       : CheckLimitOrder(command, market));
  const bool has_expired =
      command.tif == TimeInForce::kGoodTillTime && command.expires_at() <= command.timestamp;
  return has_expired ? RejectReason::kExpiredOnArrival : RejectReason::kNone;
}

// A venue may trade between its ticks, and in parts of a lot.
RejectReason CheckExecute(const Command& command, const MarketDefinition& market,
                          const OrderSlot* order) {
  if (order == nullptr && command.side != Side() && !IsValid(command.side)) {
    return RejectReason::kInvalidSide;
  }
  if (command.quantity.is_zero()) return RejectReason::kQuantityZero;
  if (command.quantity > kQuantityMax) return RejectReason::kQuantityAboveMaximum;
  if (order != nullptr && !IsMultiple(command.quantity, market.lot)) {
    return RejectReason::kQuantityOffLot;
  }
  if (order != nullptr && command.quantity > order->quantity_remaining) {
    return RejectReason::kQuantityAboveRemaining;
  }
  return CheckBand(command.price, market);
}

RejectReason CheckReduce(const Command& command, const MarketDefinition& market) {
  if (command.quantity.is_zero()) return RejectReason::kQuantityZero;
  if (!IsMultiple(command.quantity, market.lot)) return RejectReason::kQuantityOffLot;
  return RejectReason::kNone;
}

RejectReason CheckReduceTo(const Command& command, const MarketDefinition& market,
                           const OrderSlot& order) {
  if (!IsMultiple(command.quantity, market.lot)) return RejectReason::kQuantityOffLot;
  return command.quantity < order.quantity_remaining ? RejectReason::kNone
                                                     : RejectReason::kQuantityNotBelowRemaining;
}

RejectReason CheckSetExpiry(const Command& command, const OrderSlot& order) {
  if (order.tif == TimeInForce::kDay) return RejectReason::kInvalidTimeInForce;
  const Timestamp expires_at = command.new_expiry();
  const bool has_come = expires_at != Timestamp() && expires_at <= command.timestamp;
  return has_come ? RejectReason::kExpiredOnArrival : RejectReason::kNone;
}

RejectReason CheckAmend(const Command& command, const MarketDefinition& market,
                        const OrderSlot& order) {
  RETURN_IF_REFUSED(CheckLimitOrder(command, market));
  if (command.quantity <= order.quantity_filled) return RejectReason::kQuantityNotAboveFilled;
  return RejectReason::kNone;
}

}  // namespace engine
