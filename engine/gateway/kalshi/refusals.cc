#include "engine/gateway/kalshi/refusals.h"

#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"

namespace engine {
namespace {

struct Refusal {
  RejectReason reason = {};
  kalshi::ErrorKind kind;
  absl::string_view details = {};
};

// The reasons that a request of a client can meet. Others are those of commands that no client has.
constexpr Refusal kRefusals[] = {
    {RejectReason::kUnknownMarket, kalshi::errors::kMarketNotFound},
    {RejectReason::kUnknownAccount, kalshi::errors::kUserNotFound},
    {RejectReason::kUnknownOrder, kalshi::errors::kNotFound},
    {RejectReason::kOrderNotLive, kalshi::errors::kNotFound},
    {RejectReason::kWrongMarket, kalshi::errors::kNotFound},
    {RejectReason::kWrongAccount, kalshi::errors::kNotFound},
    {RejectReason::kUnknownGroup, kalshi::errors::kNotFound},

    {RejectReason::kInvalidFlags, kalshi::errors::kInvalidOrder},
    {RejectReason::kPostOnlyWouldCross, kalshi::errors::kInvalidOrder,
     kalshi::errors::kPostOnlyCross},
    {RejectReason::kReduceOnlyNoPosition, kalshi::errors::kInvalidOrder,
     "reduce only without a position"},
    {RejectReason::kPositionLimit, kalshi::errors::kInvalidOrder, "position limit"},
    {RejectReason::kRiskOpenOrders, kalshi::errors::kInvalidOrder, "too many open orders"},
    {RejectReason::kRiskOrderQuantity, kalshi::errors::kInvalidOrder, "order quantity limit"},
    {RejectReason::kRiskOrderNotional, kalshi::errors::kInvalidOrder, "order value limit"},
    {RejectReason::kRiskOrderRate, kalshi::errors::kTooManyRequests},
    {RejectReason::kExpiredOnArrival, kalshi::errors::kExpirationInPast},
    {RejectReason::kGroupTripped, kalshi::errors::kOrderGroupTriggered},
    {RejectReason::kMalformedGroup, kalshi::errors::kInvalidParameters},

    {RejectReason::kQuantityZero, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kQuantityAboveMaximum, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kQuantityBelowMinimum, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kQuantityOffLot, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kQuantityNotAboveFilled, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kQuantityNotBelowRemaining, kalshi::errors::kInvalidOrderSize},
    {RejectReason::kPriceOutOfBand, kalshi::errors::kInvalidPrice},
    {RejectReason::kPriceOffTick, kalshi::errors::kInvalidPrice},
    {RejectReason::kInsufficientFunds, kalshi::errors::kInsufficientBalance},

    {RejectReason::kMarketNotOpen, kalshi::errors::kMarketInactive},
    {RejectReason::kMarketPaused, kalshi::errors::kMarketInactive},
    {RejectReason::kExchangePaused, kalshi::errors::kTradingPaused},
    {RejectReason::kExchangeHalted, kalshi::errors::kUnavailable},
    {RejectReason::kAccountSuspended, kalshi::errors::kForbidden},
    {RejectReason::kMarketIsMirrored, kalshi::errors::kMarketInactive},
};

}  // namespace

kalshi::Error RefusalOf(RejectReason reason) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.reason == reason) return {refusal.kind, std::string(refusal.details)};
  }
  return {kalshi::errors::kInternal, {}};
}

kalshi::Error RefusalOf(KalshiAuthResult result) {
  switch (result) {
    case KalshiAuthResult::kOk:
      break;
    case KalshiAuthResult::kKeyMissing:
      return {kalshi::errors::kKeyMissing, {}};
    case KalshiAuthResult::kTimestampMissing:
      return {kalshi::errors::kTimestampMissing, {}};
    case KalshiAuthResult::kSignatureMissing:
      return {kalshi::errors::kSignatureMissing, {}};
    case KalshiAuthResult::kUnknownKey:
      return {kalshi::errors::kAuthentication, std::string(kalshi::errors::kKeyNotFound)};
    case KalshiAuthResult::kExpired:
      return {kalshi::errors::kTimestampExpired, {}};
    case KalshiAuthResult::kNotSigned:
      return {kalshi::errors::kAuthentication, std::string(kalshi::errors::kIncorrectSignature)};
  }
  CHECK(false) << "authenticated";
}

}  // namespace engine
