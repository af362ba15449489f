#include "engine/wire/kalshi/requests.h"

#include <array>
#include <string>
#include <utility>

#include "engine/wire/kalshi/json_fields.h"
#include "engine/wire/kalshi/request_checks.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using Flag = std::optional<bool>;

// Which terms of an order fit together.
Refusal CheckTerms(const CreateOrder& order) {
  const bool rests = order.time_in_force == TimeInForce::kGoodTillCancelled;
  if (order.expiration_s.has_value() && order.time_in_force == TimeInForce::kImmediateOrCancel) {
    return Because(errors::kExpirationWithImmediate);
  }
  if (order.expiration_s.has_value() && !rests) {
    return Because(errors::kInvalidOrder, "expiration_time requires good_till_canceled");
  }
  if (order.expiration_s == 0) return Because(errors::kExpirationInPast);
  if (order.post_only && !rests) {
    return Because(errors::kInvalidOrder, "post_only requires good_till_canceled");
  }
  if (order.reduce_only && order.time_in_force != TimeInForce::kImmediateOrCancel) {
    return Because(errors::kInvalidOrder, "reduce_only requires immediate_or_cancel");
  }
  return std::nullopt;
}
// The members of a create request, as they came.
struct RawCreate {
  TextMember ticker, client_order_id, side, count, price, time_in_force, self_trade_prevention_type,
      order_group_id;
  IntegerMember expiration_time, subaccount, exchange_index;
  Flag post_only, cancel_order_on_pause, reduce_only;

  void Read(element value, absl::string_view path, TypeErrors& types) {
    types.Read(value, "CreateOrderV2Request", path,
               std::array<JsonField, 14>{{
                   {"ticker", &ticker, "string"},
                   {"client_order_id", &client_order_id, "string"},
                   {"side", &side, "string"},
                   {"count", &count, "string"},
                   {"price", &price, "string"},
                   {"expiration_time", &expiration_time, "int64"},
                   {"time_in_force", &time_in_force, "string"},
                   {"post_only", &post_only, "bool"},
                   {"self_trade_prevention_type", &self_trade_prevention_type, "string"},
                   {"cancel_order_on_pause", &cancel_order_on_pause, "bool"},
                   {"reduce_only", &reduce_only, "bool"},
                   {"subaccount", &subaccount, "int"},
                   {"order_group_id", &order_group_id, "string"},
                   {"exchange_index", &exchange_index, "int"},
               }});
  }

  Result<CreateOrder> Check() const {
    CreateOrder order;
    RETURN_IF_REFUSED(ReadTicker(ticker, order.ticker));
    RETURN_IF_REFUSED(ReadSide(side, order.side));
    RETURN_IF_REFUSED(ReadCount(count, false, order.count));
    RETURN_IF_REFUSED(ReadPrice(price, order.price));
    RETURN_IF_REFUSED(ReadTimeInForce(time_in_force, order.time_in_force));
    RETURN_IF_REFUSED(
        ReadSelfTradePrevention(self_trade_prevention_type, order.self_trade_prevention));
    RETURN_IF_REFUSED(ReadClientOrderId(client_order_id, "client_order_id", order.client_order_id));
    RETURN_IF_REFUSED(CheckSubaccount(subaccount));
    RETURN_IF_REFUSED(ReadExchangeIndex(exchange_index, order.exchange_index));
    RETURN_IF_REFUSED(CheckExpiration(expiration_time));
    order.expiration_s = expiration_time;
    order.post_only = post_only.value_or(false);
    order.reduce_only = reduce_only.value_or(false);
    order.cancel_order_on_pause = cancel_order_on_pause.value_or(false);
    order.order_group_id = order_group_id.value_or("");
    RETURN_IF_REFUSED(CheckTerms(order));
    return order;
  }
};

struct RawAmend {
  TextMember ticker, side, price, count, client_order_id, updated_client_order_id;
  IntegerMember expiration_time, exchange_index;

  void Read(element value, TypeErrors& types) {
    types.Read(value, "AmendOrderV2Request", "",
               std::array<JsonField, 8>{{
                   {"ticker", &ticker, "string"},
                   {"side", &side, "string"},
                   {"price", &price, "string"},
                   {"count", &count, "string"},
                   {"client_order_id", &client_order_id, "string"},
                   {"updated_client_order_id", &updated_client_order_id, "string"},
                   {"expiration_time", &expiration_time, "int64"},
                   {"exchange_index", &exchange_index, "int"},
               }});
  }

  Result<AmendOrder> Check() const {
    AmendOrder amend;
    RETURN_IF_REFUSED(ReadTicker(ticker, amend.ticker));
    RETURN_IF_REFUSED(ReadSide(side, amend.side));
    RETURN_IF_REFUSED(ReadCount(count, false, amend.count));
    RETURN_IF_REFUSED(ReadPrice(price, amend.price));
    RETURN_IF_REFUSED(ReadClientOrderId(client_order_id, "client_order_id", amend.client_order_id));
    RETURN_IF_REFUSED(ReadClientOrderId(updated_client_order_id, "updated_client_order_id",
                                        amend.updated_client_order_id));
    RETURN_IF_REFUSED(ReadExchangeIndex(exchange_index, amend.exchange_index));
    RETURN_IF_REFUSED(CheckExpiration(expiration_time));
    amend.expiration_s = expiration_time;
    return amend;
  }
};

struct RawDecrease {
  TextMember reduce_by, reduce_to, market_ticker;
  IntegerMember exchange_index;

  void Read(element value, TypeErrors& types) {
    types.Read(value, "DecreaseOrderV2Request", "",
               std::array<JsonField, 4>{{
                   {"reduce_by", &reduce_by, "string"},
                   {"reduce_to", &reduce_to, "string"},
                   {"market_ticker", &market_ticker, "string"},
                   {"exchange_index", &exchange_index, "int"},
               }});
  }

  Result<DecreaseOrder> Check() const {
    DecreaseOrder decrease;
    if (reduce_by.has_value() == reduce_to.has_value()) {
      return Because(errors::kInvalidOrder, "exactly one of reduce_by and reduce_to is required");
    }
    decrease.is_to = reduce_to.has_value();
    const TextMember& count = decrease.is_to ? reduce_to : reduce_by;
    RETURN_IF_REFUSED(ReadCount(count, decrease.is_to, decrease.count));
    RETURN_IF_REFUSED(ReadExchangeIndex(exchange_index, decrease.exchange_index));
    decrease.market_ticker = market_ticker.value_or("");
    return decrease;
  }
};

struct RawCancel {
  TextMember order_id, market_ticker;
  IntegerMember subaccount, exchange_index;

  void Read(element value, TypeErrors& types) {
    types.Read(value, "BatchCancelOrdersV2RequestOrder", "orders.",
               std::array<JsonField, 4>{{
                   {"order_id", &order_id, "string"},
                   {"market_ticker", &market_ticker, "string"},
                   {"subaccount", &subaccount, "int"},
                   {"exchange_index", &exchange_index, "int"},
               }});
  }

  Result<CancelEntry> Check() const {
    CancelEntry entry;
    entry.order_id = order_id.value_or("");
    if (entry.order_id.empty()) return Because(errors::kMissingParameters, "order_id");
    entry.market_ticker = market_ticker.value_or("");
    RETURN_IF_REFUSED(CheckSubaccount(subaccount));
    RETURN_IF_REFUSED(ReadExchangeIndex(exchange_index, entry.exchange_index));
    return entry;
  }
};

struct RawGroup {
  TextMember contracts_limit_fp;
  IntegerMember contracts_limit, subaccount, exchange_index;

  void Read(element value, absl::string_view go_struct, TypeErrors& types) {
    types.Read(value, go_struct, "",
               std::array<JsonField, 4>{{
                   {"contracts_limit_fp", &contracts_limit_fp, "string"},
                   {"contracts_limit", &contracts_limit, "int64"},
                   {"subaccount", &subaccount, "int"},
                   {"exchange_index", &exchange_index, "int"},
               }});
  }
};

// The elements of a batch. A batch of none is as one without the member.
Result<array> ReadBatch(element root, absl::string_view go_struct, absl::string_view go_type,
                        TypeErrors& types) {
  std::optional<array> orders;
  types.Read(root, go_struct, "", std::array<JsonField, 1>{{{"orders", &orders, go_type}}});
  if (types.any()) return Because(errors::kBadRequest, types.first());
  if (!orders.has_value() || orders->size() == 0) {
    return Because(errors::kMissingParameters, "orders");
  }
  if (orders->size() > RequestDecoder::kBatchMax) {
    return Because(errors::kInvalidParameters, "too many orders");
  }
  return *orders;
}

}  // namespace

struct RequestDecoder::Memory {
  JsonDocument document{kBodyBytesMax, kDepthMax};

  // Parses a body into a raw request by `read`(root, types), then checks it by `check`().
  template <typename Read, typename Check>
  auto Decode(absl::string_view body, Read read, Check check) -> decltype(check()) {
    const std::optional<element> root = document.Parse(body);
    if (!root.has_value()) return Because(errors::kBadRequest, document.error());
    TypeErrors types;
    read(*root, types);
    if (types.any()) return Because(errors::kBadRequest, types.first());
    return check();
  }
};

RequestDecoder::RequestDecoder() : memory_(std::make_unique<Memory>()) {}
RequestDecoder::~RequestDecoder() = default;

Result<CreateOrder> RequestDecoder::DecodeCreateOrder(absl::string_view body) {
  RawCreate raw;
  return memory_->Decode(
      body, [&](element root, TypeErrors& types) { raw.Read(root, "", types); },
      [&] { return raw.Check(); });
}

Result<std::vector<BatchCreateEntry>> RequestDecoder::DecodeBatchCreate(absl::string_view body) {
  const std::optional<element> root = memory_->document.Parse(body);
  if (!root.has_value()) return Because(errors::kBadRequest, memory_->document.error());
  TypeErrors types;
  const Result<array> orders =
      ReadBatch(*root, "BatchCreateOrdersV2Request", "[]CreateOrderV2Request", types);
  if (!orders.ok()) return orders.error();
  std::vector<BatchCreateEntry> entries;
  for (const element order : *orders) {
    RawCreate raw;
    raw.Read(order, "orders.", types);
    entries.push_back({.client_order_id = raw.client_order_id.value_or(""), .order = raw.Check()});
  }
  if (types.any()) return Because(errors::kBadRequest, types.first());
  return entries;
}

Result<AmendOrder> RequestDecoder::DecodeAmendOrder(absl::string_view body) {
  RawAmend raw;
  return memory_->Decode(
      body, [&](element root, TypeErrors& types) { raw.Read(root, types); },
      [&] { return raw.Check(); });
}

Result<DecreaseOrder> RequestDecoder::DecodeDecreaseOrder(absl::string_view body) {
  RawDecrease raw;
  return memory_->Decode(
      body, [&](element root, TypeErrors& types) { raw.Read(root, types); },
      [&] { return raw.Check(); });
}

Result<std::vector<CancelEntry>> RequestDecoder::DecodeBatchCancel(absl::string_view body) {
  const std::optional<element> root = memory_->document.Parse(body);
  if (!root.has_value()) return Because(errors::kBadRequest, memory_->document.error());
  TypeErrors types;
  const Result<array> orders =
      ReadBatch(*root, "BatchCancelOrdersV2Request", "[]BatchCancelOrdersV2RequestOrder", types);
  if (!orders.ok()) return orders.error();
  std::vector<CancelEntry> entries;
  for (const element order : *orders) {
    RawCancel raw;
    raw.Read(order, types);
    const Result<CancelEntry> entry = raw.Check();
    if (types.any()) return Because(errors::kBadRequest, types.first());
    if (!entry.ok()) return entry.error();
    entries.push_back(*entry);
  }
  return entries;
}

Result<CreateGroup> RequestDecoder::DecodeCreateGroup(absl::string_view body) {
  RawGroup raw;
  return memory_->Decode(
      body,
      [&](element root, TypeErrors& types) { raw.Read(root, "CreateOrderGroupRequest", types); },
      [&]() -> Result<CreateGroup> {
        CreateGroup group;
        RETURN_IF_REFUSED(
            ReadContractsLimit(raw.contracts_limit_fp, raw.contracts_limit, group.contracts_limit));
        RETURN_IF_REFUSED(CheckSubaccount(raw.subaccount));
        RETURN_IF_REFUSED(ReadExchangeIndex(raw.exchange_index, group.exchange_index));
        return group;
      });
}

Result<GroupLimit> RequestDecoder::DecodeGroupLimit(absl::string_view body) {
  RawGroup raw;
  return memory_->Decode(
      body,
      [&](element root, TypeErrors& types) {
        raw.Read(root, "UpdateOrderGroupLimitRequest", types);
      },
      [&]() -> Result<GroupLimit> {
        GroupLimit limit;
        RETURN_IF_REFUSED(
            ReadContractsLimit(raw.contracts_limit_fp, raw.contracts_limit, limit.contracts_limit));
        return limit;
      });
}

}  // namespace engine::kalshi
