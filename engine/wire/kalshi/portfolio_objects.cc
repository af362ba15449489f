#include "engine/wire/kalshi/portfolio_objects.h"

namespace engine::kalshi {
namespace {

// The whole balance is on the one exchange, index 0.
void WriteBreakdown(absl::string_view key, Money balance, JsonWriter& json) {
  json.BeginArray(key)
      .BeginObject()
      .Balance("balance", balance)
      .Integer("exchange_index", 0)
      .EndObject()
      .EndArray();
}

}  // namespace

absl::string_view ToText(OrderStatus status) {
  switch (status) {
    case OrderStatus::kResting:
      return "resting";
    case OrderStatus::kCanceled:
      return "canceled";
    case OrderStatus::kExecuted:
      return "executed";
  }
  return "";
}

absl::string_view ToText(SelfTradePrevention prevention) {
  return prevention == SelfTradePrevention::kCancelMaker ? "maker" : "taker_at_cross";
}

void Write(const Balance& balance, JsonWriter& json) {
  json.BeginObject()
      .Integer("balance", ToCents(balance.balance))
      .Balance("balance_dollars", balance.balance)
      .Integer("portfolio_value", ToCents(balance.portfolio_value))
      .Integer("updated_ts", ToSeconds(balance.updated));
  WriteBreakdown("balance_breakdown", balance.balance, json);
  json.EndObject();
}

void Write(const RestingOrderValue& value, JsonWriter& json) {
  json.BeginObject().Integer("total_resting_order_value", ToCents(value.total));
  WriteBreakdown("resting_order_value_breakdown", value.total, json);
  json.EndObject();
}

void Write(const MarketPosition& position, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", position.ticker)
      .Integer("exchange_index", 0)
      .Money("total_traded_dollars", position.total_traded)
      .Count("position_fp", position.position)
      .Money("market_exposure_dollars", position.market_exposure)
      .Money("realized_pnl_dollars", position.realized_pnl)
      .Money("fees_paid_dollars", position.fees_paid)
      .Integer("resting_orders_count", position.resting_orders_count)
      .Time("last_updated_ts", position.last_updated)
      .EndObject();
}

void Write(const EventPosition& position, JsonWriter& json) {
  json.BeginObject()
      .Text("event_ticker", position.event_ticker)
      .Money("total_cost_dollars", position.total_cost)
      .Count("total_cost_shares_fp", position.total_cost_shares)
      .Money("event_exposure_dollars", position.event_exposure)
      .Money("realized_pnl_dollars", position.realized_pnl)
      .Money("fees_paid_dollars", position.fees_paid)
      .EndObject();
}

void Write(const Fill& fill, JsonWriter& json) {
  json.BeginObject()
      .Text("fill_id", fill.fill_id)
      .Text("trade_id", fill.fill_id)
      .Integer("exchange_index", 0)
      .Text("order_id", fill.order_id)
      .Text("ticker", fill.ticker)
      .Text("market_ticker", fill.ticker)
      .Text("side", OutcomeText(fill.side))
      .Text("action", "buy")
      .Text("outcome_side", OutcomeText(fill.side))
      .Text("book_side", BookSideText(fill.side))
      .Count("count_fp", fill.count)
      .Price("yes_price_dollars", fill.price)
      .Price("no_price_dollars", Complement(fill.price))
      .Boolean("is_taker", fill.is_taker)
      .Money("fee_cost", fill.fee)
      .Time("created_time", fill.time)
      .Integer("subaccount_number", fill.subaccount)
      .Integer("ts", ToSeconds(fill.time))
      .EndObject();
}

void Write(const Settlement& settlement, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", settlement.ticker)
      .Integer("exchange_index", 0)
      .Text("event_ticker", settlement.event_ticker)
      .Text("market_result", ToText(settlement.result))
      .Count("yes_count_fp", settlement.yes_count)
      .Money("yes_total_cost_dollars", settlement.yes_total_cost)
      .Count("no_count_fp", settlement.no_count)
      .Money("no_total_cost_dollars", settlement.no_total_cost)
      .Integer("revenue", ToCents(settlement.revenue))
      .Time("settled_time", settlement.settled)
      .Money("fee_cost", settlement.fee);
  if (settlement.value.has_value()) json.Integer("value", settlement.value->units() / 100);
  json.EndObject();
}

void WriteOrderAmounts(const Order& order, JsonWriter& json) {
  json.Price("yes_price_dollars", order.price)
      .Count("fill_count_fp", order.fill_count)
      .Count("remaining_count_fp", order.remaining_count)
      .Count("initial_count_fp", order.initial_count)
      .Money("taker_fill_cost_dollars", order.taker_fill_cost)
      .Money("maker_fill_cost_dollars", order.maker_fill_cost)
      .Money("taker_fees_dollars", order.taker_fees)
      .Money("maker_fees_dollars", order.maker_fees);
}

void Write(const Order& order, JsonWriter& json) {
  json.BeginObject()
      .Text("order_id", order.order_id)
      .Text("user_id", order.user_id)
      .Text("client_order_id", order.client_order_id)
      .Text("ticker", order.ticker)
      .Text("side", OutcomeText(order.side))
      .Text("action", "buy")
      .Text("outcome_side", OutcomeText(order.side))
      .Text("book_side", BookSideText(order.side))
      .Text("type", "limit")
      .Text("status", ToText(order.status))
      .Price("no_price_dollars", Complement(order.price));
  WriteOrderAmounts(order, json);
  json.TimeOrNull("expiration_time", order.expiration)
      .Time("created_time", order.created)
      .Time("last_update_time", order.last_updated)
      .Text("self_trade_prevention_type", ToText(order.self_trade_prevention))
      .TextOrNull("order_group_id", order.order_group_id)
      .Boolean("cancel_order_on_pause", order.cancel_order_on_pause)
      .Integer("subaccount_number", order.subaccount)
      .Integer("exchange_index", 0)
      .EndObject();
}

void Write(const QueuePosition& position, JsonWriter& json) {
  json.BeginObject()
      .Text("order_id", position.order_id)
      .Text("market_ticker", position.market_ticker)
      .Count("queue_position_fp", position.position)
      .EndObject();
}

void WriteQueuePositionReply(Count position, JsonWriter& json) {
  json.BeginObject().Count("queue_position_fp", position).EndObject();
}

}  // namespace engine::kalshi
