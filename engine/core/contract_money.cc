#include "engine/core/contract_money.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/core/fault.h"

namespace engine {
namespace {

// Money is exact to 10^-6 dollar.
constexpr int kMicroDecimals = 6;

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// For `divisor` > 0; rounded towards minus infinity.
int64_t FloorDivide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

uint64_t CoefficientOf(const FeeSchedule& fees, FeeRole role) {
  if (role == FeeRole::kTaker) return fees.taker_coefficient;
  if (role == FeeRole::kMaker) {
    return ENGINE_FAULT(kMakerPaysTakerFee) ? fees.taker_coefficient : fees.maker_coefficient;
  }
  if (ENGINE_FAULT(kArrivalAtMakerFee)) return fees.maker_coefficient;
  return std::max(fees.taker_coefficient, fees.maker_coefficient);
}

}  // namespace

Money RoundDownToBalanceStep(Money amount) {
  return Money::FromMicros(FloorDivide(amount.micros(), kBalanceStepMicros) * kBalanceStepMicros);
}

ContractMoney::ContractMoney(const MarketDefinition& definition)
    : dollar_(PowerOfTen(definition.price_decimals)),
      micros_per_unit_(
          PowerOfTen(kMicroDecimals - definition.price_decimals - definition.quantity_decimals)),
      micros_per_pair_(PowerOfTen(kMicroDecimals - definition.quantity_decimals)),
      fee_divisor_(static_cast<__int128>(dollar_) * dollar_ *
                   PowerOfTen(definition.quantity_decimals)),
      lot_(definition.lot) {
  CHECK(definition.kind == MarketKind::kBinary);
  CHECK_LE(definition.price_decimals + definition.quantity_decimals, kBinaryDecimalsMax);
}

Money ContractMoney::Pair(Quantity contracts) const {
  return Money::FromMicros(
      static_cast<int64_t>(static_cast<__int128>(contracts.units()) * micros_per_pair_));
}

Money ContractMoney::Cost(Side side, Quantity quantity, Price price) const {
  const int64_t each = side == Side::kBid ? price.units() : dollar_ - price.units();
  return Money::FromMicros(
      static_cast<int64_t>(static_cast<__int128>(quantity.units()) * each * micros_per_unit_));
}

Money ContractMoney::Fee(Quantity quantity, Price price, const FeeSchedule& fees,
                         FeeRole role) const {
  const auto rate = static_cast<__int128>(CoefficientOf(fees, role)) * fees.multiplier;
  const __int128 dividend = rate * quantity.units() * price.units() * (dollar_ - price.units());
  return Money::FromMicros(static_cast<int64_t>(
      (dividend + (ENGINE_FAULT(kFeeRoundedDown) ? 0 : fee_divisor_ - 1)) / fee_divisor_));
}

FillMoney ContractMoney::Fill(Side side, Quantity quantity, Price price, Quantity closed,
                              const FeeSchedule& fees, FeeRole role, Money credit) const {
  const Money gross =
      Pair(ENGINE_FAULT(kPairsNotPaid) ? Quantity() : closed) - Cost(side, quantity, price);
  const Money exact = gross - Fee(quantity, price, fees, role) + credit;
  FillMoney fill;
  fill.change = RoundDownToBalanceStep(exact);
  fill.fee = gross - fill.change;
  fill.credit = ENGINE_FAULT(kCreditForgotten) ? Money() : exact - fill.change;
  return fill;
}

Money ContractMoney::Requirement(Side side, Quantity quantity, Price limit, const FeeSchedule& fees,
                                 FeeRole role, Money credit) const {
  Money worst = Cost(side, quantity, limit) + Fee(quantity, limit, fees, role) - credit;
  if (CoefficientOf(fees, role) * fees.multiplier != 0 && !ENGINE_FAULT(kReserveWithoutRounding)) {
    // Each fill's fee is rounded up; there are at most as many fills as lots.
    const uint64_t fills =
        quantity.units() / lot_.units() + (quantity.units() % lot_.units() != 0 ? 1 : 0);
    worst += Money::FromMicros(static_cast<int64_t>(fills));
  }
  return std::max(Money(), -RoundDownToBalanceStep(-worst));
}

Money ContractMoney::Settlement(int64_t contracts, Price value) const {
  const bool is_yes = (contracts > 0) != ENGINE_FAULT(kSettlementSidesSwapped);
  const int64_t each = is_yes ? value.units() : dollar_ - value.units();
  const __int128 held = contracts > 0 ? contracts : -static_cast<__int128>(contracts);
  return Money::FromMicros(static_cast<int64_t>(held * each * micros_per_unit_));
}

}  // namespace engine
