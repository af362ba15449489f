// Reading ahead gives the same records and errors as the reader itself, for every journal.

#include "tools/cli/read/read_ahead.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "tools/os/testing/no_more_threads.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using journal::OwnedRecord;

constexpr size_t kBlockRecords = 4;
constexpr size_t kBlockBytes = 4096;
constexpr char kSegment[] = "segment-000000.tape";

// What was read, to the end or the error.
struct Heard {
  std::vector<OwnedRecord> records;
  absl::Status status;
};

void Hear(const journal::Batch& batch, Heard& heard) {
  size_t next = 0;
  for (const journal::Row& row : batch.rows) {
    OwnedRecord& record = heard.records.emplace_back(OwnedRecord{row, {}});
    if (next < batch.attachments.size() && batch.attachments[next].sequence == row.sequence) {
      const engine::Bytes bytes = batch.attachments[next++].bytes;
      record.attachment.assign(bytes.begin(), bytes.end());
    }
  }
}

template <typename Source>
Heard HearAll(Source& source) {
  Heard heard;
  while (true) {
    const absl::StatusOr<journal::Batch> batch = source.NextBatch();
    heard.status = batch.status();
    if (!batch.ok() || batch->empty()) return heard;
    Hear(*batch, heard);
  }
}

Heard ByTheReader(const journal::Directory& directory) {
  return HearAll(*journal::Reader::Open(directory).value());
}

Heard Ahead(const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory).value();
  ReadAhead ahead(*reader);
  Heard heard = HearAll(ahead);
  EXPECT_EQ(HearAll(ahead).status, heard.status) << "the end stays the end";
  return heard;
}

void ExpectSame(const Heard& heard, const Heard& expected) {
  EXPECT_EQ(heard.records, expected.records);
  EXPECT_EQ(heard.status, expected.status);
}

std::vector<OwnedRecord> Log(size_t count, uint64_t attachment_percent = 15) {
  return journal::RecordSource(7, attachment_percent).Take(count);
}

// Each block takes kBlockBytes, after two preambles.
std::vector<OwnedRecord> EvenLog(size_t count) { return Log(count, 0); }

// In one of its rows.
std::unique_ptr<journal::MemoryDirectory> WithDamagedBlock(const journal::MemoryDirectory& whole,
                                                           size_t block) {
  auto files = whole.Snapshot();
  files[kSegment][(2 + block) * kBlockBytes + 200] ^= std::byte{1};
  return journal::MemoryDirectory::FromSnapshot(files);
}

std::unique_ptr<journal::Writer> Write(journal::Directory& directory,
                                       const std::vector<OwnedRecord>& log) {
  journal::WriterOptions options;
  options.block_records = kBlockRecords;
  options.compression = journal::Compression::kNone;
  auto writer = journal::Writer::Create(directory, journal::TestMetadata(), journal::TestUuid(),
                                        journal::kTestCreated, options)
                    .value();
  AppendAll(*writer, log);
  return writer;
}

void WriteSealed(journal::Directory& directory, const std::vector<OwnedRecord>& log) {
  CHECK_OK(Write(directory, log)->Close());
}

TEST(ReadAhead, GivesWhatTheReaderGivesOfAnyLength) {
  // Up to more blocks than fit between the two threads.
  for (const size_t count : {0, 1, 3, 4, 5, 31, 32, 33, 36, 37, 500}) {
    SCOPED_TRACE(count);
    journal::MemoryDirectory directory;
    WriteSealed(directory, Log(count));
    const Heard heard = Ahead(directory);
    EXPECT_EQ(heard.records, Log(count));
    ExpectSame(heard, ByTheReader(directory));
  }
}

TEST(ReadAhead, GivesTheErrorOfADamagedBlockAfterAllBeforeIt) {
  journal::MemoryDirectory whole;
  WriteSealed(whole, EvenLog(200));
  const size_t blocks = 200 / kBlockRecords;
  for (size_t block = 0; block < blocks; ++block) {
    SCOPED_TRACE(block);
    const auto directory = WithDamagedBlock(whole, block);
    const Heard heard = Ahead(*directory);
    EXPECT_EQ(heard.records.size(), block * kBlockRecords) << "nothing after the damage";
    EXPECT_TRUE(absl::IsDataLoss(heard.status)) << heard.status;
    EXPECT_TRUE(absl::StrContains(heard.status.message(), kSegment)) << heard.status;
    ExpectSame(heard, ByTheReader(*directory));
  }
}

TEST(ReadAhead, GivesTheErrorOfADeviceThatFails) {
  journal::MemoryDirectory memory;
  WriteSealed(memory, Log(200));
  journal::FaultyDirectory counting(memory, {});
  ByTheReader(counting);
  for (uint64_t call = 0; call < counting.calls(); ++call) {
    SCOPED_TRACE(call);
    const journal::FaultPlan plan{.failing_call = call, .stays_broken = true};
    journal::FaultyDirectory directory(memory, plan);
    const auto reader = journal::Reader::Open(directory);
    if (!reader.ok()) continue;
    journal::FaultyDirectory again(memory, plan);
    ReadAhead ahead(**reader);
    ExpectSame(HearAll(ahead), ByTheReader(again));
  }
}

TEST(ReadAhead, EndsWheneverItsOwnerHasEnough) {
  journal::MemoryDirectory directory;
  WriteSealed(directory, Log(100));
  const auto reader = journal::Reader::Open(directory).value();
  for (size_t batches = 0; batches <= 100 / kBlockRecords; ++batches) {
    ASSERT_TRUE(reader->SeekToSequence(SequenceNumber::First()).ok());
    ReadAhead ahead(*reader);
    for (size_t i = 0; i < batches; ++i) {
      EXPECT_EQ(ahead.NextBatch()->rows.front().sequence, SequenceNumber(i * kBlockRecords + 1));
    }
  }
  ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(50)).ok());
  EXPECT_EQ(reader->Next().value()->sequence(), SequenceNumber(50)) << "the reader can be used";
}

TEST(ReadAhead, EndsWhereTheJournalEndedWhenItWasOpened) {
  const auto directory = journal::OpenPosixDirectory(testing::TempDir() + "/read_ahead_live",
                                                     journal::DirectoryMode::kCreate)
                             .value();
  const std::vector<OwnedRecord> log = Log(200);
  const auto writer = Write(*directory, {log.begin(), log.begin() + 90});
  ASSERT_TRUE(writer->Sync().ok());
  const auto reader = journal::Reader::Open(*directory).value();
  ReadAhead ahead(*reader);
  Heard heard;
  while (true) {
    // Some of it while they are read, and at the end the seal.
    if (heard.records.size() < 40) {
      const uint64_t next = writer->next_sequence().value() - 1;
      AppendAll(*writer, {&log[next], &log[next + kBlockRecords]});
      ASSERT_TRUE(writer->Write().ok());
    } else if (writer->status().ok()) {
      ASSERT_TRUE(writer->Close().ok());
    }
    const journal::Batch batch = ahead.NextBatch().value();
    if (batch.empty()) break;
    Hear(batch, heard);
  }
  EXPECT_EQ(heard.records, std::vector(log.begin(), log.begin() + 90));
}

TEST(ReadAhead, ReadsByItselfWhereThereAreNoMoreThreads) {
  journal::MemoryDirectory whole;
  WriteSealed(whole, EvenLog(100));
  const auto damaged = WithDamagedBlock(whole, 10);
  const NoMoreThreads none;
  ExpectSame(Ahead(whole), ByTheReader(whole));
  ExpectSame(Ahead(*damaged), ByTheReader(*damaged));
}

}  // namespace
}  // namespace tools
