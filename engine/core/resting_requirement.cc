#include "engine/core/resting_requirement.h"

#include <algorithm>
#include <numeric>

namespace engine {

RestingRequirement::RestingRequirement(const Terms& terms) {
  const bool has_fee = terms.rate != 0;
  if (has_fee && terms.fee_divisor % terms.lot != 0) return;
  const auto dollar = static_cast<uint64_t>(terms.dollar);
  uint64_t one = static_cast<uint64_t>(terms.micros_per_unit) * terms.fee_divisor;
  uint64_t rounding = has_fee ? terms.fee_divisor / terms.lot : 0;
  uint64_t rate = terms.rate;
  uint64_t divisor = terms.fee_divisor * kBalanceStepMicros;
  // Smaller numbers let larger orders fit.
  const uint64_t common = std::gcd(std::gcd(one, rounding), std::gcd(rate, divisor));
  one /= common;
  rounding /= common;
  rate /= common;
  divisor /= common;

  quadratic_ = -rate;
  linear_ = {0, rate * dollar + one, rate * dollar - one};
  constant_ = {0, rounding, rounding + one * dollar};
  divisor_ = Reciprocal(divisor);
  // P × (1 − P) is at most a quarter, and the rate is below a dollar. So the sum is at most
  // 1.25 × 10^18, and the rounding 10^12.
  const uint64_t most = one * dollar + rate * dollar * dollar / 4 + 1 + rounding;
  quantity_max_ = Reciprocal::kMax / most;
}

}  // namespace engine
