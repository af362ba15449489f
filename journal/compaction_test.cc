// Sealed segments of lone commands become short ones, and nothing else changes: compactor.h,
// archive.h, and the writing thread that does it in its pauses.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/finding.h"
#include "journal/follower.h"
#include "journal/format/block_header.h"
#include "journal/maintenance/archive.h"
#include "journal/reader.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/testing/stepped_halves.h"
#include "journal/verify.h"
#include "journal/write/compactor.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr char kSegment0[] = "segment-000000.tape";
constexpr CompactionOptions kSmall = {.zstd_level = 1, .block_records = 8};

const std::vector<OwnedRecord>& Log() {
  static const std::vector<OwnedRecord> log = FirstOfSmallLog(kLoneRecords);
  return log;
}

// "DATA 1 8, RECOVERY 6, …": the kinds of the blocks, each with its first record and its count.
std::string BlocksOf(const Directory& directory, const std::string& name) {
  const auto cursor = SegmentCursor::Open(directory, name).value();
  std::string text;
  while (cursor->Next().ok()) {
    const BlockHeader& header = cursor->header();
    constexpr const char* kNames[] = {"", "DATA", "HEARTBEAT", "SEAL", "RECOVERY", "CONTROL"};
    absl::StrAppend(&text, text.empty() ? "" : ", ", kNames[static_cast<int>(header.kind)], " ",
                    header.first_sequence);
    if (header.record_count != 0) absl::StrAppend(&text, " ", header.record_count);
    if (cursor->is_sealed()) break;
  }
  return text;
}

TEST(Compaction, KeepsTheRecordsTheDigestAndTheChainInLessThanHalfTheBytes) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  const auto before = Verify(*directory, {.deep = true}).value();
  const ArchiveReport report = Archive(*directory, kSmall).value();
  EXPECT_EQ(report.segment_count, 3u);
  ASSERT_EQ(report.compacted.size(), 2u);
  EXPECT_EQ(report.compacted[0].file_name, kSegment0);
  EXPECT_LE(2 * report.compacted[0].bytes_after, report.compacted[0].bytes_before);
  EXPECT_EQ(directory->Contents(kSegment0).size(), report.compacted[0].bytes_after);
  EXPECT_EQ(ReadJournal(*directory).records, Log());
  const auto after = Verify(*directory, {.deep = true}).value();
  EXPECT_EQ(after.verdict, Verdict::kClean);
  EXPECT_TRUE(after.findings.empty());
  EXPECT_EQ(after.log_digest, before.log_digest);
  EXPECT_EQ(after.last_sequence, before.last_sequence);
  EXPECT_EQ(after.durable_sequence, before.durable_sequence);

  // Compaction is done, and a writer continues after it.
  EXPECT_TRUE(Archive(*directory, kSmall).value().compacted.empty());
  directory->Kill();
  const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).value();
  EXPECT_EQ(writer->log_digest(), *before.log_digest);
}

TEST(Compaction, KeepsBlocksWithoutRecordsInTheirPlaces) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  const std::string name = "segment-000001.tape";
  EXPECT_TRUE(absl::StrContains(BlocksOf(*directory, kSegment0), "HEARTBEAT 6"));
  ASSERT_TRUE(Archive(*directory, kSmall).ok());
  EXPECT_TRUE(absl::StartsWith(BlocksOf(*directory, kSegment0), "DATA 1 5, RECOVERY 6, DATA 6 "))
      << BlocksOf(*directory, kSegment0);
  EXPECT_TRUE(absl::StrContains(BlocksOf(*directory, name), "CONTROL 15, DATA 15 "))
      << BlocksOf(*directory, name);
}

TEST(Compaction, OfAClosedJournalTakesItsLastSegmentToo) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  {
    const auto writer =
        Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks()).value();
    ASSERT_TRUE(writer->Close().ok());
  }
  ASSERT_EQ(Archive(*directory, kSmall).value().compacted.size(), 3u);
  EXPECT_EQ(ReadJournal(*directory).records, Log());
  const auto writer = Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated).value();
  const OwnedRecord& next = SmallLog()[kLoneRecords];
  ASSERT_TRUE(writer->Append(next.row, next.attachment).ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(ReadJournal(*directory).records, FirstOfSmallLog(kLoneRecords + 1));
  EXPECT_EQ(Verify(*directory, {.deep = true})->verdict, Verdict::kClean);
}

TEST(Compaction, OfFullBlocksChangesNothing) {
  MemoryDirectory directory;
  const auto writer = Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated).value();
  AppendAll(*writer, RecordSource(3).Take(9'000));
  ASSERT_TRUE(writer->Close().ok());
  const auto before = directory.Snapshot();
  EXPECT_TRUE(Archive(directory).value().compacted.empty());
  EXPECT_TRUE(directory.Snapshot() == before);
}

TEST(Compaction, OfADamagedJournalChangesNothing) {
  auto files = LoneRecords();
  files[kSegment0][4 * 4096 + 200] ^= std::byte{1};  // Inside a block: no index shows it.
  const auto directory = MemoryDirectory::FromSnapshot(files);
  EXPECT_TRUE(absl::IsDataLoss(Archive(*directory, kSmall).status()));
  EXPECT_TRUE(directory->Snapshot() == files);
}

TEST(Compaction, RemovesWhatAnEarlierOneLeft) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  directory->SetContents("compacted.part", std::vector<std::byte>(12345));
  EXPECT_EQ(ReadJournal(*directory).records, Log());
  EXPECT_EQ(Verify(*directory)->verdict, Verdict::kClean);
  ASSERT_TRUE(Archive(*directory, kSmall).ok());
  EXPECT_EQ(directory->Snapshot().count("compacted.part"), 0u);
  EXPECT_EQ(ReadJournal(*directory).records, Log());
}

TEST(Compaction, WaitsForOtherMaintenance) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  const auto files = directory->Snapshot();
  const auto lock = directory->LockForMaintenance().value();
  EXPECT_TRUE(absl::IsUnavailable(Archive(*directory, kSmall).status()));
  EXPECT_TRUE(directory->Snapshot() == files);
}

// Appends the records of `batch`.
void Take(const Batch& batch, std::vector<OwnedRecord>& to) {
  size_t attachment = 0;
  for (const Row& row : batch.rows) {
    Record record{.row = &row};
    if (attachment < batch.attachments.size() &&
        batch.attachments[attachment].sequence == row.sequence) {
      record.attachment = batch.attachments[attachment++].bytes;
    }
    to.push_back(OwnedRecord::Of(record));
  }
}

// Before each change that compaction makes, a reader looks; some readers started before compaction
// did.
TEST(Compaction, IsNotSeenByConcurrentReaders) {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  const auto follower = Follower::Open(*directory, {}).value();
  const auto reader = Reader::Open(*directory).value();
  std::vector<OwnedRecord> followed;
  std::vector<OwnedRecord> read;
  int looks = 0;
  HookedDirectory hooked(
      *directory, [] {},
      [&] {
        ++looks;
        Take(follower->Poll().value(), followed);
        Take(reader->NextBatch().value(), read);
        EXPECT_EQ(ReadJournal(*directory).records, Log());
        const auto report = Verify(*directory, {.deep = true}).value();
        EXPECT_EQ(report.verdict, Verdict::kClean);
        EXPECT_TRUE(report.findings.empty());
        std::vector<OwnedRecord> followed_now;
        const auto late = Follower::Open(*directory, {.from = SequenceNumber(7)}).value();
        for (Batch batch = late->Poll().value(); !batch.empty(); batch = late->Poll().value()) {
          Take(batch, followed_now);
        }
        EXPECT_EQ(followed_now, std::vector<OwnedRecord>(Log().begin() + 6, Log().end()));
      });
  ASSERT_EQ(Archive(hooked, kSmall).value().compacted.size(), 2u);
  EXPECT_GT(looks, 20);
  while (followed.size() < kLoneRecords) {
    const Batch batch = follower->Poll().value();
    ASSERT_FALSE(batch.empty());
    Take(batch, followed);
  }
  while (read.size() < kLoneRecords) Take(reader->NextBatch().value(), read);
  EXPECT_EQ(followed, Log());
  EXPECT_EQ(read, Log());
}

// A reader, and a verification, are overtaken before their n-th read of a file, for each n.
TEST(Compaction, OvertakesAReaderAtAnyReadWithoutHarm) {
  for (int overtaken_at = 0; overtaken_at < 40; ++overtaken_at) {
    const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
    int looks = 0;
    HookedDirectory hooked(*directory, [&] {
      if (looks++ != overtaken_at) return;
      ASSERT_TRUE(Archive(*directory, kSmall).ok());
    });
    if (overtaken_at % 2 == 0) {
      const ReadResult read = ReadJournal(hooked);
      EXPECT_TRUE(read.status.ok()) << overtaken_at << ": " << read.status;
      EXPECT_EQ(read.records, Log()) << overtaken_at;
    } else {
      const auto report = Verify(hooked, {.deep = true}).value();
      EXPECT_EQ(report.verdict, Verdict::kClean) << overtaken_at;
      EXPECT_TRUE(report.findings.empty()) << overtaken_at;
    }
  }
}

// The old index no longer has the places of the records.
TEST(Compaction, OvertakesAReaderThatSeeks) {
  for (uint64_t sequence = 1; sequence <= kLoneRecords; ++sequence) {
    const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
    const auto by_sequence = Reader::Open(*directory).value();
    const auto by_time = Reader::Open(*directory).value();
    const auto in_blocks = Reader::Open(*directory).value();
    ASSERT_TRUE(Archive(*directory, kSmall).ok());
    const OwnedRecord& expected = Log()[sequence - 1];
    ASSERT_TRUE(by_sequence->SeekToSequence(SequenceNumber(sequence)).ok());
    EXPECT_EQ(OwnedRecord::Of(**by_sequence->Next()), expected);
    ASSERT_TRUE(by_time->SeekToTime(expected.row.timestamp).ok());
    EXPECT_EQ((*by_time->Next())->row->timestamp, expected.row.timestamp);
    ASSERT_TRUE(in_blocks->SeekToSequence(SequenceNumber(sequence)).ok());
    TakenBlock block;
    ASSERT_TRUE(*in_blocks->TakeBlock(block));
  }
}

// ---- The writing thread

class CompactionWhileWriting : public ::testing::Test {
 protected:
  CompactionWhileWriting() {
    WriterOptions options;
    options.segment_bytes = 64 << 10;
    options.threads = halves_.threads();
    writer_ = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
    EXPECT_TRUE(writer_->SetAckPolicy(AckPolicy::kDisk).ok());
    halves_.Attach(*writer_);
  }

  // A lone command: a block of its own, written and synced.
  void AppendOne() {
    const OwnedRecord& record = SmallLog()[appended_++];
    ASSERT_TRUE(writer_->Append(record.row, record.attachment).ok());
    ASSERT_TRUE(writer_->HandOver().ok());
    ASSERT_TRUE(half().Work());
    ASSERT_EQ(writer_->acknowledged_sequence(), SequenceNumber(appended_));
    half().HeartbeatOne(now_);
  }
  BlockWriter& half() { return writer_->writing_half(); }

  MemoryDirectory directory_;
  SteppedHalves halves_{1};
  std::unique_ptr<Writer> writer_;
  uint64_t appended_ = 0;
  engine::SteadyTime now_ = engine::SteadyTime::FromNanos(1'000'000'000);
};

TEST_F(CompactionWhileWriting, IsDoneInStepsWhileNothingComes) {
  for (int i = 0; i < 60; ++i) AppendOne();
  const uint64_t segments = writer_->stats().segments;
  ASSERT_GE(segments, 4u);
  EXPECT_FALSE(half().CompactOne(now_)) << "a command came just now";
  int steps = 0;
  engine::SteadyTime later = engine::SteadyTime::FromNanos(now_.nanos() + 1'000'000);
  while (half().CompactOne(later)) {
    // A command between two steps is written immediately.
    if (steps++ % 5 == 0) {
      AppendOne();
      EXPECT_FALSE(half().CompactOne(now_)) << "a command came just now";
    }
    ASSERT_LT(steps, 1000);
  }
  EXPECT_GT(steps, 20);
  EXPECT_GE(writer_->stats().segments_compacted, segments - 1);
  EXPECT_GT(writer_->stats().bytes_compacted, 0u);
  EXPECT_EQ(ReadJournal(directory_).records, FirstOfSmallLog(appended_));
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_EQ(Verify(directory_, {.deep = true})->verdict, Verdict::kClean);
  EXPECT_EQ(directory_.Snapshot().count("compacted.part"), 0u);
}

TEST_F(CompactionWhileWriting, MayBeCutOffByClosing) {
  for (int steps = 0; steps < 12; ++steps) {
    for (int i = 0; i < 15; ++i) AppendOne();
    const engine::SteadyTime later = engine::SteadyTime::FromNanos(now_.nanos() + 1'000'000);
    for (int i = 0; i < steps; ++i) half().CompactOne(later);
    if (steps != 11) continue;
    ASSERT_TRUE(writer_->Close().ok());
    EXPECT_EQ(directory_.Snapshot().count("compacted.part"), 0u);
    EXPECT_EQ(ReadJournal(directory_).records, FirstOfSmallLog(appended_));
    EXPECT_EQ(Verify(directory_, {.deep = true})->verdict, Verdict::kClean);
  }
}

TEST_F(CompactionWhileWriting, TakesUpTheSegmentThatAnEarlierWriterClosed) {
  for (int i = 0; i < 9; ++i) AppendOne();
  ASSERT_TRUE(writer_->Close().ok());
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.threads = halves_.threads();
  writer_.reset();
  writer_ = Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
  halves_.Attach(*writer_);
  const engine::SteadyTime later = engine::SteadyTime::FromNanos(now_.nanos() + 1'000'000);
  while (half().CompactOne(later)) continue;
  EXPECT_EQ(writer_->stats().segments_compacted, 1u);
  EXPECT_EQ(ReadJournal(directory_).records, FirstOfSmallLog(appended_));
}

// At 100 commands a second a segment of 256 MiB is full after eleven minutes, of 16 MiB after 40 s.
TEST(Compaction, OfLoneCommandsLeavesAtMost32BytesOfEach) {
  MemoryDirectory directory;
  const auto log = RecordSource(7).Take(8'200);
  {
    const auto writer = Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated,
                                       {.segment_bytes = 16 << 20, .block_records = 1})
                            .value();
    AppendAll(*writer, log);
    ASSERT_TRUE(writer->Close().ok());
  }
  const ArchiveReport report = Archive(directory, CompactionOptions{}).value();
  EXPECT_GE(report.bytes_before, 4096 * log.size());
  EXPECT_LE(report.compacted[0].bytes_after,
            32 * (report.compacted[0].last_sequence - report.compacted[0].first_sequence + 1));
  EXPECT_EQ(ReadJournal(directory).records, log);
}

}  // namespace
}  // namespace journal
