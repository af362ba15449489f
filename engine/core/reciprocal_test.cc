#include "engine/core/reciprocal.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

void ExpectExact(uint64_t divisor, uint64_t value) {
  const Reciprocal by(divisor);
  ASSERT_EQ(by.Divide(value), value / divisor) << value << " / " << divisor;
  ASSERT_EQ(by.DivideUp(value), value / divisor + (value % divisor != 0 ? 1 : 0))
      << value << " / " << divisor;
}

TEST(Reciprocal, IsExactAroundEveryMultiple) {
  std::vector<uint64_t> divisors = {1, 2, 3, 7, 100, kMax, kMax - 1, kMax / 2, kMax / 2 + 1};
  for (uint64_t power = 10; power <= 1'000'000'000'000; power *= 10) divisors.push_back(power);
  Prng prng(1);
  for (int i = 0; i < 200; ++i) divisors.push_back((prng.Next() >> prng.Below(64)) | 1);
  for (const uint64_t divisor : divisors) {
    for (int i = 0; i < 200; ++i) {
      const uint64_t multiple = prng.Below(kMax / divisor) * divisor;
      for (const uint64_t value : {multiple - 1, multiple, multiple + 1, prng.Next(),
                                   prng.Next() >> prng.Below(64), uint64_t{0}, kMax, kMax - 1}) {
        ASSERT_NO_FATAL_FAILURE(ExpectExact(divisor, value));
      }
    }
  }
}

TEST(Reciprocal, NothingIsDividedByZero) { EXPECT_DEATH(Reciprocal(0), "divisor > 0"); }

}  // namespace
}  // namespace engine
