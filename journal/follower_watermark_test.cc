// How a follower uses `watermark`, the file that reports immediately what is durable: in every
// state of the file, by this journal's writers and by others.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/follower.h"
#include "journal/format/watermark_file.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/uuid.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr char kFirstSegment[] = "segment-000000.tape";

WriterOptions SmallSegments() { return {.segment_bytes = 64 << 10, .block_records = 40}; }

std::unique_ptr<Follower> Follow(const Directory& directory, FollowOptions options = {}) {
  return Follower::Open(directory, options).value();
}

// The numbers of what can be shown now.
uint64_t CountShown(Follower& follower) {
  uint64_t count = 0;
  while (true) {
    const absl::StatusOr<Batch> batch = follower.Poll();
    EXPECT_TRUE(batch.ok()) << batch.status();
    if (!batch.ok() || batch->empty()) return count;
    count += batch->rows.size();
  }
}

class FollowerWatermark : public ::testing::Test {
 protected:
  std::unique_ptr<Writer> Begin() {
    return Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, SmallSegments())
        .value();
  }
  std::unique_ptr<Writer> Continue(Directory& directory) {
    return Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, SmallSegments())
        .value();
  }
  void Append(Writer& writer, size_t count) { AppendAll(writer, source_.Take(count)); }
  void AppendDurably(Writer& writer, size_t count) {
    Append(writer, count);
    ASSERT_TRUE(writer.Sync().ok());
    ASSERT_TRUE(writer.writing_half().MarkOne());
  }

  RecordSource source_{3, 5};
  MemoryDirectory directory_;
};

TEST_F(FollowerWatermark, ShowsALoneDurableRecordBeforeTheNextBlock) {
  const auto writer = Begin();
  const auto follower = Follow(directory_);
  Append(*writer, 1);
  ASSERT_TRUE(writer->Sync().ok());
  EXPECT_EQ(CountShown(*follower), 0u) << "not in `watermark` yet";
  ASSERT_TRUE(writer->writing_half().MarkOne());
  EXPECT_EQ(CountShown(*follower), 1u);
  EXPECT_EQ(follower->durable_sequence(), SequenceNumber(1));
  EXPECT_FALSE(writer->writing_half().MarkOne()) << "published already";
}

TEST_F(FollowerWatermark, ShowsNothingThatIsOnlyWritten) {
  const auto writer = Begin();
  const auto follower = Follow(directory_);
  AppendDurably(*writer, 100);
  Append(*writer, 100);
  ASSERT_TRUE(writer->Write().ok());
  EXPECT_FALSE(writer->writing_half().MarkOne());
  EXPECT_EQ(CountShown(*follower), 100u);
}

TEST_F(FollowerWatermark, ContinuesAcrossSegmentsAndWriters) {
  auto writer = Begin();
  const auto follower = Follow(directory_);
  for (int life = 0; life < 3; ++life) {
    for (int group = 0; group < 30; ++group) {
      AppendDurably(*writer, 170);
      EXPECT_EQ(CountShown(*follower), 170u);
    }
    writer.reset();
    writer = Continue(directory_);
  }
  EXPECT_GT(directory_.List()->size(), 6u) << "several segments";
}

TEST_F(FollowerWatermark, IsRemovedWhenTheJournalIsClosed) {
  const auto writer = Begin();
  AppendDurably(*writer, 1);
  ASSERT_TRUE(ReadWatermark(directory_).ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_TRUE(absl::IsNotFound(ReadWatermark(directory_).status()));
}

TEST_F(FollowerWatermark, OfAnotherJournalOrIncompleteIsIgnored) {
  const auto writer = Begin();
  AppendDurably(*writer, 40);
  Append(*writer, 40);
  ASSERT_TRUE(writer->Write().ok());
  const auto follower = Follow(directory_);
  const Watermark all = {.journal_uuid = TestUuid(), .incarnation = 0, .durable_block = 1000};
  Watermark others = all;
  others.journal_uuid = Uuid::FromWords(8, 9);
  ASSERT_TRUE(WatermarkFile(directory_).Write(others).ok());
  EXPECT_EQ(CountShown(*follower), 40u) << "the second block marks the first";
  ASSERT_TRUE(WatermarkFile(directory_).Write(all).ok());
  std::vector<std::byte> torn = directory_.Contents(kWatermarkFileName);
  torn[40] ^= std::byte{1};
  directory_.SetContents(kWatermarkFileName, torn);
  EXPECT_EQ(CountShown(*follower), 0u);
  directory_.SetContents(kWatermarkFileName, {});
  EXPECT_EQ(CountShown(*follower), 0u);
}

// cp may copy a file that is ahead of the copied segments. A writer that continues the copy
// writes blocks with the same numbers, to which the file does not apply.
TEST_F(FollowerWatermark, OfACopyDoesNotApplyToAnotherWritersBlocks) {
  const auto writer = Begin();
  AppendDurably(*writer, 200);
  auto mixed = directory_.Snapshot();
  const std::vector<OwnedRecord> more = source_.Take(400);
  AppendAll(*writer, more);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->writing_half().MarkOne());
  mixed[kWatermarkFileName] = directory_.Contents(kWatermarkFileName);
  const auto copy = MemoryDirectory::FromSnapshot(mixed);
  const auto later = Continue(*copy);
  AppendAll(*later, {more.begin(), more.begin() + 80});
  ASSERT_TRUE(later->Write().ok());
  const auto follower = Follow(*copy);
  EXPECT_EQ(CountShown(*follower), 200u) << "the rest is not durable";
  ASSERT_TRUE(later->Sync().ok());
  ASSERT_TRUE(later->writing_half().MarkOne());
  EXPECT_EQ(CountShown(*follower), 80u);
}

// If a copier or a network file system brings the file before the block, the block is late and not
// damaged.
TEST_F(FollowerWatermark, ThatIsAheadOfTheBlocksIsNoError) {
  const auto writer = Begin();
  AppendDurably(*writer, 40);
  const std::vector<std::byte> without = directory_.Contents(kFirstSegment);
  AppendDurably(*writer, 40);
  const std::vector<std::byte> whole = directory_.Contents(kFirstSegment);
  const auto follower = Follow(directory_);
  for (size_t size = without.size(); size < whole.size(); size += 512) {
    std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    part.resize(whole.size());
    directory_.SetContents(kFirstSegment, part);
    CountShown(*follower);
  }
  directory_.SetContents(kFirstSegment, whole);
  CountShown(*follower);
  EXPECT_EQ(follower->next_sequence(), SequenceNumber(81));
}

// A sync fails, the system drops the page, and the next writer puts another block in its place:
// a follower that read the page before shows what is there now.
TEST_F(FollowerWatermark, WhatWasReadBeforeItWasDurableIsReadAgain) {
  auto writer = Begin();
  AppendDurably(*writer, 80);
  const std::vector<std::byte> durable = directory_.Contents(kFirstSegment);
  std::vector<OwnedRecord> records = source_.Take(40);
  AppendAll(*writer, records);
  ASSERT_TRUE(writer->Write().ok());
  const auto follower = Follow(directory_);
  EXPECT_EQ(CountShown(*follower), 80u) << "and the third block was read with them";
  writer.reset();
  directory_.SetContents(kFirstSegment, durable);
  writer = Continue(directory_);
  for (OwnedRecord& record : records) record.row.payload[47] ^= std::byte{1};
  AppendAll(*writer, records);
  ASSERT_TRUE(writer->Sync().ok());
  ASSERT_TRUE(writer->Heartbeat().ok());
  const absl::StatusOr<Batch> batch = follower->Poll();
  ASSERT_TRUE(batch.ok()) << batch.status();
  ASSERT_EQ(batch->rows.size(), records.size());
  EXPECT_EQ(batch->rows[0], records[0].row);
}

}  // namespace
}  // namespace journal
