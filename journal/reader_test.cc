// What a reader returns, and from which position.

#include "journal/reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/testing/journal_test_base.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using engine::Timestamp;

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

TEST_F(JournalTest, RecordsPutBackAreReadAgain) {
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

TEST_F(JournalTest, RowsAreCacheLines) {
  const auto log = RecordSource(2).Take(500);
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    MemoryDirectory directory;
    WriterOptions options;
    options.compression = compression;
    const auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    AppendAll(*writer, log);
    ASSERT_TRUE(writer->Write().ok());
    // Two preambles of a page each.
    EXPECT_EQ(writer->stats().stored_bytes < 2 * 4096 + log.size() * sizeof(Row),
              compression == Compression::kZstd);
    const auto reader = Reader::Open(directory).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(reader->NextBatch()->rows.data()) % 64, 0u);
  }
}

TEST_F(JournalTest, EverySequenceOfTheJournalCanBeSought) {
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
  // Three records at each time, every 10 ns.
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

TEST_F(JournalTest, AReaderDuringWritingSeesWhatWasWritten) {
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

}  // namespace
}  // namespace journal
