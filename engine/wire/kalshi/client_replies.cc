#include "engine/wire/kalshi/client_replies.h"

#include <limits>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/types/order_flags.h"
#include "engine/wire/kalshi/json_members.h"
#include "engine/wire/kalshi/request_checks.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int64_t kMicrosPerCent = 10'000;
constexpr int64_t kNanosPerSecond = 1'000'000'000;

SelfTradePrevention ReadPrevention(JsonMembers& order) {
  constexpr absl::string_view kName = "self_trade_prevention_type";
  const absl::string_view text = order.TextIfAny(kName);
  if (text.empty()) return SelfTradePrevention::kCancelTaker;
  const std::optional<SelfTradePrevention> prevention = ParseSelfTradePrevention(text);
  if (!prevention.has_value()) order.Refuse(kName, text, "taker_at_cross or maker");
  return prevention.value_or(SelfTradePrevention::kCancelTaker);
}

int32_t ReadSubaccount(JsonMembers& members) {
  constexpr absl::string_view kName = "subaccount_number";
  const int64_t number = members.IntegerIfAny(kName);
  if (number >= 0 && number <= std::numeric_limits<int32_t>::max()) {
    return static_cast<int32_t>(number);
  }
  members.Refuse(kName, absl::StrCat(number), "a number of 0 or more");
  return 0;
}

absl::StatusOr<Order> ReadOrder(JsonMembers& members) {
  Order order;
  order.order_id = members.Text("order_id");
  order.user_id = members.TextIfAny("user_id");
  order.client_order_id = members.TextIfAny("client_order_id");
  order.ticker = members.Text("ticker");
  order.side = members.OrderSide();
  order.status = members.OrderStatusOf("status");
  order.price = members.PriceOf("yes_price_dollars");
  order.fill_count = members.CountOf("fill_count_fp");
  order.remaining_count = members.CountOf("remaining_count_fp");
  order.initial_count = members.CountOf("initial_count_fp");
  order.taker_fill_cost = members.MoneyIfAny("taker_fill_cost_dollars");
  order.maker_fill_cost = members.MoneyIfAny("maker_fill_cost_dollars");
  order.taker_fees = members.MoneyIfAny("taker_fees_dollars");
  order.maker_fees = members.MoneyIfAny("maker_fees_dollars");
  order.self_trade_prevention = ReadPrevention(members);
  order.cancel_order_on_pause = members.BooleanIfAny("cancel_order_on_pause");
  order.order_group_id = members.TextIfAny("order_group_id");
  order.expiration = members.TimeIfAny("expiration_time");
  order.created = members.TimeIfAny("created_time").value_or(Timestamp());
  order.last_updated = members.TimeIfAny("last_update_time").value_or(Timestamp());
  order.subaccount = ReadSubaccount(members);
  if (!members.status().ok()) return members.status();
  return order;
}

// A time, or the older form: seconds.
Timestamp ReadFillTime(JsonMembers& members) {
  if (members.Has("created_time") || !members.Has("ts")) {
    return members.TimeIfAny("created_time").value_or(Timestamp());
  }
  const int64_t seconds = members.Integer("ts");
  if (seconds >= 0 && seconds <= std::numeric_limits<int64_t>::max() / kNanosPerSecond) {
    return Timestamp::FromNanos(seconds * kNanosPerSecond);
  }
  members.Refuse("ts", absl::StrCat(seconds), "seconds since 1970");
  return Timestamp();
}

absl::StatusOr<Fill> ReadFill(JsonMembers& members) {
  Fill fill;
  fill.fill_id = members.Text(members.Has("trade_id") ? "trade_id" : "fill_id");
  fill.order_id = members.Text("order_id");
  fill.ticker = members.Text(members.Has("market_ticker") ? "market_ticker" : "ticker");
  fill.side = members.OrderSide();
  fill.count = members.CountOf("count_fp");
  fill.price = members.PriceOf("yes_price_dollars");
  fill.is_taker = members.Boolean("is_taker");
  fill.fee = members.MoneyOf("fee_cost");
  fill.time = ReadFillTime(members);
  fill.subaccount = ReadSubaccount(members);
  if (!members.status().ok()) return members.status();
  return fill;
}

absl::StatusOr<MarketPosition> ReadPosition(JsonMembers& members) {
  MarketPosition position;
  position.ticker = members.Text("ticker");
  position.total_traded = members.MoneyIfAny("total_traded_dollars");
  position.position = members.SignedCountOf("position_fp");
  position.market_exposure = members.MoneyIfAny("market_exposure_dollars");
  position.realized_pnl = members.MoneyIfAny("realized_pnl_dollars");
  position.fees_paid = members.MoneyIfAny("fees_paid_dollars");
  position.resting_orders_count = members.IntegerIfAny("resting_orders_count");
  position.last_updated = members.TimeIfAny("last_updated_ts").value_or(Timestamp());
  if (!members.status().ok()) return members.status();
  return position;
}

absl::StatusOr<PriceRange> ReadPriceRange(JsonMembers& members) {
  PriceRange range;
  range.start = members.PriceOf("start");
  range.end = members.PriceOf("end");
  range.step = members.PriceOf("step");
  if (!members.status().ok()) return members.status();
  return range;
}

// Appends the elements of `list`, which are objects. `name` is the list's.
template <typename T, typename Read>
absl::Status ReadEach(absl::string_view name, array list, Read read, std::vector<T>& items) {
  for (const element each : list) {
    object item;
    if (each.get(item) != simdjson::SUCCESS) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": expected a list of objects"));
    }
    JsonMembers members(item);
    ASSIGN_OR_RETURN(T value, read(members));
    items.push_back(std::move(value));
  }
  return absl::OkStatus();
}

absl::StatusOr<ReadMarket> ReadOneMarket(JsonMembers& members) {
  ReadMarket market;
  market.ticker = members.Text("ticker");
  market.title = members.TextIfAny("title");
  market.status = members.Text("status");
  market.close_time = members.TimeIfAny("close_time");
  market.result = members.TextIfAny("result");
  if (members.Has("settlement_value_dollars")) {
    market.settlement_value = members.PriceOf("settlement_value_dollars");
  }
  const bool has_ranges = members.Has("price_ranges");
  const array ranges = has_ranges ? members.List("price_ranges") : array();
  if (!members.status().ok()) return members.status();
  if (has_ranges) {
    RETURN_IF_ERROR(ReadEach("price_ranges", ranges, ReadPriceRange, market.price_ranges));
  }
  return market;
}

uint32_t ReadTokens(JsonMembers& bucket, absl::string_view name) {
  const int64_t tokens = bucket.Integer(name);
  if (tokens >= 0 && tokens <= std::numeric_limits<uint32_t>::max()) {
    return static_cast<uint32_t>(tokens);
  }
  bucket.Refuse(name, absl::StrCat(tokens), "a number of tokens");
  return 0;
}

absl::Status ReadBucket(JsonMembers& limits, absl::string_view name, uint32_t& capacity,
                        uint32_t& refill) {
  const object found = limits.Object(name);
  if (!limits.status().ok()) return limits.status();
  JsonMembers bucket(found);
  capacity = ReadTokens(bucket, "bucket_capacity");
  refill = ReadTokens(bucket, "refill_rate");
  return bucket.status();
}

// The text of a member, if it is one.
absl::string_view TextOf(object members, absl::string_view name) {
  JsonMembers reader(members);
  return reader.HasText(name) ? reader.Text(name) : "";
}

}  // namespace

absl::StatusOr<object> ReplyReader::Parse(absl::string_view body) {
  if (body.size() > kBodyBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("body: ", body.size(), " bytes, expected at most ", kBodyBytesMax));
  }
  const std::optional<element> root = document_.Parse(body);
  if (!root.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("body: ", document_.error()));
  }
  object members;
  if (root->get(members) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError("body: expected a JSON object");
  }
  return members;
}

template <typename T, typename Read>
absl::StatusOr<ReplyPage<T>> ReplyReader::ReadPage(absl::string_view body, absl::string_view name,
                                                   Read read) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  ReplyPage<T> page;
  page.cursor = members.TextIfAny("cursor");
  const array list = members.List(name);
  if (!members.status().ok()) return members.status();
  RETURN_IF_ERROR(ReadEach(name, list, read, page.items));
  return page;
}

absl::StatusOr<ReadOrderReply> ReplyReader::OrderReply(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  ReadOrderReply reply;
  reply.order_id = members.Text("order_id");
  reply.client_order_id = members.TextIfAny("client_order_id");
  reply.fill_count = members.CountOf("fill_count");
  reply.remaining_count = members.CountOf("remaining_count");
  if (!members.status().ok()) return members.status();
  return reply;
}

absl::StatusOr<ReadCancelReply> ReplyReader::CancelReply(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  ReadCancelReply reply;
  reply.order_id = members.Text("order_id");
  reply.reduced_by = members.CountOf("reduced_by");
  if (!members.status().ok()) return members.status();
  return reply;
}

absl::StatusOr<ReplyPage<Order>> ReplyReader::Orders(absl::string_view body) {
  return ReadPage<Order>(body, "orders", ReadOrder);
}

absl::StatusOr<ReplyPage<Fill>> ReplyReader::Fills(absl::string_view body) {
  return ReadPage<Fill>(body, "fills", ReadFill);
}

absl::StatusOr<ReplyPage<MarketPosition>> ReplyReader::Positions(absl::string_view body) {
  return ReadPage<MarketPosition>(body, "market_positions", ReadPosition);
}

absl::StatusOr<ReadMarket> ReplyReader::Market(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers reply(found);
  const object market = reply.Object("market");
  if (!reply.status().ok()) return reply.status();
  JsonMembers members(market);
  return ReadOneMarket(members);
}

absl::StatusOr<ReplyPage<ReadMarket>> ReplyReader::Markets(absl::string_view body) {
  return ReadPage<ReadMarket>(body, "markets", ReadOneMarket);
}

absl::StatusOr<ReadLimits> ReplyReader::Limits(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  ReadLimits limits;
  RETURN_IF_ERROR(ReadBucket(members, "read", limits.read_capacity, limits.read_refill));
  RETURN_IF_ERROR(ReadBucket(members, "write", limits.write_capacity, limits.write_refill));
  return limits;
}

absl::StatusOr<Timestamp> ReplyReader::DataTime(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  const Timestamp time = members.ParseTime("as_of_time", members.Text("as_of_time"));
  RETURN_IF_ERROR(members.status());
  return time;
}

absl::StatusOr<Money> ReplyReader::Balance(absl::string_view body) {
  ASSIGN_OR_RETURN(const object found, Parse(body));
  JsonMembers members(found);
  Money balance;
  if (members.Has("balance_dollars")) {
    balance = members.MoneyOf("balance_dollars");
  } else {
    const int64_t cents = members.Integer("balance");
    const int64_t cents_max = ToCents(kMoneyMax);
    if (cents < -cents_max || cents > cents_max) {
      members.Refuse("balance", absl::StrCat(cents), "cents");
    } else {
      balance = Money::FromMicros(cents * kMicrosPerCent);
    }
  }
  if (!members.status().ok()) return members.status();
  return balance;
}

ReadError ReplyReader::Error(absl::string_view body) {
  const absl::StatusOr<object> found = Parse(body);
  if (!found.ok()) return {};
  object error = *found;
  if (object nested; (*found)["error"].get(nested) == simdjson::SUCCESS) error = nested;
  ReadError read = {.code = TextOf(error, "code"),
                    .message = TextOf(error, "message"),
                    .details = TextOf(error, "details")};
  if (read.message.empty()) read.message = TextOf(*found, "msg");
  if (read.message.empty()) read.message = TextOf(*found, "error");
  return read;
}

}  // namespace engine::kalshi
