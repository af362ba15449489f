// Writer and Reader together, on files in memory: records are read back as they were appended (J1,
// J2).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/testing/journal_test_base.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

TEST_F(JournalTest, RecordsAreReadBackInOrderAcrossSegments) {
  const auto log = RecordSource(1, 10).Take(3000);
  const auto writer = Create(Small());
  AppendAll(*writer, log);
  ASSERT_TRUE(writer->Close().ok());
  ExpectReads(log);
  const auto reader = Reader::Open(directory_).value();
  const JournalInfo& info = reader->info();
  EXPECT_GE(info.segments.size(), 3u);
  EXPECT_EQ(info.uuid, TestUuid());
  EXPECT_EQ(info.metadata, TestMetadata());
  EXPECT_EQ(info.created, kTestCreated);
  EXPECT_EQ(info.first_sequence, SequenceNumber(1));
  EXPECT_EQ(info.last_sequence, SequenceNumber(3000));
  EXPECT_EQ(info.record_count(), 3000u);
  EXPECT_EQ(info.first_time, log.front().row.timestamp);
  EXPECT_EQ(info.last_time, log.back().row.timestamp);
  EXPECT_TRUE(info.sealed);
  EXPECT_EQ(info.verdict, Verdict::kClean);
}

TEST_F(JournalTest, AnEmptyJournalIsAJournal) {
  ASSERT_TRUE(Create()->Close().ok());
  ExpectReads({});
  const auto reader = Reader::Open(directory_).value();
  EXPECT_EQ(reader->info().record_count(), 0u);
  EXPECT_TRUE(reader->SeekToSequence(SequenceNumber(1)).ok());
  EXPECT_TRUE(reader->SeekToTime(Timestamp()).ok());
  EXPECT_FALSE(reader->Next()->has_value());
  EXPECT_TRUE(absl::IsOutOfRange(reader->SeekToSequence(SequenceNumber(2))));
}

TEST_F(JournalTest, ReportsADirectoryThatIsNoJournal) {
  EXPECT_TRUE(absl::IsNotFound(Reader::Open(directory_).status()));
  EXPECT_TRUE(absl::IsNotFound(Verify(directory_).status()));
  EXPECT_TRUE(absl::IsNotFound(
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
  directory_.SetContents("segment-000000.tape", std::vector<std::byte>(2'000'000, std::byte{'x'}));
  EXPECT_TRUE(absl::IsDataLoss(Reader::Open(directory_).status()));
}

TEST_F(JournalTest, TheFullestBlockFits) {
  WriterOptions options;
  options.block_records = 65536;
  options.block_attachment_bytes = 4 << 20;
  options.compression = Compression::kNone;
  const auto writer = Create(options);
  auto log = RecordSource(1).Take(65536);
  for (OwnedRecord& record : log) record.attachment.resize(63, std::byte{1});
  log.back().attachment.resize(kMaxAttachmentBytes, std::byte{2});
  AppendAll(*writer, log);
  ASSERT_TRUE(writer->Write().ok());
  EXPECT_EQ(writer->stats().blocks, 1u);
  ExpectReads(log);
}

TEST_F(JournalTest, TheDigestIsThatOfTheRecordsAtAnyMoment) {
  const auto log = RecordSource(4, 10).Take(9000);
  LogDigest expected;
  WriterOptions options = Small();
  options.block_records = 900;
  const auto writer = Create(options);
  EXPECT_EQ(writer->log_digest(), expected.Value());
  for (size_t i = 0; i < log.size(); ++i) {
    ASSERT_TRUE(writer->Append(log[i].row, log[i].attachment).ok());
    expected.Add(log[i].row, log[i].attachment);
    if (i % 333 != 0) continue;
    ASSERT_EQ(writer->log_digest(), expected.Value()) << i;
  }
  EXPECT_EQ(writer->log_digest(), expected.Value());
  ASSERT_TRUE(writer->Close().ok());
  const VerifyReport report = Verify(directory_).value();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.log_digest, expected.Value());
  EXPECT_EQ(report.record_count, log.size());
}

TEST_F(JournalTest, AClosedJournalContinuesInANewSegment) {
  const auto log = RecordSource(5, 10).Take(9000);
  std::unique_ptr<Writer> writer = Create();
  AppendAll(*writer, {log.begin(), log.begin() + 5000});
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(writer->Append(log[5000].row)));
  EXPECT_TRUE(absl::IsUnavailable(
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).status()))
      << "the lock is held until the writer is destroyed";
  writer.reset();
  writer = Open();
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(5001));
  EXPECT_EQ(writer->last_timestamp(), log[4999].row.timestamp);
  AppendAll(*writer, {log.begin() + 5000, log.end()});
  ASSERT_TRUE(writer->Close().ok());
  ExpectReads(log);
  EXPECT_EQ(Reader::Open(directory_).value()->info().segments.size(), 2u);
  EXPECT_EQ(Verify(directory_)->log_digest, writer->log_digest());
}

TEST_F(JournalTest, AnotherBuildContinuesInANewSegment) {
  const auto log = RecordSource(5).Take(20);
  {
    const auto writer = Create();
    AppendAll(*writer, {log.begin(), log.begin() + 10});
    ASSERT_TRUE(writer->Write().ok());
  }
  JournalMetadata metadata = TestMetadata();
  metadata.created_by = "another command line";
  { ASSERT_TRUE(Writer::Open(directory_, metadata, TestUuid(), kTestCreated).ok()); }
  EXPECT_EQ(Reader::Open(directory_).value()->info().segments.size(), 1u);
  metadata.build_id = "another build";
  {
    const auto writer = Writer::Open(directory_, metadata, TestUuid(), kTestCreated).value();
    AppendAll(*writer, {log.begin() + 10, log.end()});
    ASSERT_TRUE(writer->Write().ok());
  }
  ExpectReads(log);
  const auto reader = Reader::Open(directory_).value();
  ASSERT_EQ(reader->info().segments.size(), 2u);
  EXPECT_EQ(reader->info().segments[0].metadata, TestMetadata());
  EXPECT_EQ(reader->info().segments[1].metadata, metadata);
  metadata.row_schema_id += 1;
  EXPECT_TRUE(absl::IsFailedPrecondition(
      Writer::Open(directory_, metadata, TestUuid(), kTestCreated).status()));
}

TEST_F(JournalTest, TheTimeZoneStaysIfTheNextWriterNamesNone) {
  JournalMetadata metadata = TestMetadata();
  metadata.time_zone = "America/New_York";
  { ASSERT_TRUE(Writer::Create(directory_, metadata, TestUuid(), kTestCreated).ok()); }
  const auto zone_after = [&](const char* build, const char* zone) {
    metadata.build_id = build;
    metadata.time_zone = zone;
    { EXPECT_TRUE(Writer::Open(directory_, metadata, TestUuid(), kTestCreated).ok()); }
    return Reader::Open(directory_).value()->info().segments.back().metadata.time_zone;
  };
  EXPECT_EQ(zone_after("another build", ""), "America/New_York");
  EXPECT_EQ(zone_after("a third build", ""), "America/New_York");
  EXPECT_EQ(zone_after("a fourth build", "Europe/London"), "Europe/London");
}

// J2, and independence of digests from batching, for logs of every shape.
RC_GTEST_PROP(Journal, ReadsBackWhatWasAppendedHoweverItWasCut, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const size_t count = *rc::gen::inRange<size_t>(0, 1500);
  const uint64_t attachment_percent = *rc::gen::element<uint64_t>(0, 0, 5, 60);
  const auto log = RecordSource(seed, attachment_percent).Take(count);
  LogDigest expected;
  for (const OwnedRecord& record : log) expected.Add(record.row, record.attachment);

  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = *rc::gen::inRange<uint32_t>(1, 300);
  options.compression = *rc::gen::element(Compression::kNone, Compression::kZstd);
  MemoryDirectory directory;
  const auto writer =
      Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
  AppendAll(*writer, log);
  RC_ASSERT(writer->log_digest() == expected.Value());
  RC_ASSERT(writer->Close().ok());
  const ReadResult read = ReadJournal(directory);
  RC_ASSERT(read.status.ok());
  RC_ASSERT(read.records == log);
  const VerifyReport report = Verify(directory).value();
  RC_ASSERT(report.findings.empty());
  RC_ASSERT(report.log_digest == expected.Value());
}

}  // namespace
}  // namespace journal
