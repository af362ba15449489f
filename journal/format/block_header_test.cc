#include "journal/format/block_header.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"

namespace journal {
namespace {

constexpr uint64_t kSeed = 42;

BlockHeader DataHeader() {
  BlockHeader header;
  header.incarnation = 3;
  header.block_number = 9;
  header.first_sequence = 100;
  header.record_count = 2;
  header.payload_bytes = 168;
  header.raw_bytes = 168;
  header.first_timestamp = 5;
  header.last_timestamp = 6;
  header.durable_block = 7;
  header.durable_sequence = 90;
  header.previous_block_hash = 0x1111;
  header.payload_hash = 0x2222;
  SignBlockHeader(header, kSeed);
  return header;
}

bool Parses(BlockHeader header) {
  SignBlockHeader(header, kSeed);
  return ParseBlockHeader(engine::AsBytes(header), kSeed).ok();
}

bool ParsesWith(const std::function<void(BlockHeader&)>& change) {
  BlockHeader header = DataHeader();
  change(header);
  return Parses(header);
}

TEST(BlockHeader, IsReadAsWritten) {
  const BlockHeader header = DataHeader();
  const auto parsed = ParseBlockHeader(engine::AsBytes(header), kSeed);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(std::memcmp(&*parsed, &header, sizeof(header)), 0);
}

TEST(BlockHeader, NoFlippedBitIsAccepted) {
  const BlockHeader header = DataHeader();
  for (size_t bit = 0; bit < sizeof(header) * 8; ++bit) {
    std::array<std::byte, sizeof(header)> bytes;
    std::memcpy(bytes.data(), &header, sizeof(header));
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_FALSE(ParseBlockHeader(bytes, kSeed).ok()) << bit;
  }
}

TEST(BlockHeader, OfAnotherSegmentIsRefused) {
  EXPECT_FALSE(ParseBlockHeader(engine::AsBytes(DataHeader()), kSeed + 1).ok());
}

TEST(BlockHeader, ZerosAreNoBlock) {
  const std::vector<std::byte> zeros(4096);
  EXPECT_FALSE(ParseBlockHeader(zeros, 0).ok());
  EXPECT_FALSE(ParseBlockHeader(engine::Bytes(zeros).first(127), 0).ok());
  EXPECT_FALSE(ParseBlockHeader({}, 0).ok());
}

TEST(BlockHeader, LengthsAreBoundedEvenWithAValidHash) {
  EXPECT_TRUE(ParsesWith([](BlockHeader&) {}));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.record_count = 0; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.record_count = kBlockRecordsMax + 1; }));
  EXPECT_FALSE(
      ParsesWith([](BlockHeader& h) { h.raw_bytes = h.payload_bytes = kRawBytesMax + 8; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.payload_bytes = h.raw_bytes + 1; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) {
    h.codec = Codec::kZstd;
    h.payload_bytes = h.raw_bytes;
  }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) {
    h.transform = Transform::kColumns;
    h.record_count = 3;
  }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.first_sequence = UINT64_MAX - 1; }));
}

TEST(BlockHeader, UnknownKindsCodecsAndReservedBitsAreRefused) {
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.kind = static_cast<BlockKind>(0); }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.kind = static_cast<BlockKind>(6); }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.codec = static_cast<Codec>(2); }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.transform = static_cast<Transform>(2); }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.delta_mask = 1; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.header_bytes = 256; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.reserved_a = 1; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.reserved_b = 1; }));
}

TEST(BlockHeader, OnlyASealReplacesAnother) {
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.replaced_block = 1000; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.replaced_hash = 1; }));
  const auto seal = [](uint64_t replaced_block, uint64_t replaced_hash) {
    return ParsesWith([=](BlockHeader& h) {
      h.kind = BlockKind::kSeal;
      h.record_count = h.payload_bytes = h.raw_bytes = 0;
      h.replaced_block = replaced_block == 1 ? h.block_number : replaced_block;
      h.replaced_hash = replaced_hash;
    });
  };
  EXPECT_TRUE(seal(0, 0)) << "none";
  EXPECT_TRUE(seal(1, 17)) << "the one with its own number";
  EXPECT_TRUE(seal(UINT64_MAX - 1, 17));
  EXPECT_FALSE(seal(0, 17)) << "a hash without a number";
  EXPECT_FALSE(seal(2, 17)) << "one before it";
  EXPECT_FALSE(seal(UINT64_MAX, 17)) << "there is no larger number";
}

TEST(BlockHeader, OnlyAControlBlockHasAControlField) {
  const auto control = [](uint64_t word) {
    return ParsesWith([word](BlockHeader& h) {
      h.kind = BlockKind::kControl;
      h.record_count = h.payload_bytes = h.raw_bytes = 0;
      h.control = word;
    });
  };
  EXPECT_TRUE(control(EncodeAckPolicyChange(AckPolicy::kDisk, AckPolicy::kNone)));
  EXPECT_FALSE(control(0)) << "no subject";
  EXPECT_FALSE(control(2)) << "an unknown subject";
  EXPECT_FALSE(control(1 | 3 << 8)) << "an unknown policy before";
  EXPECT_FALSE(control(1 | 3 << 16)) << "an unknown policy after";
  EXPECT_FALSE(control(1 | 1 << 24)) << "bits without a meaning";
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.control = 1; }));
}

TEST(BlockHeader, NoBlockMarksItselfOrLaterOnesAsDurable) {
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.durable_block = h.block_number; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.durable_sequence = h.first_sequence; }));
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.first_timestamp = 7; }));
}

TEST(BlockHeader, OnlyDataBlocksHaveRecords) {
  EXPECT_FALSE(ParsesWith([](BlockHeader& h) { h.kind = BlockKind::kSeal; }));
  EXPECT_TRUE(ParsesWith([](BlockHeader& h) {
    h.kind = BlockKind::kSeal;
    h.record_count = h.payload_bytes = h.raw_bytes = 0;
  }));
}

}  // namespace
}  // namespace journal
