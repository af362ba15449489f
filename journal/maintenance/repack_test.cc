#include "journal/maintenance/repack.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Fast enough for a test, with several blocks and segments.
BulkOptions Small() {
  return {
      .segment_bytes = 128 << 10, .block_records = 3000, .zstd_level = 5, .blocks_in_parallel = 3};
}

class RepackTest : public ::testing::Test {
 protected:
  RepackTest() {
    auto writer = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, kOptions);
    AppendAll(**writer, {log_.begin(), log_.begin() + 15'000});
    EXPECT_TRUE((*writer)->Close().ok());
    // A second build continued it.
    JournalMetadata later = TestMetadata();
    later.build_id = "a later build";
    writer->reset();
    writer = Writer::Open(directory_, later, TestUuid(), kTestCreated, kOptions);
    AppendAll(**writer, {log_.begin() + 15'000, log_.end()});
    EXPECT_TRUE((*writer)->Close().ok());
  }

  static constexpr WriterOptions kOptions = {.segment_bytes = 128 << 10, .block_records = 200};
  const std::vector<OwnedRecord> log_ = RecordSource(9, 2).Take(30'000);
  MemoryDirectory directory_;
  MemoryDirectory to_;
};

TEST_F(RepackTest, IsTheSameLogInFewerBytes) {
  const auto before = directory_.Snapshot();
  const RepackReport report = Repack(directory_, to_, Small()).value();
  EXPECT_EQ(report.record_count, 30'000u);
  EXPECT_LT(report.bytes_after, report.bytes_before * 8 / 10);
  EXPECT_EQ(ReadJournal(to_).records, log_);
  EXPECT_EQ(report.log_digest, Verify(directory_)->log_digest);
  const VerifyReport verified = Verify(to_).value();
  EXPECT_EQ(verified.log_digest, report.log_digest);
  EXPECT_TRUE(verified.findings.empty());
  EXPECT_GT(verified.segment_count, 2u);
  EXPECT_EQ(directory_.Snapshot(), before) << "the original is only read";
}

TEST_F(RepackTest, KeepsTheMetadataOfEachSegment) {
  ASSERT_TRUE(Repack(directory_, to_, Small()).ok());
  const JournalInfo a = Reader::Open(directory_).value()->info();
  const JournalInfo b = Reader::Open(to_).value()->info();
  EXPECT_EQ(b.uuid, a.uuid);
  EXPECT_EQ(b.created, a.created);
  EXPECT_EQ(b.segments.front().metadata, a.segments.front().metadata);
  EXPECT_EQ(b.segments.back().metadata, a.segments.back().metadata);
  EXPECT_NE(b.segments.front().metadata, b.segments.back().metadata);
}

TEST_F(RepackTest, IsTheSameForAnyNumberOfBlocksInParallel) {
  MemoryDirectory one;
  BulkOptions options = Small();
  options.blocks_in_parallel = 1;
  ASSERT_TRUE(Repack(directory_, one, options).ok());
  options.blocks_in_parallel = 4;
  // Backwards: the order of encoding does not count.
  options.parallel = [](size_t count, const std::function<void(size_t)>& work,
                        const std::function<void()>&) {
    for (size_t i = count; i > 0; --i) work(i - 1);
  };
  ASSERT_TRUE(Repack(directory_, to_, options).ok());
  EXPECT_EQ(ReadJournal(to_).records, ReadJournal(one).records);
  EXPECT_EQ(Reader::Open(to_).value()->info().segments.size(),
            Reader::Open(one).value()->info().segments.size());
}

TEST_F(RepackTest, CopiesTheCheckpoints) {
  const auto sidecar = SidecarWriter::Create(directory_, TestUuid()).value();
  ASSERT_TRUE(
      sidecar
          ->Append({.sequence = SequenceNumber(4096), .trace = engine::Digest{.low = 1, .high = 2}})
          .ok());
  ASSERT_TRUE(sidecar->Append({.sequence = SequenceNumber(90'000)}).ok());
  ASSERT_TRUE(Repack(directory_, to_, Small()).ok());
  const auto checkpoints = ReadSidecar(to_, TestUuid(), SequenceNumber(1'000'000)).value();
  ASSERT_EQ(checkpoints.size(), 1u) << "only what is in the journal";
  EXPECT_TRUE(checkpoints[0].trace.has_value());
}

// A checkpoint of the original that the copy does not reach: it is not what was recorded.
TEST_F(RepackTest, ACopyThatIsNotTheLogIsRefused) {
  const auto sidecar = SidecarWriter::Create(directory_, TestUuid()).value();
  ASSERT_TRUE(
      sidecar
          ->Append({.sequence = SequenceNumber(4096), .log = engine::Digest{.low = 1, .high = 2}})
          .ok());
  const absl::Status status = Repack(directory_, to_, Small()).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_TRUE(absl::StrContains(status.message(), "the result read back differs")) << status;
}

TEST_F(RepackTest, LeavesOutUnsealedSegments) {
  const auto writer =
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
  AppendAll(*writer, {});
  const RepackReport report = Repack(directory_, to_, Small()).value();
  EXPECT_EQ(report.segments_left_out, 1u);
  EXPECT_EQ(report.record_count, 30'000u);
  MemoryDirectory fresh;
  const auto beginner =
      Writer::Create(fresh, TestMetadata(), TestUuid(), kTestCreated, kOptions).value();
  MemoryDirectory other;
  EXPECT_TRUE(absl::IsFailedPrecondition(Repack(fresh, other, Small()).status()));
}

TEST_F(RepackTest, ADamagedJournalIsRefused) {
  std::vector<std::byte> bytes = directory_.Contents("segment-000000.tape");
  bytes[30'000] ^= std::byte{4};
  directory_.SetContents("segment-000000.tape", bytes);
  EXPECT_TRUE(absl::IsDataLoss(Repack(directory_, to_, Small()).status()));
}

TEST_F(RepackTest, NeverOverwritesAJournal) {
  ASSERT_TRUE(Repack(directory_, to_, Small()).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(Repack(directory_, to_, Small()).status()));
}

TEST_F(RepackTest, EveryFailingCallIsAnErrorAndTheOriginalStays) {
  const auto before = directory_.Snapshot();
  BulkOptions options = Small();
  options.zstd_level = 1;
  bool has_failed = true;
  for (uint64_t call = 0; has_failed; call += 3) {
    MemoryDirectory fresh;
    FaultyDirectory faulty(fresh, {.failing_call = call});
    const bool succeeded = Repack(directory_, faulty, options).ok();
    has_failed = faulty.has_failed();
    EXPECT_NE(succeeded, has_failed) << call;
  }
  EXPECT_EQ(directory_.Snapshot(), before);
}

}  // namespace
}  // namespace journal
