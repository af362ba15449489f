// Any bytes are a request within its bounds, or an error whose body is JSON. The first byte chooses
// the kind of request.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/types/quantity.h"
#include "engine/wire/kalshi/requests.h"
#include "simdjson.h"

namespace {

using engine::kalshi::Count;
using engine::kalshi::Error;
using engine::kalshi::Result;

void CheckCount(Count count) {
  CHECK(count > Count() && count.ToQuantity() <= engine::kQuantityMax);
}

void CheckValue(const engine::kalshi::CreateOrder& order) {
  CheckCount(order.count);
  CHECK(!order.ticker.empty() && order.price <= engine::kalshi::kOneDollar);
  CHECK(!order.reduce_only || order.time_in_force == engine::TimeInForce::kImmediateOrCancel);
}

void CheckValue(const engine::kalshi::AmendOrder& amend) {
  CheckCount(amend.count);
  CHECK(!amend.ticker.empty() && amend.price <= engine::kalshi::kOneDollar);
}

void CheckValue(const engine::kalshi::DecreaseOrder& decrease) {
  CHECK(decrease.is_to || decrease.count > Count());
}

void CheckValue(const engine::kalshi::CancelEntry& entry) { CHECK(!entry.order_id.empty()); }
void CheckValue(const engine::kalshi::CreateGroup& group) {
  CHECK(group.contracts_limit > Count());
}
void CheckValue(const engine::kalshi::GroupLimit& limit) { CHECK(limit.contracts_limit > Count()); }

template <typename T>
void CheckResult(const Result<T>& result);

void CheckValue(const engine::kalshi::BatchCreateEntry& entry) { CheckResult(entry.order); }

template <typename T>
void CheckValue(const std::vector<T>& entries) {
  CHECK(!entries.empty() && entries.size() <= engine::kalshi::RequestDecoder::kBatchMax);
  for (const T& entry : entries) CheckValue(entry);
}

void CheckError(const Error& error) {
  CHECK(error.kind.status == 400);
  std::string body;
  engine::kalshi::AppendErrorBody(error, body);
  simdjson::dom::parser parser;
  CHECK(parser.parse(body).error() == simdjson::SUCCESS) << body;
}

template <typename T>
void CheckResult(const Result<T>& result) {
  if (result.ok()) {
    CheckValue(*result);
  } else {
    CheckError(result.error());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static engine::kalshi::RequestDecoder decoder;
  const absl::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0:
      CheckResult(decoder.DecodeCreateOrder(body));
      break;
    case 1:
      CheckResult(decoder.DecodeBatchCreate(body));
      break;
    case 2:
      CheckResult(decoder.DecodeAmendOrder(body));
      break;
    case 3:
      CheckResult(decoder.DecodeDecreaseOrder(body));
      break;
    case 4:
      CheckResult(decoder.DecodeBatchCancel(body));
      break;
    case 5:
      CheckResult(decoder.DecodeCreateGroup(body));
      break;
    default:
      CheckResult(decoder.DecodeGroupLimit(body));
  }
  return 0;
}
