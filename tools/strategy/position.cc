#include "tools/strategy/position.h"

#include <algorithm>

namespace strategy {
namespace {

// 10^-6 dollar in one dollar; a sum of price units times quantity units has `decimals` decimals.
constexpr int kMoneyDecimals = 6;
// 10^12 dollars in 10^-6 dollar, and a position: what no account can have.
constexpr int64_t kMost = 1'000'000'000'000'000'000;

constexpr int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

engine::Money Clamped(__int128 micros) {
  return engine::Money::FromMicros(
      static_cast<int64_t>(std::clamp<__int128>(micros, -kMost, kMost)));
}

}  // namespace

Position::Position(const engine::MarketDefinition& market) {
  const int decimals = market.price_decimals + market.quantity_decimals;
  factor_ = PowerOfTen(std::max(kMoneyDecimals - decimals, 0));
  divisor_ = 2 * PowerOfTen(std::max(decimals - kMoneyDecimals, 0));
}

void Position::Fill(engine::Side side, engine::Price price, engine::Quantity quantity,
                    engine::Money fee) {
  const auto units = static_cast<int64_t>(quantity.units());
  const __int128 paid = __int128{price.units()} * units;
  if (side == engine::Side::kBid) {
    units_ = std::min(units_ + units, kMost);
    twice_cash_ -= 2 * paid;
    bought_ += quantity.units();
  } else {
    units_ = std::max(units_ - units, -kMost);
    twice_cash_ += 2 * paid;
    sold_ += quantity.units();
  }
  fees_ = Clamped(__int128{fees_.micros()} + fee.micros());
}

void Position::Set(int64_t units, int64_t twice_price) {
  twice_cash_ -= (__int128{units} - units_) * twice_price;
  units_ = units;
}

engine::Money Position::Profit(int64_t twice_price) const {
  const __int128 twice = twice_cash_ + __int128{units_} * twice_price;
  return Clamped(twice * factor_ / divisor_) - fees_;
}

}  // namespace strategy
