#include "engine/base/large_block.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(LargeBlock, BeginsWhereALineBeginsAndIsAllThere) {
  constexpr size_t kHugePage = size_t{2} << 20;
  for (const size_t bytes : {size_t{1}, size_t{64}, size_t{100'000}, kHugePage - 1, kHugePage,
                             2 * kHugePage + 1, 4 * kHugePage}) {
    const LargeBlock block = NewLargeBlock(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.get()) % 64, 0u) << bytes;
    std::memset(block.get(), 0x5a, bytes);
    EXPECT_EQ(block[bytes - 1], std::byte{0x5a});
  }
}

}  // namespace
}  // namespace engine
