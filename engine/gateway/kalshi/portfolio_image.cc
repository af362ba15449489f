#include "engine/gateway/kalshi/portfolio_image.h"

#include "engine/messages/reject_reason.h"
#include "engine/types/market_definition.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {

using kalshi::Count;

kalshi::OrderStatus StatusOf(const PortfolioOrder& order) {
  switch (order.status) {
    case OrderStatus::kLive:
      return kalshi::OrderStatus::kResting;
    case OrderStatus::kFilled:
      return kalshi::OrderStatus::kExecuted;
    case OrderStatus::kCancelled:
    case OrderStatus::kReplaced:
      break;
  }
  return kalshi::OrderStatus::kCanceled;
}

kalshi::OrderUpdate UpdateOf(const PortfolioOrder& order) {
  if (order.last_update == OrderUpdate::kTraded) return kalshi::OrderUpdate::kTrade;
  if (order.last_update == OrderUpdate::kReduced) return kalshi::OrderUpdate::kDecrease;
  if (order.last_update == OrderUpdate::kAmended) return kalshi::OrderUpdate::kAmend;
  switch (order.cancel_reason) {
    case CancelReason::kSelfTrade:
      return kalshi::OrderUpdate::kSelfTradeCancel;
    case CancelReason::kExpired:
      return kalshi::OrderUpdate::kExpiryCancel;
    case CancelReason::kMarketClosed:
      return kalshi::OrderUpdate::kCloseCancel;
    case CancelReason::kMarketPaused:
      return kalshi::OrderUpdate::kHaltCancel;
    case CancelReason::kPostOnly:
      return kalshi::OrderUpdate::kPostOnlyCrossCancel;
    case CancelReason::kReduceOnly:
      return kalshi::OrderUpdate::kReduceOnlyCancel;
    default:
      return kalshi::OrderUpdate::kNone;
  }
}

OrderImage::OrderImage(const PortfolioOrder& from, const KalshiWorld& world)
    : order_id(world.ids.Of(from.id)),
      user_id(world.ids.Of(from.account)),
      group_id(world.ids.Of(from.account, from.group)) {
  order.order_id = order_id.text();
  order.user_id = user_id.text();
  order.client_order_id = world.views.portfolio().ClientTextOf(from);
  order.ticker = world.markets.Find(from.market)->symbol;
  order.side = from.side;
  order.status = StatusOf(from);
  order.price = from.price;
  order.fill_count = Count::Of(from.filled);
  order.remaining_count = Count::Of(from.remaining);
  order.initial_count = Count::Of(from.initial);
  order.taker_fill_cost = from.taker_cost;
  order.maker_fill_cost = from.maker_cost;
  order.taker_fees = from.taker_fees;
  order.maker_fees = from.maker_fees;
  order.self_trade_prevention = from.flags.self_trade_prevention();
  order.cancel_order_on_pause = from.flags.cancel_on_pause();
  if (from.group != GroupId()) order.order_group_id = group_id.text();
  if (from.expires_at != Timestamp()) order.expiration = from.expires_at;
  order.created = from.created_at;
  order.last_updated = from.updated_at;
}

FillImage::FillImage(const PortfolioFill& from, const KalshiWorld& world)
    : trade_id(world.ids.OfTrade(from.sequence, from.index)), order_id(world.ids.Of(from.order)) {
  fill.fill_id = trade_id.text();
  fill.order_id = order_id.text();
  fill.ticker = world.markets.Find(from.market)->symbol;
  fill.side = from.side;
  fill.count = Count::Of(from.quantity);
  fill.price = from.price;
  fill.is_taker = from.is_taker;
  fill.fee = from.fee;
  fill.time = from.time;
}

}  // namespace engine
