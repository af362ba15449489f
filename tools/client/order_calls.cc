#include "tools/client/order_calls.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/types/order_flags.h"
#include "engine/wire/kalshi/client_requests.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/requests.h"

namespace client {
namespace {

using engine::TimeInForce;
using engine::kalshi::Count;
using strategy::Refusal;
namespace errors = engine::kalshi::errors;

constexpr int64_t kSecondNanos = 1'000'000'000;

// Without texts, in the memory of `memory`.
Call EmptyCall(CallKind kind, absl::string_view method, Call memory) {
  memory.id = 0;
  memory.kind = kind;
  memory.method = method;
  memory.path.clear();
  memory.query.clear();
  memory.body.clear();
  return memory;
}

template <typename Body>
void SetBody(const Body& body, Call& call) {
  engine::kalshi::JsonWriter json(call.body);
  Write(body, json);
}

void AppendCancelPath(absl::string_view order_id, std::string& path) {
  absl::StrAppend(&path, kOrdersPath, "/", order_id);
}
void AppendAmendPath(absl::string_view order_id, std::string& path) {
  AppendCancelPath(order_id, path);
  path += "/amend";
}

struct CodeMeaning {
  absl::string_view code;
  Refusal refusal;
};
// Codes whose meaning does not follow from the status. The casing of some is not established.
constexpr CodeMeaning kMeanings[] = {
    {errors::kInsufficientBalance.code, Refusal::kNoMoney},
    {"available_balance_too_low", Refusal::kNoMoney},
    {errors::kMarketInactive.code, Refusal::kMarketClosed},
    {errors::kTradingPaused.code, Refusal::kMarketClosed},
    {"exchange_is_paused", Refusal::kMarketClosed},
    {"market_closed", Refusal::kMarketClosed},
    {errors::kNotFound.code, Refusal::kUnknownOrder},
    {errors::kMarketNotFound.code, Refusal::kBadOrder},
    {errors::kOrderGroupTriggered.code, Refusal::kOther},
};

}  // namespace

bool IsSendable(TimeInForce tif) { return IsValid(tif) && tif != TimeInForce::kDay; }

Call CreateCall(const strategy::Action& action, absl::string_view ticker,
                absl::string_view client_order_id, Call memory) {
  CHECK(IsSendable(action.tif));
  engine::kalshi::CreateOrder order;
  order.ticker = ticker;
  order.client_order_id = client_order_id;
  order.side = action.side;
  order.count = Count::Of(action.quantity);
  order.price = action.price;
  order.time_in_force =
      action.tif == TimeInForce::kGoodTillTime ? TimeInForce::kGoodTillCancelled : action.tif;
  if (action.expires != 0 && order.time_in_force == TimeInForce::kGoodTillCancelled) {
    order.expiration_s = action.expires / kSecondNanos + (action.expires % kSecondNanos > 0);
  }
  if (action.flags.self_trade_prevention() == engine::SelfTradePrevention::kCancelMaker) {
    order.self_trade_prevention = engine::SelfTradePrevention::kCancelMaker;
  }
  order.post_only = action.flags.post_only();
  order.reduce_only = action.flags.reduce_only();
  order.cancel_order_on_pause = action.flags.cancel_on_pause();
  Call call = EmptyCall(CallKind::kCreate, "POST", std::move(memory));
  absl::StrAppend(&call.path, kOrdersPath);
  SetBody(order, call);
  return call;
}

Call AmendCall(const strategy::Action& action, absl::string_view ticker, absl::string_view order_id,
               Call memory) {
  engine::kalshi::AmendOrder amend;
  amend.ticker = ticker;
  amend.side = action.side;
  amend.count = Count::Of(action.quantity);
  amend.price = action.price;
  Call call = EmptyCall(CallKind::kAmend, "POST", std::move(memory));
  AppendAmendPath(order_id, call.path);
  SetBody(amend, call);
  return call;
}

Call CancelCall(absl::string_view order_id, Call memory) {
  Call call = EmptyCall(CallKind::kCancel, "DELETE", std::move(memory));
  AppendCancelPath(order_id, call.path);
  return call;
}

std::string AmendPath(absl::string_view order_id) {
  std::string path;
  AppendAmendPath(order_id, path);
  return path;
}
std::string CancelPath(absl::string_view order_id) {
  std::string path;
  AppendCancelPath(order_id, path);
  return path;
}

std::string ClientOrderId(absl::string_view run, strategy::OrderNumber number, std::string memory) {
  memory.clear();
  absl::StrAppend(&memory, run, "-", number.value());
  return memory;
}

strategy::OrderNumber NumberOf(absl::string_view run, absl::string_view client_order_id) {
  uint64_t number = 0;
  if (!absl::ConsumePrefix(&client_order_id, run) || !absl::ConsumePrefix(&client_order_id, "-") ||
      !engine::ParseInteger(client_order_id, number)) {
    return {};
  }
  return strategy::OrderNumber(number);
}

bool IsUnclear(int status) {
  return !(status >= 200 && status < 300) && !(status >= 400 && status < 500);
}

Refusal RefusalOf(int status, const engine::kalshi::ReadError& error) {
  if (status == errors::kTooManyRequests.status) return Refusal::kTooManyRequests;
  if (absl::StrContains(error.details, errors::kPostOnlyCross) ||
      absl::StrContains(error.message, errors::kPostOnlyCross)) {
    return Refusal::kWouldTrade;
  }
  for (const CodeMeaning& meaning : kMeanings) {
    if (absl::EqualsIgnoreCase(error.code, meaning.code)) return meaning.refusal;
  }
  return status == errors::kBadRequest.status ? Refusal::kBadOrder : Refusal::kOther;
}

}  // namespace client
