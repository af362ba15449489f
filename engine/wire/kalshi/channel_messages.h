// The `msg` objects of WebSocket channels: values, and their JSON. See frames.h.
//
// A value holds views: it is made, written and forgotten. Every Write() appends one JSON object.

#ifndef ENGINE_WIRE_KALSHI_CHANNEL_MESSAGES_H_
#define ENGINE_WIRE_KALSHI_CHANNEL_MESSAGES_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/portfolio_objects.h"

namespace engine::kalshi {

// A market as channels name it.
struct MarketName {
  absl::string_view ticker = {};
  absl::string_view id = {};  // A UUID.
};

// How a subscription wants its books.
struct BookForm {
  bool use_yes_price = false;      // The NO side at YES prices.
  bool omits_empty_sides = false;  // Kalshi omits them; [] serves more clients.
};

struct OrderbookSnapshot {
  MarketName market = {};
  Book book = {};  // YES prices, best first.
};
void Write(const OrderbookSnapshot& snapshot, const BookForm& form, JsonWriter& json);

struct OrderbookDelta {
  MarketName market = {};
  Side side = Side::kBid;  // A bid is YES, an ask is NO.
  Price price = {};        // Of the YES leg.
  Count change = {};
  Timestamp time = {};
  // Of the order that caused it, on connections of its account alone.
  bool is_own = false;
  absl::string_view client_order_id = {};
  int32_t subaccount = 0;
};
void Write(const OrderbookDelta& delta, const BookForm& form, JsonWriter& json);

struct Ticker {
  MarketName market = {};
  Price last_price = {};
  Price bid = {};
  Count bid_size = {};
  Price ask = kOneDollar;
  Count ask_size = {};
  Count volume = {};
  Count open_interest = {};
  Money dollar_volume = {};         // Written in whole dollars.
  Money dollar_open_interest = {};  //
  Count last_trade_size = {};
  Timestamp time = {};
};
void Write(const Ticker& ticker, JsonWriter& json);

// `trade` is the message of channel trade.
void WriteTradeMessage(const Trade& trade, JsonWriter& json);

// Of channel fill: the fill, and more.
struct FillMessage {
  Fill fill = {};
  absl::string_view client_order_id = {};
  Count post_position = {};
};
void Write(const FillMessage& message, JsonWriter& json);

struct MarketPositionMessage {
  absl::string_view user_id = {};
  absl::string_view market_ticker = {};
  Count position = {};
  Money position_cost = {};
  Money realized_pnl = {};
  Money fees_paid = {};
  Money position_fee_cost = {};
  Count volume = {};
  int32_t subaccount = 0;
};
void Write(const MarketPositionMessage& message, JsonWriter& json);

// Why an order has changed; kNone when it is created.
enum class OrderUpdate : uint8_t {
  kNone,
  kDecrease,
  kAmend,
  kMarginCancel,
  kSelfTradeCancel,
  kExpiryCancel,
  kCloseCancel,
  kHaltCancel,
  kTrade,
  kPostOnlyCrossCancel,
  kReduceOnlyCancel,
};

// Of channel user_orders.
struct UserOrderMessage {
  Order order = {};
  OrderUpdate reason = OrderUpdate::kNone;
};
void Write(const UserOrderMessage& message, JsonWriter& json);

// Of channel market_lifecycle_v2. Each has one function: their fields differ.
void WriteMarketCreated(const Market& market, JsonWriter& json);
void WriteMarketActivated(absl::string_view ticker, bool is_deactivated, JsonWriter& json);
void WriteCloseDateUpdated(absl::string_view ticker, Timestamp close_time, JsonWriter& json);
void WriteMarketDetermined(absl::string_view ticker, MarketResult result, Price settlement_value,
                           Timestamp time, JsonWriter& json);
void WriteMarketSettled(absl::string_view ticker, Timestamp time, JsonWriter& json);

enum class GroupUpdate : uint8_t { kCreated, kTriggered, kReset, kDeleted, kLimitUpdated };

struct OrderGroupUpdateMessage {
  GroupUpdate update = GroupUpdate::kCreated;
  absl::string_view order_group_id = {};
  Count contracts_limit = {};  // Written for kCreated and kLimitUpdated.
  Timestamp time = {};
};
void Write(const OrderGroupUpdateMessage& message, JsonWriter& json);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CHANNEL_MESSAGES_H_
