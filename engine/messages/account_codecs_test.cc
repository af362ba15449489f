#include "engine/messages/account_codecs.h"

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

RiskLimits SampleLimits() {
  RiskLimits limits;
  limits.open_orders_max = 7;
  limits.order_quantity_max = Quantity::FromUnits(100);
  limits.order_notional_max = Money::FromDollars(5);
  limits.orders_per_second_max = 9;
  return limits;
}

TEST(AccountCodecs, ReadWhatTheyWrite) {
  EXPECT_EQ(DecodeRiskLimits(EncodeRiskLimits(SampleLimits())).value(), SampleLimits());
  EXPECT_EQ(DecodeRiskLimits(EncodeRiskLimits({})).value(), RiskLimits());
  const FeeSchedule fees{.taker_coefficient = 700, .maker_coefficient = 175, .multiplier = 200};
  EXPECT_EQ(DecodeFeeSchedule(EncodeFeeSchedule(fees)).value(), fees);
}

TEST(AccountCodecs, RefuseInvalidValues) {
  RiskLimits limits = SampleLimits();
  limits.order_notional_max = Money::FromMicros(-1);
  EXPECT_FALSE(DecodeRiskLimits(EncodeRiskLimits(limits)).ok());
  EXPECT_TRUE(IsSound({.taker_coefficient = 9'999, .maker_coefficient = 0, .multiplier = 100}));
  const FeeSchedule all_of_it{
      .taker_coefficient = 10'000, .maker_coefficient = 0, .multiplier = 100};
  EXPECT_FALSE(DecodeFeeSchedule(EncodeFeeSchedule(all_of_it)).ok());
  const FeeSchedule huge{
      .taker_coefficient = UINT32_MAX, .maker_coefficient = 0, .multiplier = UINT32_MAX};
  EXPECT_FALSE(DecodeFeeSchedule(EncodeFeeSchedule(huge)).ok());
}

TEST(AccountCodecs, ReadAnyBytesSafely) {
  Prng prng(1);
  for (int round = 0; round < 10'000; ++round) {
    std::vector<std::byte> bytes(prng.Below(80));
    for (std::byte& byte : bytes) byte = std::byte(prng.Chance(60) ? 0 : prng.Below(256));
    (void)DecodeRiskLimits(bytes).ok();
    (void)DecodeFeeSchedule(bytes).ok();
  }
  EXPECT_FALSE(DecodeRiskLimits({}).ok());
  EXPECT_FALSE(DecodeFeeSchedule({}).ok());
}

}  // namespace
}  // namespace engine
