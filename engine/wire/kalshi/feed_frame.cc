#include "engine/wire/kalshi/feed_frame.h"

#include "absl/strings/str_cat.h"
#include "engine/wire/kalshi/json_members.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

FeedType TypeOf(absl::string_view name) {
  if (name == "orderbook_delta") return FeedType::kDelta;
  if (name == "orderbook_snapshot") return FeedType::kSnapshot;
  if (name == "trade") return FeedType::kTrade;
  if (name == "fill") return FeedType::kFill;
  if (name == "user_order") return FeedType::kUserOrder;
  if (name == "market_lifecycle_v2") return FeedType::kLifecycle;
  if (name == "subscribed") return FeedType::kSubscribed;
  if (name == "ok") return FeedType::kOk;
  if (name == "unsubscribed") return FeedType::kUnsubscribed;
  return name == "error" ? FeedType::kError : FeedType::kOther;
}

// Whether a frame has a `msg` that matters.
bool HasMessage(FeedType type) {
  return type != FeedType::kOther && type != FeedType::kOk && type != FeedType::kUnsubscribed;
}

FeedFill ReadFill(JsonMembers& message) {
  FeedFill fill;
  fill.trade_id = message.Text("trade_id");
  fill.order_id = message.Text("order_id");
  fill.client_order_id = message.TextIfAny("client_order_id");
  fill.side = message.OrderSide();
  fill.price = message.PriceOf("yes_price_dollars");
  fill.count = message.CountOf("count_fp");
  fill.fee = message.MoneyOf("fee_cost");
  fill.is_taker = message.Boolean("is_taker");
  return fill;
}

FeedOrder ReadOrder(JsonMembers& message) {
  FeedOrder order;
  order.order_id = message.Text("order_id");
  order.client_order_id = message.TextIfAny("client_order_id");
  order.side = message.OrderSide();
  order.status = message.OrderStatusOf("status");
  order.price = message.PriceOf("yes_price_dollars");
  order.fill_count = message.CountOf("fill_count_fp");
  order.remaining_count = message.CountOf("remaining_count_fp");
  order.initial_count = message.CountOf("initial_count_fp");
  order.reason = message.TextIfAny("last_update_reason");
  return order;
}

Lifecycle ReadLifecycle(JsonMembers& message) {
  const absl::string_view type = message.Text("event_type");
  if (type == "created") return Lifecycle::kCreated;
  if (type == "activated") return Lifecycle::kActivated;
  if (type == "deactivated") return Lifecycle::kDeactivated;
  if (type == "close_date_updated") return Lifecycle::kCloseDateUpdated;
  if (type == "determined") return Lifecycle::kDetermined;
  return type == "settled" ? Lifecycle::kSettled : Lifecycle::kOther;
}

// Reads the `msg` of frame.type.
void ReadMessage(const FeedForm& form, JsonMembers& message, FeedFrame& frame) {
  switch (frame.type) {
    case FeedType::kSnapshot:
      frame.ticker = message.Text("market_ticker");
      ReadSnapshot(form, message, frame.levels);
      return;
    case FeedType::kDelta:
      frame.ticker = message.Text("market_ticker");
      frame.time = ReadMessageTime(message).value_or(Timestamp());
      frame.levels.push_back(ReadDelta(form, message));
      return;
    case FeedType::kTrade:
      frame.ticker = message.Text("market_ticker");
      frame.time = ReadMessageTime(message).value_or(Timestamp());
      frame.levels.push_back(ReadTrade(form, message));
      return;
    case FeedType::kFill:
      frame.ticker = message.Text("market_ticker");
      frame.time = ReadMessageTime(message).value_or(Timestamp());
      frame.fill = ReadFill(message);
      return;
    case FeedType::kUserOrder:
      frame.ticker = message.Text("ticker");
      frame.order = ReadOrder(message);
      return;
    case FeedType::kLifecycle:
      frame.ticker = message.Text("market_ticker");
      frame.lifecycle = ReadLifecycle(message);
      if (message.Has("settlement_value")) {
        frame.settlement_value = message.PriceOf("settlement_value");
      }
      return;
    case FeedType::kSubscribed:
      frame.name = message.Text("channel");
      frame.sid = message.Integer("sid");
      return;
    case FeedType::kError:
      frame.code = message.Integer("code");
      frame.name = message.TextIfAny("msg");
      return;
    case FeedType::kOther:
    case FeedType::kOk:
    case FeedType::kUnsubscribed:
      return;
  }
}

}  // namespace

absl::Status FeedDecoder::Decode(absl::string_view bytes, FeedFrame& frame) {
  frame = empty_;
  if (bytes.size() <= kFrameBytesMax && fast_path_.Read(bytes, frame)) return absl::OkStatus();
  return DecodeAny(bytes, frame);
}

absl::Status FeedDecoder::DecodeAny(absl::string_view bytes, FeedFrame& frame) {
  frame = empty_;
  if (bytes.size() > kFrameBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("frame: ", bytes.size(), " bytes, expected at most ", kFrameBytesMax));
  }
  const std::optional<element> root = document_.Parse(bytes);
  if (!root.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("frame: ", document_.error()));
  }
  object found;
  if (root->get(found) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError("frame: expected a JSON object");
  }
  JsonMembers members(found);
  const absl::string_view type = members.Text("type");
  frame.type = TypeOf(type);
  if (frame.type == FeedType::kOther) frame.name = type;
  frame.id = members.IntegerIfAny("id");
  frame.sid = members.IntegerIfAny("sid");
  frame.seq = members.IntegerIfAny("seq");
  if (!members.status().ok() || !HasMessage(frame.type)) return members.status();
  const object msg = members.Object("msg");
  if (!members.status().ok()) return members.status();
  JsonMembers message(msg);
  ReadMessage(form_, message, frame);
  return message.status();
}

}  // namespace engine::kalshi
