#include "engine/base/bytes.h"

#include <array>
#include <cstdint>

#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr std::array<std::byte, 8> kBytes = {std::byte{0x01}, std::byte{0x02}, std::byte{0x03},
                                             std::byte{0x04}, std::byte{0xfc}, std::byte{0xfd},
                                             std::byte{0xfe}, std::byte{0xff}};

TEST(Bytes, LoadsBothOrders) {
  EXPECT_EQ(LoadLittleEndian<uint16_t>(kBytes.data()), 0x0201);
  EXPECT_EQ(LoadBigEndian<uint16_t>(kBytes.data()), 0x0102);
  EXPECT_EQ(LoadBigEndian<uint32_t>(kBytes.data()), 0x01020304u);
  EXPECT_EQ(LoadBigEndian<uint64_t>(kBytes.data()), 0x01020304fcfdfeffu);
  EXPECT_EQ(LoadBigEndian<uint8_t>(kBytes.data()), 1);
}

TEST(Bytes, StoresWhatItLoads) {
  std::array<std::byte, 8> copy = {};
  StoreLittleEndian(LoadLittleEndian<uint64_t>(kBytes.data()), copy.data());
  EXPECT_EQ(copy, kBytes);
}

TEST(Bytes, HexIsLowerCase) { EXPECT_EQ(ToHex(kBytes), "01020304fcfdfeff"); }

}  // namespace
}  // namespace engine
