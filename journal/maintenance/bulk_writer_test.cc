// Copying a journal block by block.

#include "journal/maintenance/bulk_writer.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/format/beginning.h"
#include "journal/reader.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr size_t kBlockRecords = 2048;

class CopyBlocksTest : public testing::Test {
 protected:
  // Three large blocks, then 200 lone commands, then two large blocks and a half.
  CopyBlocksTest() : log_(RecordSource(11, 2).Take(5 * kBlockRecords + 200 + kBlockRecords / 2)) {
    const auto writer = Writer::Create(from_, TestMetadata(), TestUuid(), kTestCreated,
                                       {.block_records = kBlockRecords})
                            .value();
    for (size_t i = 0; i < log_.size(); ++i) {
      EXPECT_TRUE(writer->Append(log_[i].row, log_[i].attachment).ok());
      const bool is_lone = i >= 3 * kBlockRecords && i < 3 * kBlockRecords + 200;
      if (is_lone) {
        EXPECT_TRUE(writer->Sync().ok());
      }
    }
    log_digest_ = writer->log_digest();
    EXPECT_TRUE(writer->Close().ok());
  }

  // Copies the records from `first` to `last`.
  void Copy(SequenceNumber first, SequenceNumber last) {
    const auto reader = Reader::Open(from_).value();
    ASSERT_TRUE(reader->SeekToSequence(first).ok());
    BulkOrigin origin = {.journal_uuid = TestUuid(), .first_sequence = first};
    if (first != SequenceNumber::First()) {
      origin.segment_index = 1;
      ASSERT_TRUE(WriteBeginning(to_, {.journal_uuid = TestUuid(),
                                       .segment_index = 1,
                                       .first_sequence = first,
                                       .reason = "a test"})
                      .ok());
    }
    const auto writer = BulkWriter::Create(to_, origin, {.zstd_level = 1}).value();
    const absl::Status copied = CopyBlocks(*reader, last, *writer, [](SequenceNumber) {});
    ASSERT_TRUE(copied.ok()) << copied;
    EXPECT_EQ(writer->next_sequence(), last.Next());
    ASSERT_TRUE(writer->Close().ok());
    if (first == SequenceNumber::First() && last.value() == log_.size()) {
      EXPECT_EQ(writer->log_digest(), log_digest_);
    }
  }

  // The payloads as stored, with the number of records of each.
  static std::vector<std::pair<uint32_t, std::vector<std::byte>>> Blocks(
      const Directory& directory) {
    std::vector<std::pair<uint32_t, std::vector<std::byte>>> blocks;
    const auto reader = Reader::Open(directory).value();
    TakenBlock block;
    while (reader->TakeBlock(block).value()) {
      const engine::Bytes payload = block.payload();
      blocks.emplace_back(block.header().record_count, std::vector(payload.begin(), payload.end()));
    }
    return blocks;
  }

  MemoryDirectory from_;
  MemoryDirectory to_;
  std::vector<OwnedRecord> log_;
  engine::Digest log_digest_;
};

TEST_F(CopyBlocksTest, KeepsLargeBlocksAsTheyAreStored) {
  Copy(SequenceNumber::First(), SequenceNumber(log_.size()));
  EXPECT_EQ(Verify(to_, {.deep = true}).value().verdict, Verdict::kClean);
  EXPECT_EQ(ReadJournal(to_).records, log_);
  const auto before = Blocks(from_);
  const auto after = Blocks(to_);
  ASSERT_EQ(before.size(), 3 + 200 + 3u);
  ASSERT_EQ(after.size(), 3 + 1 + 3u) << "the lone commands are one block";
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(after[i], before[i]);
    EXPECT_EQ(after[after.size() - 1 - i], before[before.size() - 1 - i]);
  }
}

TEST_F(CopyBlocksTest, CutsTheBlocksAtBothEnds) {
  const SequenceNumber first(100);
  const SequenceNumber last(2 * kBlockRecords + 7);
  Copy(first, last);
  const auto copied = Blocks(to_);
  const auto before = Blocks(from_);
  ASSERT_EQ(copied.size(), 3u);
  EXPECT_EQ(copied[0].first, kBlockRecords - 99);
  EXPECT_EQ(copied[1], before[1]);
  EXPECT_EQ(copied[2].first, 7u);
}

}  // namespace
}  // namespace journal
