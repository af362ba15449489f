#include "engine/base/copy_past_caches.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/large_block.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Line = std::array<uint64_t, 8>;

Line LineOf(uint64_t number) {
  Line line;
  for (uint64_t& word : line) word = 8 * number + static_cast<uint64_t>(&word - line.data());
  return line;
}

TEST(CopyPastCaches, CopiesEveryLineAndNoOther) {
  for (const size_t count : {0u, 1u, 2u, 17u, 1000u}) {
    std::vector<Line> from;
    for (size_t i = 0; i < count; ++i) from.push_back(LineOf(i));
    std::vector<Line, LargeAllocator<Line>> to(count + 2, LineOf(~uint64_t{0} / 8));
    CopyPastCaches(from.data(), count, to.data() + 1);
    EXPECT_EQ(to.front(), LineOf(~uint64_t{0} / 8));
    EXPECT_EQ(to.back(), LineOf(~uint64_t{0} / 8));
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(to[i + 1], LineOf(i)) << i << " of " << count;
  }
}

TEST(CopyPastCaches, AcceptsLinesThatBeginAnywhere) {
  std::vector<uint64_t> from(17);
  for (size_t i = 0; i < from.size(); ++i) from[i] = i;
  std::vector<Line, LargeAllocator<Line>> to(2);
  CopyPastCaches(reinterpret_cast<const Line*>(from.data() + 1), 2, to.data());
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(to[i / 8][i % 8], i + 1);
}

}  // namespace
}  // namespace engine
