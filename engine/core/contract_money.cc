#include "engine/core/contract_money.h"

#include <algorithm>

#include "engine/base/check.h"

namespace engine {
namespace {

// Money is exact to 10^-6 dollar.
constexpr int kMicroDecimals = 6;

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

ContractMoney::ContractMoney(const MarketDefinition& definition)
    : dollar_(PowerOfTen(definition.price_decimals)),
      micros_per_unit_(
          PowerOfTen(kMicroDecimals - definition.price_decimals - definition.quantity_decimals)),
      micros_per_pair_(PowerOfTen(kMicroDecimals - definition.quantity_decimals)),
      // A dollar, a quarter rounded up, and one micro-dollar of rounding for each lot.
      bound_each_(static_cast<uint64_t>(micros_per_pair_ + (micros_per_pair_ + 3) / 4 + 1)),
      everyday_max_(Reciprocal::kMax /
                    (kFeeRateMax / 4 * static_cast<uint64_t>(dollar_ * dollar_))),
      fee_divisor_(
          static_cast<uint64_t>(dollar_ * dollar_ * PowerOfTen(definition.quantity_decimals))),
      lot_(definition.lot.units()) {
  CHECK(definition.kind == MarketKind::kBinary);
  CHECK_LE(definition.price_decimals + definition.quantity_decimals, kBinaryDecimalsMax);
  const auto each = static_cast<uint64_t>(micros_per_unit_);
  cost_linear_ = {0, each, -each};
  cost_constant_ = {0, 0, each * static_cast<uint64_t>(dollar_)};
  SetFees({});
}

void ContractMoney::SetFees(const FeeSchedule& fees) {
  const uint64_t taker = uint64_t{fees.taker_coefficient} * fees.multiplier;
  const uint64_t maker = uint64_t{fees.maker_coefficient} * fees.multiplier;
  rates_ = {taker, maker, std::max(taker, maker)};
  static_assert(static_cast<int>(FeeRole::kTaker) == 0 && static_cast<int>(FeeRole::kMaker) == 1 &&
                static_cast<int>(FeeRole::kWorst) == 2);
  resting_ = RestingRequirement({.dollar = dollar_,
                                 .micros_per_unit = micros_per_unit_,
                                 .fee_divisor = fee_divisor_.divisor(),
                                 .rate = maker,
                                 .lot = lot_.divisor()});
  fees_ = fees;
}

// The fee of a quantity that is not everyday, with a dividend of 128 bits.
Money ContractMoney::WideFee(uint64_t of_one, Quantity quantity) const {
  const uint64_t divisor = fee_divisor_.divisor();
  const auto dividend = static_cast<unsigned __int128>(of_one) * quantity.units();
  return Money::FromMicros(static_cast<int64_t>((dividend + (divisor - 1)) / divisor));
}

Money ContractMoney::Settlement(int64_t contracts, Price value) const {
  const bool is_yes = contracts > 0;
  const int64_t each = is_yes ? value.units() : dollar_ - value.units();
  const int64_t held = contracts > 0 ? contracts : -contracts;
  return Money::FromMicros(held * each * micros_per_unit_);
}

}  // namespace engine
