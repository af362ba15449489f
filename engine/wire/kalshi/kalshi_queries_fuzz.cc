// Any bytes are the parameters of an endpoint within their bounds, or an error whose body is JSON.
// The first byte chooses the endpoint.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/kalshi/queries.h"
#include "simdjson.h"

namespace {

namespace kalshi = engine::kalshi;

void CheckValue(const kalshi::GetOrderbooks& books) {
  CHECK(!books.tickers.empty() && books.tickers.size() <= 100);
}

void CheckValue(const kalshi::GetCandlesticks& candles) {
  CHECK(candles.start_s <= candles.end_s);
  CHECK(candles.period_minutes == 1 || candles.period_minutes == 60 ||
        candles.period_minutes == 1440);
}

template <typename T>
void CheckValue(const T& value) {
  if constexpr (requires { value.page; }) {
    CHECK(value.page.limit >= 1 && value.page.limit <= 1000);
  }
  if constexpr (requires { value.part; }) {
    CHECK(value.part.subaccount.value_or(0) >= 0 && value.part.subaccount.value_or(0) <= 63);
  }
}

template <typename T>
void CheckResult(const kalshi::Result<T>& result) {
  if (result.ok()) return CheckValue(*result);
  CHECK(result.error().kind == kalshi::errors::kBadParameter);
  std::string body;
  kalshi::AppendErrorBody(result.error(), body);
  simdjson::dom::parser parser;
  CHECK(parser.parse(body).error() == simdjson::SUCCESS) << body;
}

void CheckMarketData(uint8_t which, const kalshi::QueryString& query) {
  switch (which % 8) {
    case 0:
      return CheckResult(kalshi::ParseGetMarkets(query));
    case 1:
      return CheckResult(kalshi::ParseGetOrderbook(query));
    case 2:
      return CheckResult(kalshi::ParseGetOrderbooks(query));
    case 3:
      return CheckResult(kalshi::ParseGetTrades(query));
    case 4:
      return CheckResult(kalshi::ParseGetCandlesticks(query));
    case 5:
      return CheckResult(kalshi::ParseGetBatchCandlesticks(query));
    case 6:
      return CheckResult(kalshi::ParseGetEvents(query));
    default:
      return CheckResult(kalshi::ParseGetSeriesList(query));
  }
}

void CheckPortfolio(uint8_t which, const kalshi::QueryString& query) {
  switch (which % 8) {
    case 0:
      return CheckResult(kalshi::ParseGetPositions(query));
    case 1:
      return CheckResult(kalshi::ParseGetFills(query));
    case 2:
      return CheckResult(kalshi::ParseGetSettlements(query));
    case 3:
      return CheckResult(kalshi::ParseGetOrders(query));
    case 4:
      return CheckResult(kalshi::ParseGetQueuePositions(query));
    case 5:
      return CheckResult(kalshi::ParseGetFeeChanges(query));
    case 6:
      return CheckResult(kalshi::ParseGetEvent(query));
    default:
      return CheckResult(kalshi::ParsePartOnly(query, "CancelOrder"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto query =
      kalshi::QueryString::Parse({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (data[0] % 16 < 8) {
    CheckMarketData(data[0], query);
  } else {
    CheckPortfolio(data[0], query);
  }
  return 0;
}
