#include "engine/types/grid.h"

#include <cstdint>
#include <limits>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(GridTest, HasTheMultiplesBetweenItsBoundsInOrder) {
  for (const int64_t step : {1, 2, 3, 5, 7, 8, 10, 25, 100, 1000}) {
    for (int64_t first = -60; first <= 60; first += 7) {
      const int64_t last = first + 1500;
      const Grid grid(step, first, last);
      uint64_t index = 0;
      for (int64_t number = first - 2000; number <= last + 2000; ++number) {
        const bool is_allowed = number >= first && number <= last && number % step == 0;
        ASSERT_EQ(grid.Has(number), is_allowed) << number << " step " << step;
        if (is_allowed) {
          ASSERT_EQ(grid.NumberAt(index), number) << "step " << step;
          ASSERT_EQ(grid.IndexOf(number), index++) << number << " step " << step;
        }
      }
      EXPECT_EQ(grid.size(), index);
    }
  }
}

TEST(GridTest, ChecksAnyNumber) {
  Prng prng(1);
  const int64_t bound = 1'000'000'000'000;
  for (const int64_t step :
       {int64_t{1}, int64_t{6}, int64_t{48}, int64_t{10'000}, int64_t{999'999'937}, bound}) {
    const Grid grid(step, -bound, bound);
    for (const int64_t number :
         {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), -bound, bound,
          -bound - 1, bound + 1, int64_t{0}, step, -step, step + 1}) {
      EXPECT_EQ(grid.Has(number), number >= -bound && number <= bound && number % step == 0)
          << number;
    }
    for (int i = 0; i < 100'000; ++i) {
      const auto number = static_cast<int64_t>(prng.Next()) >> (prng.Next() % 64);
      ASSERT_EQ(grid.Has(number), number >= -bound && number <= bound && number % step == 0)
          << number;
    }
  }
}

TEST(GridTest, MayBeEmpty) {
  for (const Grid& grid : {Grid(), Grid(100, 1, 99), Grid(5, 3, 2)}) {
    EXPECT_EQ(grid.size(), 0u);
    for (const int64_t number : {-100, -1, 0, 1, 5, 100}) EXPECT_FALSE(grid.Has(number)) << number;
  }
}

}  // namespace
}  // namespace engine
