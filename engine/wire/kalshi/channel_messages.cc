#include "engine/wire/kalshi/channel_messages.h"

namespace engine::kalshi {
namespace {

constexpr int64_t kMicrosPerDollar = 1'000'000;

void WriteMarketName(const MarketName& market, JsonWriter& json) {
  json.Text("market_ticker", market.ticker).Text("market_id", market.id);
}

absl::string_view ToText(OrderUpdate reason) {
  switch (reason) {
    case OrderUpdate::kNone:
      return "";
    case OrderUpdate::kDecrease:
      return "Decrease";
    case OrderUpdate::kAmend:
      return "Amend";
    case OrderUpdate::kMarginCancel:
      return "MarginCancel";
    case OrderUpdate::kSelfTradeCancel:
      return "SelfTradeCancel";
    case OrderUpdate::kExpiryCancel:
      return "ExpiryCancel";
    case OrderUpdate::kCloseCancel:
      return "CloseCancel";
    case OrderUpdate::kHaltCancel:
      return "HaltCancel";
    case OrderUpdate::kTrade:
      return "Trade";
    case OrderUpdate::kPostOnlyCrossCancel:
      return "PostOnlyCrossCancel";
    case OrderUpdate::kReduceOnlyCancel:
      return "ReduceOnlyCancel";
  }
  return "";
}

absl::string_view ToText(GroupUpdate update) {
  switch (update) {
    case GroupUpdate::kCreated:
      return "created";
    case GroupUpdate::kTriggered:
      return "triggered";
    case GroupUpdate::kReset:
      return "reset";
    case GroupUpdate::kDeleted:
      return "deleted";
    case GroupUpdate::kLimitUpdated:
      return "limit_updated";
  }
  return "";
}

// Begins a message of channel market_lifecycle_v2; the caller ends it.
void BeginLifecycle(absl::string_view ticker, absl::string_view event_type, JsonWriter& json) {
  json.BeginObject().Text("market_ticker", ticker).Text("event_type", event_type);
}

void WriteUserOrderTimes(const Order& order, JsonWriter& json) {
  json.Time("created_time", order.created)
      .Integer("created_ts_ms", ToMillis(order.created))
      .Time("last_update_time", order.last_updated)
      .Integer("last_updated_ts_ms", ToMillis(order.last_updated));
  if (!order.expiration.has_value()) return;
  json.Time("expiration_time", *order.expiration)
      .Integer("expiration_ts_ms", ToMillis(*order.expiration));
}

}  // namespace

void Write(const OrderbookSnapshot& snapshot, const BookForm& form, JsonWriter& json) {
  const auto& [bids, asks] = snapshot.book;
  json.BeginObject();
  WriteMarketName(snapshot.market, json);
  if (!bids.empty() || !form.omits_empty_sides) {
    WriteLevels("yes_dollars_fp", bids, LevelPrices::kReversed, json);
  }
  if (!asks.empty() || !form.omits_empty_sides) {
    WriteLevels("no_dollars_fp", asks,
                form.use_yes_price ? LevelPrices::kAsGiven : LevelPrices::kComplements, json);
  }
  json.EndObject();
}

void Write(const OrderbookDelta& delta, const BookForm& form, JsonWriter& json) {
  const bool complements = delta.side == Side::kAsk && !form.use_yes_price;
  json.BeginObject();
  WriteMarketName(delta.market, json);
  json.Price("price_dollars", complements ? Complement(delta.price) : delta.price)
      .Count("delta_fp", delta.change)
      .Text("side", OutcomeText(delta.side))
      .Time("ts", delta.time)
      .Integer("ts_ms", ToMillis(delta.time));
  if (delta.is_own) {
    json.TextIfAny("client_order_id", delta.client_order_id)
        .Integer("subaccount", delta.subaccount);
  }
  json.EndObject();
}

void Write(const Ticker& ticker, JsonWriter& json) {
  json.BeginObject();
  WriteMarketName(ticker.market, json);
  json.Price("price_dollars", ticker.last_price)
      .Price("yes_bid_dollars", ticker.bid)
      .Price("yes_ask_dollars", ticker.ask)
      .Count("volume_fp", ticker.volume)
      .Count("open_interest_fp", ticker.open_interest)
      .Integer("dollar_volume", ticker.dollar_volume.micros() / kMicrosPerDollar)
      .Integer("dollar_open_interest", ticker.dollar_open_interest.micros() / kMicrosPerDollar)
      .Count("yes_bid_size_fp", ticker.bid_size)
      .Count("yes_ask_size_fp", ticker.ask_size)
      .Count("last_trade_size_fp", ticker.last_trade_size)
      .Integer("ts", ToSeconds(ticker.time))
      .Integer("ts_ms", ToMillis(ticker.time))
      .Time("time", ticker.time)
      .EndObject();
}

void WriteTradeMessage(const Trade& trade, JsonWriter& json) {
  json.BeginObject()
      .Text("trade_id", trade.trade_id)
      .Text("market_ticker", trade.ticker)
      .Price("yes_price_dollars", trade.price)
      .Price("no_price_dollars", Complement(trade.price))
      .Count("count_fp", trade.count)
      .Text("taker_side", OutcomeText(trade.taker_side))
      .Text("taker_outcome_side", OutcomeText(trade.taker_side))
      .Text("taker_book_side", BookSideText(trade.taker_side))
      .Boolean("is_block_trade", false)
      .Integer("ts", ToSeconds(trade.time))
      .Integer("ts_ms", ToMillis(trade.time))
      .EndObject();
}

void Write(const FillMessage& message, JsonWriter& json) {
  const Fill& fill = message.fill;
  json.BeginObject()
      .Text("trade_id", fill.fill_id)
      .Text("order_id", fill.order_id)
      .TextIfAny("client_order_id", message.client_order_id)
      .Text("market_ticker", fill.ticker)
      .Integer("exchange_index", 0)
      .Boolean("is_taker", fill.is_taker)
      .Text("side", OutcomeText(fill.side))
      .Text("action", "buy")
      .Text("purchased_side", OutcomeText(fill.side))
      .Text("outcome_side", OutcomeText(fill.side))
      .Text("book_side", BookSideText(fill.side))
      .Price("yes_price_dollars", fill.price)
      .Count("count_fp", fill.count)
      .Money("fee_cost", fill.fee)
      .Count("post_position_fp", message.post_position)
      .Integer("ts", ToSeconds(fill.time))
      .Integer("ts_ms", ToMillis(fill.time))
      .Integer("subaccount", fill.subaccount)
      .EndObject();
}

void Write(const MarketPositionMessage& message, JsonWriter& json) {
  json.BeginObject()
      .Text("user_id", message.user_id)
      .Text("market_ticker", message.market_ticker)
      .Count("position_fp", message.position)
      .Money("position_cost_dollars", message.position_cost)
      .Money("realized_pnl_dollars", message.realized_pnl)
      .Money("fees_paid_dollars", message.fees_paid)
      .Money("position_fee_cost_dollars", message.position_fee_cost)
      .Count("volume_fp", message.volume)
      .Integer("subaccount", message.subaccount)
      .EndObject();
}

void Write(const UserOrderMessage& message, JsonWriter& json) {
  const Order& order = message.order;
  json.BeginObject()
      .Text("order_id", order.order_id)
      .Text("user_id", order.user_id)
      .Text("ticker", order.ticker)
      .Integer("exchange_index", 0)
      .Text("status", kalshi::ToText(order.status))
      .Text("side", OutcomeText(order.side))
      .Boolean("is_yes", order.side == Side::kBid)
      .Text("outcome_side", OutcomeText(order.side))
      .Text("book_side", BookSideText(order.side));
  WriteOrderAmounts(order, json);
  json.Text("client_order_id", order.client_order_id)
      .TextIfAny("order_group_id", order.order_group_id)
      .Text("self_trade_prevention_type", kalshi::ToText(order.self_trade_prevention));
  WriteUserOrderTimes(order, json);
  json.Integer("subaccount_number", order.subaccount)
      .TextIfAny("last_update_reason", ToText(message.reason))
      .EndObject();
}

void WriteMarketCreated(const Market& market, JsonWriter& json) {
  BeginLifecycle(market.ticker, "created", json);
  json.Integer("exchange_index", 0)
      .Integer("open_ts", ToSeconds(market.open_time))
      .Integer("close_ts", ToSeconds(market.close_time))
      .Text("price_level_structure", market.price_level_structure);
  WritePriceRanges(market.price_ranges, json);
  json.BeginObject("additional_metadata")
      .Text("name", market.yes_sub_title)
      .Text("title", market.title)
      .Text("yes_sub_title", market.yes_sub_title)
      .Text("no_sub_title", market.no_sub_title)
      .Text("rules_primary", market.rules_primary)
      .Text("rules_secondary", market.rules_secondary)
      .Boolean("can_close_early", market.can_close_early)
      .Text("event_ticker", market.event_ticker)
      .Integer("expected_expiration_ts",
               ToSeconds(market.expected_expiration_time.value_or(market.latest_expiration_time)))
      .TextIfAny("strike_type", market.strike_type);
  WriteStrikes(market, json);
  json.EndObject().EndObject();
}

void WriteMarketActivated(absl::string_view ticker, bool is_deactivated, JsonWriter& json) {
  BeginLifecycle(ticker, is_deactivated ? "deactivated" : "activated", json);
  json.Boolean("is_deactivated", is_deactivated).EndObject();
}

void WriteCloseDateUpdated(absl::string_view ticker, Timestamp close_time, JsonWriter& json) {
  BeginLifecycle(ticker, "close_date_updated", json);
  json.Integer("close_ts", ToSeconds(close_time)).EndObject();
}

void WriteMarketDetermined(absl::string_view ticker, MarketResult result, Price settlement_value,
                           Timestamp time, JsonWriter& json) {
  BeginLifecycle(ticker, "determined", json);
  json.Integer("determination_ts", ToSeconds(time))
      .Text("result", kalshi::ToText(result))
      .Price("settlement_value", settlement_value)
      .EndObject();
}

void WriteMarketSettled(absl::string_view ticker, Timestamp time, JsonWriter& json) {
  BeginLifecycle(ticker, "settled", json);
  json.Integer("settled_ts", ToSeconds(time)).EndObject();
}

void Write(const OrderGroupUpdateMessage& message, JsonWriter& json) {
  const bool has_limit =
      message.update == GroupUpdate::kCreated || message.update == GroupUpdate::kLimitUpdated;
  json.BeginObject()
      .Text("event_type", ToText(message.update))
      .Text("order_group_id", message.order_group_id);
  if (has_limit) json.Count("contracts_limit_fp", message.contracts_limit);
  json.Integer("ts_ms", ToMillis(message.time)).EndObject();
}

}  // namespace engine::kalshi
