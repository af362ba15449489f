#include "engine/workload/random_numbers.h"

#include <cmath>
#include <vector>

#include "engine/workload/fixed_point.h"
#include "engine/workload/mersenne_twister.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

constexpr int kDraws = 100'000;

double ToDouble(Fixed value) { return static_cast<double>(value) / static_cast<double>(kFixedOne); }

// The C++ standard gives the 10,000th word.
TEST(MersenneTwister, GivesTheStandardsWords) {
  MersenneTwister words(5489);
  uint32_t word = 0;
  for (int i = 0; i < 10'000; ++i) word = words.Next();
  EXPECT_EQ(word, 4'123'659'995u);
}

TEST(FixedPoint, LogarithmIsThatOfTheLibraryToNineDigits) {
  for (const double x : {1e-9, 0.001, 0.5, 0.999, 1.0, 1.001, 2.0, 10.0, 12345.678, 2e9}) {
    const auto fixed = static_cast<uint64_t>(x * static_cast<double>(kFixedOne));
    const double exact = static_cast<double>(fixed) / static_cast<double>(kFixedOne);
    EXPECT_NEAR(ToDouble(LogOf(fixed, kFixedBits)), std::log(exact), 2e-9) << x;
  }
}

TEST(FixedPoint, ExponentialIsThatOfTheLibraryToEightDigits) {
  for (const double x : {-21.0, -5.5, -1.0, -1e-6, 0.0, 1e-6, 0.3, 1.0, 7.25, 20.0}) {
    const auto fixed = static_cast<Fixed>(x * static_cast<double>(kFixedOne));
    EXPECT_NEAR(ToDouble(ExpOf(fixed)), std::exp(x), std::exp(x) * 1e-8 + 1e-9) << x;
  }
  EXPECT_EQ(ExpOf(0), kFixedOne);
  EXPECT_EQ(ExpOf(FixedOf(-100)), 0);
}

TEST(FixedPoint, SquareRootIsRoundedDown) {
  EXPECT_EQ(SquareRoot(0), 0u);
  EXPECT_EQ(SquareRoot(15), 3u);
  EXPECT_EQ(SquareRoot(16), 4u);
  EXPECT_EQ(SquareRoot(~static_cast<unsigned __int128>(0)), ~uint64_t{0});
}

TEST(RandomNumbers, ExponentialHasItsMeanAndMedian) {
  RandomNumbers random(1);
  double sum = 0;
  int below_median = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = ToDouble(random.Exponential());
    ASSERT_GE(x, 0);
    sum += x;
    below_median += x < std::log(2) ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 1, 0.02);
  EXPECT_NEAR(below_median, kDraws / 2, 0.01 * kDraws);
}

TEST(RandomNumbers, NormalHasItsMomentsAndTails) {
  RandomNumbers random(2);
  double sum = 0, squares = 0;
  int within_one = 0, beyond_three = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = ToDouble(random.Normal());
    sum += x;
    squares += x * x;
    within_one += std::abs(x) < 1 ? 1 : 0;
    beyond_three += std::abs(x) > 3 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
  EXPECT_NEAR(within_one, 0.6827 * kDraws, 0.01 * kDraws);
  EXPECT_NEAR(beyond_three, 0.0027 * kDraws, 0.0008 * kDraws);
}

TEST(RandomNumbers, BetweenReachesBothEnds) {
  RandomNumbers random(3);
  std::vector<int> counts(5);
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<size_t>(random.Between(-2, 2) + 2)];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 5, 0.02 * kDraws);
}

TEST(WeightedTable, DrawsByWeight) {
  RandomNumbers random(4);
  const WeightedTable table({1, 0, 3});
  std::vector<int> counts(3);
  for (int i = 0; i < kDraws; ++i) ++counts[table.Draw(random)];
  EXPECT_NEAR(counts[0], kDraws / 4, 0.01 * kDraws);
  EXPECT_EQ(counts[1], 0);
}

}  // namespace
}  // namespace bench
