#include "journal/format/segment_index.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

constexpr uint64_t kSeed = 77;
constexpr uint64_t kOffset = 5 * 4096;

SegmentIndex SomeIndex() {
  SegmentIndex index;
  index.blocks = {{.number = 3,
                   .offset = 2 * 4096,
                   .first_sequence = SequenceNumber(10),
                   .first_timestamp = Timestamp::FromNanos(100),
                   .last_timestamp = Timestamp::FromNanos(110),
                   .record_count = 4,
                   .stored_bytes = 4096},
                  {.number = 5,
                   .offset = 3 * 4096,
                   .first_sequence = SequenceNumber(14),
                   .first_timestamp = Timestamp::FromNanos(110),
                   .last_timestamp = Timestamp::FromNanos(120),
                   .record_count = 6,
                   .stored_bytes = 8192}};
  index.end = {.next_block = 7,
               .next_sequence = SequenceNumber(20),
               .last_timestamp = Timestamp::FromNanos(120),
               .last_block_hash = 0x1234,
               .incarnation = 2};
  index.digests = {.log = {.low = 1, .high = 2}, .chain = {.low = 3, .high = 4}};
  index.raw_bytes = 5000;
  return index;
}

// A file that ends with `footer`, which begins at `offset`.
absl::StatusOr<FooterRead> ReadBack(const std::vector<std::byte>& footer, uint64_t seed = kSeed,
                                    uint64_t offset = kOffset) {
  std::vector<std::byte> bytes(offset);
  bytes.insert(bytes.end(), footer.begin(), footer.end());
  MemoryDirectory directory;
  directory.SetContents("segment", bytes);
  return ReadFooter(*directory.OpenForRead("segment").value(), bytes.size(), seed);
}

bool IsAccepted(const std::function<void(SegmentIndex&)>& change) {
  SegmentIndex index = SomeIndex();
  change(index);
  return ReadBack(EncodeFooter(index, kOffset, kSeed)).ok();
}

TEST(SegmentIndex, IsReadAsWritten) {
  const std::vector<std::byte> footer = EncodeFooter(SomeIndex(), kOffset, kSeed);
  EXPECT_EQ(footer.size(), 4096u);
  const auto read = ReadBack(footer);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->index, SomeIndex());
  EXPECT_EQ(read->offset, kOffset);
}

TEST(SegmentIndex, NoFlippedBitIsAccepted) {
  std::vector<std::byte> footer = EncodeFooter(SomeIndex(), kOffset, kSeed);
  for (size_t byte = 0; byte < footer.size(); ++byte) {
    footer[byte] ^= static_cast<std::byte>(1 << byte % 8);
    ASSERT_FALSE(ReadBack(footer).ok()) << byte;
    footer[byte] ^= static_cast<std::byte>(1 << byte % 8);
  }
}

TEST(SegmentIndex, OfAnotherSegmentIsRefused) {
  EXPECT_FALSE(ReadBack(EncodeFooter(SomeIndex(), kOffset, kSeed), kSeed + 1).ok());
}

TEST(SegmentIndex, MustEndTheFile) {
  std::vector<std::byte> footer = EncodeFooter(SomeIndex(), kOffset, kSeed);
  footer.resize(footer.size() + 4096);
  EXPECT_TRUE(absl::IsNotFound(ReadBack(footer).status()));
  footer.resize(footer.size() - 4096 - 1);
  EXPECT_TRUE(absl::IsNotFound(ReadBack(footer).status()));
  EXPECT_TRUE(absl::IsNotFound(ReadBack({}).status()));
}

TEST(SegmentIndex, EntriesOutOfPlaceAreRefusedEvenWithAValidHash) {
  EXPECT_TRUE(IsAccepted([](SegmentIndex&) {}));
  EXPECT_TRUE(IsAccepted([](SegmentIndex& index) { index.blocks.clear(); }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[1].offset += 1; }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[1].offset = kOffset; }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[0].stored_bytes = 3 * 4096; }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[1].record_count = 7; }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[0].record_count = 0; }));
  EXPECT_FALSE(IsAccepted([](SegmentIndex& index) { index.blocks[0].record_count = 3; }));
  EXPECT_FALSE(
      IsAccepted([](SegmentIndex& index) { index.end.next_sequence = SequenceNumber(21); }));
  EXPECT_FALSE(IsAccepted(
      [](SegmentIndex& index) { index.blocks[0].last_timestamp = Timestamp::FromNanos(99); }));
}

TEST(SegmentIndex, AnIndexOfManyBlocksTakesMorePages) {
  constexpr uint64_t kBlocks = 1000;
  constexpr uint64_t kFooterOffset = (2 + kBlocks + 1) * 4096;
  SegmentIndex index = SomeIndex();
  index.blocks.clear();
  for (uint64_t i = 0; i < kBlocks; ++i) {
    index.blocks.push_back({.number = i,
                            .offset = (2 + i) * 4096,
                            .first_sequence = SequenceNumber(i + 1),
                            .first_timestamp = Timestamp::FromNanos(120),
                            .last_timestamp = Timestamp::FromNanos(120),
                            .record_count = 1,
                            .stored_bytes = 4096});
  }
  index.end.next_sequence = SequenceNumber(kBlocks + 1);
  const std::vector<std::byte> footer = EncodeFooter(index, kFooterOffset, kSeed);
  EXPECT_GT(footer.size(), 40'000u);
  EXPECT_EQ(ReadBack(footer, kSeed, kFooterOffset)->index, index);
}

}  // namespace
}  // namespace journal
