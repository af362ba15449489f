#include "journal/format/preamble.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

Preamble SomePreamble() {
  Preamble preamble;
  preamble.journal_uuid = TestUuid();
  preamble.segment_uuid = DeriveSegmentUuid(TestUuid(), 3, 1);
  preamble.segment_index = 3;
  preamble.first_sequence = engine::SequenceNumber(4000);
  preamble.first_block = 17;
  preamble.incarnation = 1;
  preamble.previous_block_hash = 0xabcdef;
  preamble.log_chain = {.low = 1, .high = 2};
  preamble.created = engine::Timestamp::FromNanos(77);
  preamble.previous_timestamp = engine::Timestamp::FromNanos(66);
  preamble.metadata = TestMetadata();
  return preamble;
}

class PreambleTest : public ::testing::Test {
 protected:
  PreambleTest() { bytes_ = EncodePreamble(preamble_).value(); }

  absl::StatusOr<PreambleRead> Read() {
    directory_.SetContents("segment", bytes_);
    return ReadPreamble(*directory_.OpenForRead("segment").value());
  }

  // Sets a field of one copy and recomputes its hash.
  void Forge(size_t copy, size_t offset, uint16_t value) {
    const engine::MutableBytes page(bytes_.data() + copy * preamble_.copy_bytes,
                                    preamble_.copy_bytes);
    engine::StoreLittleEndian(value, page.data() + offset);
    std::fill_n(page.begin() + 240, 16, std::byte{0});
    const engine::Digest hash = engine::DigestOf(page);
    engine::StoreLittleEndian(hash.low, page.data() + 240);
    engine::StoreLittleEndian(hash.high, page.data() + 248);
  }

  Preamble preamble_ = SomePreamble();
  std::vector<std::byte> bytes_;
  MemoryDirectory directory_;
};

TEST_F(PreambleTest, IsReadAsWritten) {
  const auto read = Read();
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->preamble, preamble_);
  EXPECT_FALSE(read->copy_damaged);
  EXPECT_EQ(bytes_.size(), 2 * 4096u);
}

TEST_F(PreambleTest, EitherCopySuffices) {
  for (size_t byte = 0; byte < bytes_.size(); ++byte) {
    bytes_[byte] ^= std::byte{0x10};
    const auto read = Read();
    ASSERT_TRUE(read.ok()) << byte << ": " << read.status();
    ASSERT_EQ(read->preamble, preamble_);
    ASSERT_TRUE(read->copy_damaged);
    ASSERT_EQ(read->damaged_offset, byte / 4096 * 4096);
    bytes_[byte] ^= std::byte{0x10};
  }
}

TEST_F(PreambleTest, WithoutEitherCopyThereIsNone) {
  bytes_[10] ^= std::byte{1};
  bytes_[4096 + 300] ^= std::byte{1};
  EXPECT_TRUE(absl::IsDataLoss(Read().status()));
}

TEST_F(PreambleTest, EveryShorterFileHasOneCopyOrNone) {
  const std::vector<std::byte> whole = bytes_;
  for (size_t length = 0; length < whole.size(); length += 64) {
    bytes_.assign(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length));
    ASSERT_EQ(Read().ok(), length >= 4096) << length;
  }
}

TEST_F(PreambleTest, ANewerFormatIsNamedInTheError) {
  Forge(0, 12, 3);  // min_reader_minor
  Forge(1, 12, 3);
  const absl::Status newer_minor = Read().status();
  EXPECT_TRUE(absl::IsUnimplemented(newer_minor)) << newer_minor;
  EXPECT_TRUE(absl::StrContains(newer_minor.message(), "1.3 or newer; this build reads 1.2"));
  Forge(0, 8, 2);  // format_major
  Forge(1, 8, 2);
  EXPECT_TRUE(absl::IsUnimplemented(Read().status()));
}

TEST_F(PreambleTest, ANewerMinorWithoutARequirementIsRead) {
  Forge(0, 10, 9);
  Forge(1, 10, 9);
  const auto read = Read();
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->preamble.format_minor, 9);
}

TEST_F(PreambleTest, RowsOfAnotherLengthAreRefused) {
  Forge(0, 20, 72);
  Forge(1, 20, 72);
  EXPECT_FALSE(Read().ok());
}

TEST_F(PreambleTest, ALargeSchemaIsCompressedAndReadBack) {
  preamble_.metadata.row_schema.assign(300'000, std::byte{7});
  for (size_t i = 0; i < 300'000; i += 3) {
    preamble_.metadata.row_schema[i] = static_cast<std::byte>(i / 3000);
  }
  bytes_ = EncodePreamble(preamble_).value();
  EXPECT_LT(preamble_.copy_bytes, 64u << 10);
  EXPECT_GT(preamble_.copy_bytes, 0u);
  EXPECT_EQ(Read()->preamble, preamble_);
  std::fill_n(bytes_.begin(), 100, std::byte{0});
  EXPECT_EQ(Read()->preamble, preamble_) << "the second copy is found at any place";
}

TEST_F(PreambleTest, ATimeZoneIsReadBack) {
  for (const std::string& zone : {std::string("America/New_York"), std::string(40, 'z')}) {
    preamble_.metadata.time_zone = zone;
    bytes_ = EncodePreamble(preamble_).value();
    EXPECT_EQ(Read()->preamble, preamble_);
  }
  preamble_.metadata.time_zone += 'z';
  EXPECT_TRUE(absl::IsInvalidArgument(EncodePreamble(preamble_).status()));
  preamble_.metadata.time_zone = std::string("a\0b", 3);
  EXPECT_TRUE(absl::IsInvalidArgument(EncodePreamble(preamble_).status()));
}

TEST_F(PreambleTest, MetadataThatDoesNotFitIsRefused) {
  preamble_.metadata.created_by.assign(300'000, 'x');
  EXPECT_TRUE(absl::IsInvalidArgument(EncodePreamble(preamble_).status()));
}

}  // namespace
}  // namespace journal
