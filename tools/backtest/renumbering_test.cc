// Numbers are compared with those that counting gives.

#include "tools/backtest/renumbering.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

TEST(Renumbering, CountsWhatWasInserted) {
  Renumbering numbers;
  std::vector<uint64_t> inserted;
  engine::Prng random(7);
  uint64_t next = 1;
  for (int i = 0; i < 5'000; ++i) {
    if (random.Below(3) == 0) {
      numbers.Insert(next);
      inserted.push_back(next);
    } else {
      next += random.Below(50);
    }
    const uint64_t asked = 1 + random.Below(next);
    const auto before = std::ranges::count_if(inserted, [&](uint64_t at) { return at <= asked; });
    ASSERT_EQ(numbers.NumberOf(asked), asked + static_cast<uint64_t>(before));
  }
}

}  // namespace
}  // namespace tools
