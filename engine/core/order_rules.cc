#include "engine/core/order_rules.h"

#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

bool IsMultiple(Quantity quantity, Quantity lot) { return quantity.units() % lot.units() == 0; }

RejectReason CheckTerms(const Command& command) {
  if (!IsValid(command.side)) return RejectReason::kInvalidSide;
  if (!IsValid(command.type)) return RejectReason::kInvalidOrderType;
  if (!IsValid(command.tif)) return RejectReason::kInvalidTimeInForce;
  if (command.type == OrderType::kLimit) return RejectReason::kNone;
  if (command.tif == TimeInForce::kGoodTillCancelled) return RejectReason::kInvalidTimeInForce;
  if (command.price != Price()) return RejectReason::kPriceOnMarketOrder;
  return RejectReason::kNone;
}

RejectReason CheckQuantity(Quantity quantity, const MarketDefinition& market) {
  if (quantity.is_zero()) return RejectReason::kQuantityZero;
  if (quantity > kQuantityMax) return RejectReason::kQuantityAboveMaximum;
  if (!IsMultiple(quantity, market.lot)) return RejectReason::kQuantityOffLot;
  return RejectReason::kNone;
}

RejectReason CheckPrice(Price price, const MarketDefinition& market) {
  if (price < market.price_min || price > market.price_max) return RejectReason::kPriceOutOfBand;
  if (price.units() % market.tick.units() != 0) return RejectReason::kPriceOffTick;
  return RejectReason::kNone;
}

RejectReason CheckLimitOrder(const Command& command, const MarketDefinition& market) {
  const RejectReason reason = CheckQuantity(command.quantity, market);
  return reason != RejectReason::kNone ? reason : CheckPrice(command.price, market);
}

}  // namespace

RejectReason CheckAddressedOrder(const Command& command, const RestingOrder* order) {
  const uint64_t id = command.order_id.value();
  if (id == 0 || id >= command.sequence.value()) return RejectReason::kUnknownOrder;
  if (order == nullptr) return RejectReason::kOrderNotLive;
  if (order->market != command.market) return RejectReason::kWrongMarket;
  if (order->account != command.account) return RejectReason::kWrongAccount;
  return RejectReason::kNone;
}

RejectReason CheckNewOrder(const Command& command, const MarketDefinition& market) {
  const RejectReason reason = CheckTerms(command);
  if (reason != RejectReason::kNone) return reason;
  return command.type == OrderType::kMarket ? CheckQuantity(command.quantity, market)
                                            : CheckLimitOrder(command, market);
}

RejectReason CheckReduce(const Command& command, const MarketDefinition& market) {
  if (command.quantity.is_zero()) return RejectReason::kQuantityZero;
  if (!IsMultiple(command.quantity, market.lot)) return RejectReason::kQuantityOffLot;
  return RejectReason::kNone;
}

RejectReason CheckReplace(const Command& command, const MarketDefinition& market) {
  return CheckLimitOrder(command, market);
}

RejectReason CheckAmend(const Command& command, const MarketDefinition& market,
                        const RestingOrder& order) {
  const RejectReason reason = CheckLimitOrder(command, market);
  if (reason != RejectReason::kNone) return reason;
  if (command.quantity <= order.quantity_filled) return RejectReason::kQuantityNotAboveFilled;
  return RejectReason::kNone;
}

}  // namespace engine
