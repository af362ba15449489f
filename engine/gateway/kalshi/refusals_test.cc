#include "engine/gateway/kalshi/refusals.h"

#include <cstddef>
#include <memory>
#include <set>

#include "engine/messages/reject_reason.h"
#include "engine/wire/kalshi/errors.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// The reasons that no request of a client can meet: the gateway sends no such command.
const std::set<RejectReason>& NotOfClients() {
  using enum RejectReason;
  static const auto& reasons =
      *std::make_unique<std::set<RejectReason>>(std::set<RejectReason>{kNone,
                                                                       kUnknownCommand,
                                                                       kUnsupportedField,
                                                                       kMalformedDefinition,
                                                                       kMarketAlreadyDefined,
                                                                       kSymbolAlreadyDefined,
                                                                       kInvalidSide,
                                                                       kInvalidOrderType,
                                                                       kInvalidTimeInForce,
                                                                       kPriceOnMarketOrder,
                                                                       kExchangeStateForbids,
                                                                       kMarketStateForbids,
                                                                       kMarketNotBinary,
                                                                       kAccountAlreadyOpen,
                                                                       kInvalidAmount,
                                                                       kAmountOutOfRange,
                                                                       kMalformedLimits,
                                                                       kMalformedFees,
                                                                       kInvalidSettlement,
                                                                       kFeesInUse,
                                                                       kAccountStandingForbids,
                                                                       kMalformedNote,
                                                                       kMarketNotMirrored,
                                                                       kQuantityAboveRemaining})
           .release();
  return reasons;
}

TEST(KalshiRefusals, EveryReasonThatAClientCanMeetHasItsError) {
  for (size_t i = 0; i < kRejectReasonNames.size(); ++i) {
    const auto reason = static_cast<RejectReason>(i);
    const bool is_internal = RefusalOf(reason).kind == kalshi::errors::kInternal;
    EXPECT_EQ(is_internal, NotOfClients().contains(reason)) << kRejectReasonNames[i];
  }
}

TEST(KalshiRefusals, AnAuthenticationFailsAsItWasRecorded) {
  EXPECT_EQ(RefusalOf(KalshiAuthResult::kNotSigned).details, "INCORRECT_API_KEY_SIGNATURE");
  EXPECT_EQ(RefusalOf(KalshiAuthResult::kUnknownKey).details, "NOT_FOUND");
  EXPECT_EQ(RefusalOf(KalshiAuthResult::kExpired).kind.code, "header_timestamp_expired");
  EXPECT_EQ(RefusalOf(KalshiAuthResult::kSignatureMissing).kind.code,
            "signature_is_missing_from_headers");
}

}  // namespace
}  // namespace engine
