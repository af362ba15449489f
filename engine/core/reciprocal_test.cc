#include "engine/core/reciprocal.h"

#include <cstdint>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr uint64_t kMax = Reciprocal::kMax;

void ExpectExact(uint64_t divisor, uint64_t value) {
  const Reciprocal by(divisor);
  ASSERT_EQ(by.DivideUp(value), value / divisor + (value % divisor != 0 ? 1 : 0))
      << value << " / " << divisor;
}

TEST(Reciprocal, IsExactAroundEveryMultiple) {
  std::vector<uint64_t> divisors = {1, 2, 3, 7, 100, kMax, kMax - 1, kMax / 2, kMax / 2 + 1};
  for (uint64_t power = 10; power <= 1'000'000'000'000; power *= 10) divisors.push_back(power);
  Prng prng(1);
  for (int i = 0; i < 200; ++i) divisors.push_back((prng.Next() >> (2 + prng.Below(62))) | 1);
  for (const uint64_t divisor : divisors) {
    for (int i = 0; i < 200; ++i) {
      const uint64_t multiple = prng.Below(kMax / divisor + 1) * divisor;
      for (const uint64_t value :
           {multiple - 1, multiple, multiple + 1, prng.Next() >> 2,
            prng.Next() >> (2 + prng.Below(62)), uint64_t{0}, kMax, kMax - 1}) {
        if (value > kMax) continue;  // One below nothing, one above the most.
        ASSERT_NO_FATAL_FAILURE(ExpectExact(divisor, value));
      }
    }
  }
}

TEST(Reciprocal, DivisorsOutOfRangeAreRefused) {
  EXPECT_DEATH(Reciprocal(0), "divisor > 0");
  EXPECT_DEATH(Reciprocal(kMax + 1), "divisor <= kMax");
}

}  // namespace
}  // namespace engine
