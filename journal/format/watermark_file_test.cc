#include "journal/format/watermark_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/format/format.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

Watermark Sample() {
  return {.journal_uuid = TestUuid(),
          .incarnation = 3,
          .durable_block = 70,
          .durable_sequence = engine::SequenceNumber(7001)};
}

TEST(WatermarkFileTest, HasTheLastWrittenValue) {
  MemoryDirectory directory;
  EXPECT_TRUE(absl::IsNotFound(ReadWatermark(directory).status()));
  WatermarkFile file(directory);
  ASSERT_TRUE(file.Write({}).ok());
  ASSERT_TRUE(file.Write(Sample()).ok());
  EXPECT_EQ(ReadWatermark(directory).value(), Sample());
  ASSERT_TRUE(file.Remove().ok());
  EXPECT_TRUE(absl::IsNotFound(ReadWatermark(directory).status()));
}

TEST(WatermarkFileTest, IsTakenOverFromAnEarlierWriter) {
  MemoryDirectory directory;
  ASSERT_TRUE(WatermarkFile(directory).Write({}).ok());
  WatermarkFile later(directory);
  ASSERT_TRUE(later.Remove().ok()) << "not its own";
  EXPECT_TRUE(ReadWatermark(directory).ok());
  ASSERT_TRUE(later.Write(Sample()).ok());
  EXPECT_EQ(ReadWatermark(directory).value(), Sample());
}

// FORMAT.md, section 13.
TEST(WatermarkFileTest, HasTheBytesOfTheDocument) {
  MemoryDirectory directory;
  ASSERT_TRUE(WatermarkFile(directory).Write(Sample()).ok());
  const std::vector<std::byte> bytes = directory.Contents(kWatermarkFileName);
  ASSERT_EQ(bytes.size(), 64u);
  EXPECT_EQ(engine::AsText(engine::Bytes(bytes).first(8)), "TTWMARK1");
  EXPECT_TRUE(std::equal(&bytes[8], &bytes[24], TestUuid().bytes.begin()));
  EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[24]), 3u);
  EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[32]), 70u);
  EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[40]), 7001u);
  EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[48]), 0u);
  EXPECT_EQ(engine::LoadLittleEndian<uint64_t>(&bytes[56]), Hash64(engine::Bytes(bytes).first(56)));
}

TEST(WatermarkFileTest, IsIgnoredUnlessItIsWhole) {
  MemoryDirectory directory;
  ASSERT_TRUE(WatermarkFile(directory).Write(Sample()).ok());
  const std::vector<std::byte> whole = directory.Contents(kWatermarkFileName);
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::vector<std::byte> bytes = whole;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    directory.SetContents(kWatermarkFileName, bytes);
    EXPECT_TRUE(absl::IsDataLoss(ReadWatermark(directory).status())) << bit;
  }
  for (size_t size = 0; size < whole.size(); ++size) {
    directory.SetContents(kWatermarkFileName, {&whole[0], &whole[0] + size});
    EXPECT_TRUE(absl::IsDataLoss(ReadWatermark(directory).status())) << size;
  }
}

}  // namespace
}  // namespace journal
