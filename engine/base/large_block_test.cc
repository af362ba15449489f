#include "engine/base/large_block.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(LargeBlock, IsAlignedToALineAndWritable) {
  constexpr size_t kHugePage = size_t{2} << 20;
  for (const size_t bytes : {size_t{1}, size_t{64}, size_t{100'000}, kHugePage - 1, kHugePage,
                             2 * kHugePage + 1, 4 * kHugePage}) {
    const LargeBlock block = NewLargeBlock(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.get()) % 64, 0u) << bytes;
    std::memset(block.get(), 0x5a, bytes);
    EXPECT_EQ(block[bytes - 1], std::byte{0x5a});
  }
}

TEST(LargeBlock, ContainersGrowInThem) {
  std::vector<uint64_t, LargeAllocator<uint64_t>> numbers;
  constexpr uint64_t kCount = 1'000'000;
  for (uint64_t i = 0; i < kCount; ++i) numbers.push_back(i);
  std::vector<uint64_t, LargeAllocator<uint64_t>> moved = std::move(numbers);
  for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(moved[i], i);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(moved.data()) % 64, 0u);
}

}  // namespace
}  // namespace engine
