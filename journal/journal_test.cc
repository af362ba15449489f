// Writer, Reader and Sequencer together, on files in memory: what goes in comes out (J1, J2).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/sequencer.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"
#include "rapidcheck/gtest.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

class JournalTest : public ::testing::Test {
 protected:
  std::unique_ptr<Writer> Create(WriterOptions options = {}) {
    return Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
  }
  std::unique_ptr<Writer> Open(WriterOptions options = {}) {
    return Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
  }

  void ExpectReads(const std::vector<OwnedRecord>& log) {
    const ReadResult read = ReadJournal(directory_);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_EQ(read.records, log);
  }

  // Short segments and blocks, so that there are many.
  static WriterOptions Small() {
    WriterOptions options;
    options.segment_bytes = 64 << 10;
    options.block_records = 50;
    return options;
  }

  MemoryDirectory directory_;
};

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

TEST_F(JournalTest, BatchesAreTheSameRecords) {
  const auto log = RecordSource(2, 5).Take(1000);
  const auto writer = Create(Small());
  AppendAll(*writer, log);
  ASSERT_TRUE(writer->Write().ok());
  const auto reader = Reader::Open(directory_).value();
  ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log[0]);
  size_t next = 1;
  while (true) {
    const Batch batch = reader->NextBatch().value();
    if (batch.empty()) break;
    size_t attachment = 0;
    for (const Row& row : batch.rows) {
      EXPECT_EQ(row, log[next].row);
      if (!log[next].attachment.empty()) {
        ASSERT_LT(attachment, batch.attachments.size());
        EXPECT_EQ(batch.attachments[attachment++].sequence, row.sequence);
      }
      ++next;
    }
    EXPECT_EQ(attachment, batch.attachments.size());
  }
  EXPECT_EQ(next, log.size());
}

TEST_F(JournalTest, WhatIsGivenBackComesAgain) {
  const auto log = RecordSource(2, 5).Take(300);
  const auto writer = Create(Small());
  AppendAll(*writer, log);
  ASSERT_TRUE(writer->Write().ok());
  const auto reader = Reader::Open(directory_).value();
  reader->GiveBack(0);
  for (size_t next = 0; next < log.size();) {
    const size_t count = reader->NextBatch().value().rows.size();
    ASSERT_GT(count, 0u);
    reader->GiveBack(0);
    reader->GiveBack(count - count / 2);
    reader->GiveBack(count / 2);
    for (size_t i = 0; i < std::max<size_t>(1, count / 2); ++i) {
      EXPECT_EQ(OwnedRecord::Of(**reader->Next()), log[next++]);
    }
  }
  EXPECT_FALSE(reader->Next().value().has_value());
}

TEST_F(JournalTest, RowsSitOnCacheLines) {
  const auto log = RecordSource(2).Take(500);
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    MemoryDirectory directory;
    WriterOptions options;
    options.compression = compression;
    const auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, log);
    ASSERT_TRUE(writer->Write().ok());
    EXPECT_EQ(writer->stats().blocks_compressed, compression == Compression::kZstd ? 1u : 0u);
    const auto reader = Reader::Open(directory).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(reader->NextBatch()->rows.data()) % 64, 0u);
  }
}

TEST_F(JournalTest, AnySequenceCanBeSoughtAndNoOther) {
  const auto log = RecordSource(3, 10).Take(2000);
  const auto writer = Create(Small());
  AppendAll(*writer, log);
  ASSERT_TRUE(writer->Write().ok());
  const auto reader = Reader::Open(directory_).value();
  for (size_t i = 0; i < log.size(); i += 7) {
    ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(i + 1)).ok());
    ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log[i]);
    if (i + 1 == log.size()) continue;
    ASSERT_EQ(OwnedRecord::Of(**reader->Next()), log[i + 1]);
  }
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(2001)).ok());
  EXPECT_FALSE(reader->Next()->has_value());
  for (const uint64_t outside : {uint64_t{0}, uint64_t{2002}, ~uint64_t{0}}) {
    const absl::Status status = reader->SeekToSequence(SequenceNumber(outside));
    EXPECT_TRUE(absl::IsOutOfRange(status));
    EXPECT_TRUE(absl::StrContains(status.message(), "1 to 2000")) << status;
  }
}

TEST_F(JournalTest, TimeIsSoughtByTheFirstRecordNotBefore) {
  const auto writer = Create(Small());
  // Three records a moment, every 10 ns.
  std::vector<Row> rows(600);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].sequence = SequenceNumber(i + 1);
    rows[i].timestamp = Timestamp::FromNanos(static_cast<int64_t>(i / 3 * 10));
    ASSERT_TRUE(writer->Append(rows[i]).ok());
  }
  ASSERT_TRUE(writer->Close().ok());
  const auto reader = Reader::Open(directory_).value();
  for (int64_t time = -5; time <= 1990; ++time) {
    ASSERT_TRUE(reader->SeekToTime(Timestamp::FromNanos(time)).ok());
    const uint64_t expected = time <= 0 ? 1 : static_cast<uint64_t>((time + 9) / 10 * 3 + 1);
    ASSERT_EQ((*reader->Next())->sequence(), SequenceNumber(expected)) << time;
  }
  ASSERT_TRUE(reader->SeekToTime(Timestamp::FromNanos(1991)).ok());
  EXPECT_FALSE(reader->Next()->has_value());
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

TEST_F(JournalTest, WhatIsNoJournalIsSaidToBeNone) {
  EXPECT_TRUE(absl::IsNotFound(Reader::Open(directory_).status()));
  EXPECT_TRUE(absl::IsNotFound(Verify(directory_).status()));
  EXPECT_TRUE(absl::IsNotFound(
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
  directory_.SetContents("segment-000000.tape", std::vector<std::byte>(2'000'000, std::byte{'x'}));
  EXPECT_TRUE(absl::IsDataLoss(Reader::Open(directory_).status()));
}

TEST_F(JournalTest, ACreatedJournalIsNotCreatedAgain) {
  ASSERT_TRUE(Create()->Close().ok());
  EXPECT_TRUE(absl::IsAlreadyExists(
      Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
}

TEST_F(JournalTest, OneWriterAtATime) {
  const auto writer = Create();
  EXPECT_TRUE(absl::IsUnavailable(
      Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).status()));
}

TEST_F(JournalTest, OptionsOutOfRangeAreRefused) {
  WriterOptions options;
  options.block_records = 0;
  EXPECT_TRUE(absl::IsInvalidArgument(
      Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).status()));
  EXPECT_TRUE(directory_.List()->empty());
}

TEST_F(JournalTest, TheThreeMarksFollowAppendWriteAndSync) {
  const auto log = RecordSource(1).Take(30);
  const auto writer = Create();
  AppendAll(*writer, {log.begin(), log.begin() + 10});
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(11));
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(0));
  ASSERT_TRUE(writer->Sync().ok());
  AppendAll(*writer, {log.begin() + 10, log.begin() + 20});
  ASSERT_TRUE(writer->Write().ok());
  AppendAll(*writer, {log.begin() + 20, log.end()});
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(31));
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(20));
  EXPECT_EQ(writer->durable_sequence(), SequenceNumber(10));
  EXPECT_EQ(writer->last_timestamp(), log.back().row.timestamp);
}

TEST_F(JournalTest, AFullBlockIsWrittenByItself) {
  const auto log = RecordSource(1).Take(100);
  const auto writer = Create(Small());
  AppendAll(*writer, {log.begin(), log.begin() + 99});
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(50));
  AppendAll(*writer, {log.begin() + 99, log.end()});
  EXPECT_EQ(writer->written_sequence(), SequenceNumber(100));
  EXPECT_EQ(writer->stats().blocks, 2u);
}

TEST_F(JournalTest, AnAttachmentTooLongIsRefusedAndForgotten) {
  const auto log = RecordSource(1).Take(2);
  const auto writer = Create();
  const std::vector<std::byte> bytes(kMaxAttachmentBytes + 1);
  EXPECT_TRUE(absl::IsInvalidArgument(writer->Append(log[0].row, bytes)));
  ASSERT_TRUE(writer->Append(log[0].row, engine::Bytes(bytes).first(kMaxAttachmentBytes)).ok());
  ASSERT_TRUE(writer->Append(log[1].row).ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(ReadJournal(directory_).records.size(), 2u);
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

TEST_F(JournalTest, AClosedJournalGoesOnInANewSegment) {
  const auto log = RecordSource(5, 10).Take(9000);
  std::unique_ptr<Writer> writer = Create();
  AppendAll(*writer, {log.begin(), log.begin() + 5000});
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(writer->Append(log[5000].row)));
  writer = Open();
  EXPECT_TRUE(writer->recovery().was_sealed);
  EXPECT_EQ(writer->next_sequence(), SequenceNumber(5001));
  EXPECT_EQ(writer->last_timestamp(), log[4999].row.timestamp);
  AppendAll(*writer, {log.begin() + 5000, log.end()});
  ASSERT_TRUE(writer->Close().ok());
  ExpectReads(log);
  EXPECT_EQ(Reader::Open(directory_).value()->info().segments.size(), 2u);
  EXPECT_EQ(Verify(directory_)->log_digest, writer->log_digest());
}

TEST_F(JournalTest, AnotherBuildGoesOnInANewSegment) {
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

TEST_F(JournalTest, AReaderBesideTheWriterSeesWhatWasWritten) {
  const auto log = RecordSource(6).Take(100);
  const auto writer = Create();
  AppendAll(*writer, {log.begin(), log.begin() + 60});
  ASSERT_TRUE(writer->Write().ok());
  AppendAll(*writer, {log.begin() + 60, log.end()});
  ExpectReads({log.begin(), log.begin() + 60});
  const auto reader = Reader::Open(directory_).value();
  EXPECT_FALSE(reader->info().sealed);
  EXPECT_EQ(reader->info().verdict, Verdict::kClean);
}

TEST_F(JournalTest, TheSequencerStampsDenseNumbersAndTimeThatNeverRunsBack) {
  const auto writer = Create();
  engine::ManualClock clock;
  Sequencer sequencer(*writer, clock);
  std::vector<int64_t> stamped;
  for (const int64_t now : {50, 60, 55, 60, 70}) {
    clock.Set(Timestamp::FromNanos(now));
    const SequenceNumber expected = sequencer.next_sequence();
    Row row;
    row.sequence = SequenceNumber(999);
    row.timestamp = Timestamp::FromNanos(999);
    row.payload[3] = std::byte{7};
    const Record record = sequencer.Append(row, engine::AsBytes("attached")).value();
    EXPECT_EQ(record.sequence(), expected);
    EXPECT_EQ(record.row->payload, row.payload);
    EXPECT_EQ(engine::AsText(record.attachment), "attached");
    EXPECT_EQ(writer->next_sequence(), expected.Next()) << "in the journal before it is returned";
    stamped.push_back(record.timestamp().nanos());
  }
  EXPECT_EQ(stamped, (std::vector<int64_t>{50, 60, 60, 60, 70}));
}

TEST_F(JournalTest, ARefusedRecordTakesNoNumber) {
  const auto writer = Create();
  engine::ManualClock clock;
  Sequencer sequencer(*writer, clock);
  const std::vector<std::byte> bytes(kMaxAttachmentBytes + 1);
  EXPECT_FALSE(sequencer.Append(Row{}, bytes).ok());
  EXPECT_EQ(sequencer.Append(Row{})->sequence(), SequenceNumber(1));
}

using JournalDeathTest = JournalTest;

TEST_F(JournalDeathTest, AGapOrATimeThatRunsBackIsOurOwnMistake) {
  const auto log = RecordSource(1).Take(3);
  const auto writer = Create();
  EXPECT_DEATH(writer->Append(log[1].row).IgnoreError(), "CHECK");
  AppendAll(*writer, {log.begin(), log.begin() + 1});
  Row row = log[1].row;
  row.timestamp = Timestamp::FromNanos(log[0].row.timestamp.nanos() - 1);
  EXPECT_DEATH(writer->Append(row).IgnoreError(), "CHECK");
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
