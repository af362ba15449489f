// Space reserved ahead of use: zeros are no damage, and a full disk is found before a block needs
// it.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/format/preamble.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/write/segment_writer.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr char kSegment0[] = "segment-000000.tape";
constexpr char kSpare[] = "next.zeros";
constexpr uint64_t kMebi = 1 << 20;

class ReserveTest : public ::testing::Test {
 protected:
  ReserveTest() {
    options_.block_records = 64;
    options_.compression = Compression::kNone;
    options_.segment_bytes = 8 * kMebi;
    options_.reserve_bytes = 4 * kMebi;
  }

  void Begin() {
    writer_ = Writer::Create(faulty_, TestMetadata(), TestUuid(), kTestCreated, options_).value();
  }
  absl::Status Append(Writer::Space space = Writer::Space::kPlenty) {
    OwnedRecord record = source_.Next();
    record.row.sequence = writer_->next_sequence();
    record.row.timestamp = std::max(record.row.timestamp, writer_->last_timestamp());
    const absl::Status status = writer_->Append(record.row, record.attachment, space);
    if (status.ok()) log_.push_back(record);
    return status;
  }
  void AppendUntilRefused(Writer::Space space) {
    absl::Status status;
    while (status.ok()) status = Append(space);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_TRUE(absl::StrContains(status.message(), "the disk is full")) << status;
    EXPECT_TRUE(writer_->status().ok()) << "refused, not failed";
  }
  void ExpectAllReadable(Verdict verdict = Verdict::kClean) {
    EXPECT_EQ(Verify(directory_)->verdict, verdict);
    const ReadResult read = ReadJournal(directory_);
    EXPECT_TRUE(read.status.ok()) << read.status;
    EXPECT_TRUE(read.records == log_) << read.records.size() << " of " << log_.size();
  }

  WriterOptions options_;
  MemoryDirectory directory_;
  FaultyDirectory faulty_{directory_, {}};
  RecordSource source_{5};
  std::vector<OwnedRecord> log_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(ReserveTest, ZerosAheadAreTheEndOfTheJournalAndNoDamage) {
  Begin();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(writer_->Sync().ok());
  EXPECT_GE(directory_.Contents(kSegment0).size(), 4 * kMebi);
  directory_.Kill();
  ExpectAllReadable();
  // The next writer continues after the last block.
  const auto again = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, options_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->next_sequence().value(), 1001u);
  EXPECT_EQ((*again)->recovery().bytes_set_aside, 0u);
}

TEST_F(ReserveTest, ASealedSegmentHasNoZerosLeft) {
  Begin();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_LT(directory_.Contents(kSegment0).size(), 64u << 10);
  EXPECT_EQ(directory_.List().value(), std::vector<std::string>{kSegment0});
  ExpectAllReadable();
}

TEST_F(ReserveTest, TheNextSegmentIsPreparedUnderAnotherName) {
  Begin();
  // Into the last half of the first segment, where its reserve continues in the next one.
  while (log_.size() * 64 < 6 * kMebi) ASSERT_TRUE(Append().ok());
  EXPECT_GE(directory_.Contents(kSpare).size(), kMebi);
  while (directory_.List().value().size() < 3) ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(writer_->Sync().ok());
  EXPECT_EQ(Verify(directory_)->segment_count, 2u);
  ExpectAllReadable();
  directory_.Kill();
  // The prepared file is emptied: its content is unknown.
  const auto again = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated);
  ASSERT_TRUE(again.ok()) << again.status();
  const std::vector<std::string> names = directory_.List().value();
  EXPECT_EQ(std::count(names.begin(), names.end(), kSpare), 0);
}

// A segment without a preamble that is longer than a preamble is damage to recovery.
TEST(Reserve, APreparedFileHasASegmentsNameOnlyOnceItsPreambleIsDurable) {
  bool failed = true;
  for (uint64_t call = 0; failed; ++call) {
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      SCOPED_TRACE(call * 100 + seed);  // Call, then seed.
      MemoryDirectory directory;
      directory.SetContents(kSpare, std::vector<std::byte>(kMebi));
      FaultyDirectory faulty(directory, {.failing_call = call + 1, .stays_broken = true});
      PreparedFile prepared{.file = faulty.OpenForWrite(kSpare).value(), .zero_bytes = kMebi};
      Preamble preamble;
      preamble.first_sequence = engine::SequenceNumber(1);
      preamble.first_block = 1;
      const absl::Status status =
          SegmentWriter::Create(faulty, preamble, std::move(prepared)).status();
      failed = faulty.has_failed();
      EXPECT_EQ(status.ok(), !failed);
      engine::Prng prng(seed);
      directory.Crash(prng);
      const auto segment = directory.OpenForRead(kSegment0);
      if (!segment.ok()) {
        EXPECT_TRUE(failed) << "it was started, and is missing";
        continue;
      }
      EXPECT_TRUE(ReadPreamble(**segment).ok());
    }
  }
}

TEST_F(ReserveTest, AFullDiskRefusesLosesNothingAndPassesUrgentRecordsUntilTheReserveIsUsedUp) {
  Begin();
  faulty_.SetFreeBytes(kMebi);
  AppendUntilRefused(Writer::Space::kPlenty);
  const size_t accepted = log_.size();
  ASSERT_TRUE(writer_->Sync().ok());
  ExpectAllReadable();

  ASSERT_TRUE(Append(Writer::Space::kReserve).ok());
  EXPECT_EQ(Append().code(), absl::StatusCode::kResourceExhausted);
  AppendUntilRefused(Writer::Space::kReserve);
  // 64-byte rows in blocks that take 8192 bytes for 64 of them: a quarter of the reserve is the
  // least that must have been used.
  EXPECT_GT(log_.size() - accepted, 4 * kMebi / 4 / 64);
  ASSERT_TRUE(writer_->Sync().ok());
  ExpectAllReadable();

  faulty_.SetFreeBytes(100 * kMebi);
  ASSERT_TRUE(Append().ok()) << "there is space again";
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(writer_->Close().ok());
  ExpectAllReadable();
}

TEST_F(ReserveTest, AFullDiskCanBeSealed) {
  Begin();
  faulty_.SetFreeBytes(0);
  AppendUntilRefused(Writer::Space::kPlenty);
  AppendUntilRefused(Writer::Space::kReserve);
  ASSERT_TRUE(writer_->Close().ok());
  ExpectAllReadable();
}

TEST_F(ReserveTest, AFullDiskThatStopsTheMachineIsRecovered) {
  Begin();
  faulty_.SetFreeBytes(0);
  AppendUntilRefused(Writer::Space::kReserve);
  ASSERT_TRUE(writer_->Sync().ok());
  directory_.CrashDroppingAll();
  ExpectAllReadable();
  const auto again = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, options_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->next_sequence().value(), log_.size() + 1);
}

TEST_F(ReserveTest, WithoutAReserveAFullDiskIsAFailureThatStays) {
  options_.reserve_bytes = 0;
  Begin();
  faulty_.SetFreeBytes(64 << 10);
  absl::Status status;
  while (status.ok()) status = Append();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(writer_->status(), status);
  faulty_.SetFreeBytes(100 * kMebi);
  EXPECT_EQ(Append(), status);
  EXPECT_EQ(writer_->Sync(), status);
}

TEST_F(ReserveTest, TooSmallAReserveIsRefused) {
  options_.reserve_bytes = 1;
  EXPECT_EQ(
      Writer::Create(faulty_, TestMetadata(), TestUuid(), kTestCreated, options_).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace journal
