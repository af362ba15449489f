// What an account sees of itself: values, and their JSON. See market_objects.h.

#ifndef ENGINE_WIRE_KALSHI_PORTFOLIO_OBJECTS_H_
#define ENGINE_WIRE_KALSHI_PORTFOLIO_OBJECTS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/queries.h"

namespace engine::kalshi {

absl::string_view ToText(OrderStatus status);
// Only kCancelTaker and kCancelMaker have a text; others get the former's.
absl::string_view ToText(SelfTradePrevention prevention);

struct Balance {
  Money balance = {};
  Money portfolio_value = {};  // Positions at their current value, without cash.
  Timestamp updated = {};
};
void Write(const Balance& balance, JsonWriter& json);

struct RestingOrderValue {
  Money total = {};
};
void Write(const RestingOrderValue& value, JsonWriter& json);

struct MarketPosition {
  absl::string_view ticker = {};
  Money total_traded = {};
  Count position = {};  // + YES, - NO.
  Money market_exposure = {};
  Money realized_pnl = {};
  Money fees_paid = {};
  int64_t resting_orders_count = 0;
  Timestamp last_updated = {};

  friend bool operator==(const MarketPosition&, const MarketPosition&) = default;
};
void Write(const MarketPosition& position, JsonWriter& json);

struct EventPosition {
  absl::string_view event_ticker = {};
  Money total_cost = {};
  Count total_cost_shares = {};
  Money event_exposure = {};
  Money realized_pnl = {};
  Money fees_paid = {};
};
void Write(const EventPosition& position, JsonWriter& json);

struct Fill {
  absl::string_view fill_id = {};  // Also the trade's id.
  absl::string_view order_id = {};
  absl::string_view ticker = {};
  Side side = Side::kBid;  // Of the order.
  Count count = {};
  Price price = {};  // Of the YES leg.
  bool is_taker = false;
  Money fee = {};
  Timestamp time = {};
  int32_t subaccount = 0;

  friend bool operator==(const Fill&, const Fill&) = default;
};
void Write(const Fill& fill, JsonWriter& json);

struct Settlement {
  absl::string_view ticker = {};
  absl::string_view event_ticker = {};
  MarketResult result = MarketResult::kYes;
  Count yes_count = {};
  Money yes_total_cost = {};
  Count no_count = {};
  Money no_total_cost = {};
  Money revenue = {};  // Written in cents.
  Money fee = {};
  std::optional<Price> value = {};  // Of one YES contract; written in cents.
  Timestamp settled = {};
};
void Write(const Settlement& settlement, JsonWriter& json);

struct Order {
  absl::string_view order_id = {};
  absl::string_view user_id = {};
  absl::string_view client_order_id = {};
  absl::string_view ticker = {};
  Side side = Side::kBid;
  OrderStatus status = OrderStatus::kResting;
  Price price = {};  // The limit, of the YES leg.
  Count fill_count = {};
  Count remaining_count = {};
  Count initial_count = {};
  Money taker_fill_cost = {};
  Money maker_fill_cost = {};
  Money taker_fees = {};
  Money maker_fees = {};
  SelfTradePrevention self_trade_prevention = SelfTradePrevention::kCancelTaker;
  bool cancel_order_on_pause = false;
  absl::string_view order_group_id = {};  // Empty if in none.
  std::optional<Timestamp> expiration = {};
  Timestamp created = {};
  Timestamp last_updated = {};
  int32_t subaccount = 0;

  friend bool operator==(const Order&, const Order&) = default;
};
void Write(const Order& order, JsonWriter& json);
// Members of an order that channels need too: the YES price, counts, costs and fees.
void WriteOrderAmounts(const Order& order, JsonWriter& json);

struct QueuePosition {
  absl::string_view order_id = {};
  absl::string_view market_ticker = {};
  Count position = {};  // Contracts before it.
};
// An element of "queue_positions".
void Write(const QueuePosition& position, JsonWriter& json);
// The reply about one order.
void WriteQueuePositionReply(Count position, JsonWriter& json);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_PORTFOLIO_OBJECTS_H_
