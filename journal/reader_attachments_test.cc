// Reading only the blocks that have attachments.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/journal_test_base.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr size_t kRecords = 4000;
constexpr size_t kBlockRecords = 50;
constexpr SequenceNumber kEnd = SequenceNumber(UINT64_MAX);

class ReaderAttachmentsTest : public JournalTest {
 protected:
  // Gives the records with these numbers an attachment, and no other.
  void Write(const std::vector<uint64_t>& with_attachment) {
    log_ = RecordSource(3).Take(kRecords);
    for (const uint64_t number : with_attachment) {
      log_[number - 1].attachment = {std::byte{7}, static_cast<std::byte>(number % 251)};
    }
    const auto writer = Create({.segment_bytes = 256 << 10, .block_records = kBlockRecords});
    AppendAll(*writer, log_);
    ASSERT_TRUE(writer->Close().ok());
  }

  // The numbers of the records whose attachments are returned.
  std::vector<uint64_t> Numbers(Reader& reader, SequenceNumber end) {
    std::vector<uint64_t> numbers;
    while (true) {
      const absl::StatusOr<Batch> batch = reader.NextBatchWithAttachments(end);
      EXPECT_TRUE(batch.ok()) << batch.status();
      if (!batch.ok() || batch->empty()) return numbers;
      for (const AttachmentView& attachment : batch->attachments) {
        const uint64_t number = attachment.sequence.value();
        numbers.push_back(number);
        EXPECT_EQ(std::vector(attachment.bytes.begin(), attachment.bytes.end()),
                  log_[number - 1].attachment);
      }
    }
  }

  void FlipByte(const SegmentInfo& segment, uint64_t offset) {
    const auto file = directory_.OpenForWrite(segment.file_name).value();
    std::byte byte = {};
    ASSERT_EQ(file->Read(offset, {&byte, 1}).value(), 1u);
    byte ^= std::byte{1};
    ASSERT_TRUE(file->Write(offset, {&byte, 1}).ok());
  }

  std::vector<OwnedRecord> log_;
};

TEST_F(ReaderAttachmentsTest, ReturnsEveryAttachmentBeforeTheEnd) {
  Write({1, 2, 50, 51, 700, 3999});
  const auto reader = Reader::Open(directory_).value();
  EXPECT_EQ(Numbers(*reader, kEnd), (std::vector<uint64_t>{1, 2, 50, 51, 700, 3999}));
  EXPECT_TRUE(reader->NextBatchWithAttachments(kEnd).value().empty()) << "the end";

  // The block in which the end lies is returned whole.
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(1)).ok());
  EXPECT_EQ(Numbers(*reader, SequenceNumber(52)), (std::vector<uint64_t>{1, 2, 50, 51}));
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(1)).ok());
  EXPECT_EQ(Numbers(*reader, SequenceNumber(51)), (std::vector<uint64_t>{1, 2, 50}));
}

TEST_F(ReaderAttachmentsTest, BeginsWhereTheReaderIs) {
  Write({1, 60, 80, 700});
  const auto reader = Reader::Open(directory_).value();
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(70)).ok());
  EXPECT_EQ(Numbers(*reader, kEnd), (std::vector<uint64_t>{80, 700}));
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(90)).ok());
  const Batch batch = reader->NextBatchWithAttachments(kEnd).value();
  ASSERT_FALSE(batch.empty());
  EXPECT_EQ(batch.rows.front().sequence, SequenceNumber(651));
  EXPECT_EQ(batch.rows.size(), kBlockRecords);
  EXPECT_EQ((*reader->Next())->sequence(), SequenceNumber(701)) << "the records after it";
}

TEST_F(ReaderAttachmentsTest, ReadsOnlyTheHeadersOfOtherBlocks) {
  Write({1});
  const HookedDirectory counted(directory_, [] {});
  const auto reader = Reader::Open(counted).value();
  uint64_t blocks = 0;
  for (const SegmentInfo& segment : reader->info().segments) blocks += segment.block_count;
  ASSERT_EQ(blocks, kRecords / kBlockRecords);
  ASSERT_GT(reader->info().segments.size(), 1u);
  ASSERT_FALSE(reader->NextBatchWithAttachments(kEnd).value().empty());
  const uint64_t before = counted.bytes_read();
  EXPECT_TRUE(reader->NextBatchWithAttachments(kEnd).value().empty());
  // Also the preambles of the further segments.
  EXPECT_LT(counted.bytes_read() - before,
            blocks * 128 + (reader->info().segments.size() - 1) * 4 * 4096);
  // All payloads are at least this long.
  EXPECT_LT(counted.bytes_read() - before, blocks * 4096 / 4);
}

TEST_F(ReaderAttachmentsTest, ADamagedHeaderIsAnErrorAndADamagedPayloadIsNotSeen) {
  Write({1, 3900});
  const SegmentInfo first = Reader::Open(directory_).value()->info().segments.front();
  // The third block is after two preambles and two blocks.
  constexpr uint64_t kThird = 4 * 4096;
  FlipByte(first, kThird + 200);
  EXPECT_EQ(Numbers(*Reader::Open(directory_).value(), kEnd), (std::vector<uint64_t>{1, 3900}));
  FlipByte(first, kThird + 20);
  const auto reader = Reader::Open(directory_).value();
  absl::StatusOr<Batch> batch = reader->NextBatchWithAttachments(kEnd);
  while (batch.ok() && !batch->empty()) batch = reader->NextBatchWithAttachments(kEnd);
  EXPECT_EQ(batch.status().code(), absl::StatusCode::kDataLoss) << batch.status();
}

}  // namespace
}  // namespace journal
