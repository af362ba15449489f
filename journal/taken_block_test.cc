// Blocks taken from a reader and decoded in any order have the records that the reader would read.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"
#include "journal/writer_options.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr size_t kBlockRecords = 4;
constexpr char kSegment[] = "segment-000000.tape";

std::vector<OwnedRecord> Log(size_t count) { return RecordSource(7, 30).Take(count); }

void WriteSealed(Directory& directory, const std::vector<OwnedRecord>& log,
                 Compression compression) {
  WriterOptions options;
  options.block_records = kBlockRecords;
  options.compression = compression;
  const auto writer =
      Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
  AppendAll(*writer, log);
  CHECK_OK(writer->Close());
}

std::vector<std::unique_ptr<TakenBlock>> TakeAll(Reader& reader) {
  std::vector<std::unique_ptr<TakenBlock>> blocks;
  while (true) {
    auto block = std::make_unique<TakenBlock>();
    if (!reader.TakeBlock(*block).value()) return blocks;
    blocks.push_back(std::move(block));
  }
}

std::vector<OwnedRecord> RecordsOf(const Batch& batch) {
  std::vector<OwnedRecord> records;
  size_t next = 0;
  for (const Row& row : batch.rows) {
    OwnedRecord& record = records.emplace_back(OwnedRecord{row, {}});
    if (next < batch.attachments.size() && batch.attachments[next].sequence == row.sequence) {
      const engine::Bytes bytes = batch.attachments[next++].bytes;
      record.attachment.assign(bytes.begin(), bytes.end());
    }
  }
  EXPECT_EQ(next, batch.attachments.size());
  return records;
}

TEST(TakenBlock, HoldsWhatTheReaderReadsInAnyOrderOfDecoding) {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    MemoryDirectory directory;
    const std::vector<OwnedRecord> log = Log(50);
    WriteSealed(directory, log, compression);
    std::vector<std::unique_ptr<TakenBlock>> blocks;
    {
      const auto reader = Reader::Open(directory).value();
      blocks = TakeAll(*reader);
      TakenBlock again;
      EXPECT_FALSE(reader->TakeBlock(again).value()) << "the end stays the end";
    }
    ASSERT_EQ(blocks.size(), 13u);
    DecodingRoom room;
    for (size_t i = blocks.size(); i-- > 0;) {
      const size_t end = std::min((i + 1) * kBlockRecords, log.size());
      EXPECT_EQ(RecordsOf(blocks[i]->Decode(room).value()),
                std::vector(log.begin() + i * kBlockRecords, log.begin() + end));
    }
  }
}

TEST(TakenBlock, BeginsWithTheRecordThatWasSought) {
  MemoryDirectory directory;
  const std::vector<OwnedRecord> log = Log(30);
  WriteSealed(directory, log, Compression::kNone);
  const auto reader = Reader::Open(directory).value();
  DecodingRoom room;
  for (size_t i = 0; i <= log.size(); ++i) {
    ASSERT_TRUE(reader->SeekToSequence(SequenceNumber(i + 1)).ok());
    std::vector<OwnedRecord> records;
    for (const auto& block : TakeAll(*reader)) {
      const std::vector<OwnedRecord> more = RecordsOf(block->Decode(room).value());
      records.insert(records.end(), more.begin(), more.end());
    }
    EXPECT_EQ(records, std::vector(log.begin() + i, log.end()));
  }
}

TEST(TakenBlock, AlternatesWithTheReader) {
  MemoryDirectory directory;
  const std::vector<OwnedRecord> log = Log(30);
  WriteSealed(directory, log, Compression::kNone);
  const auto reader = Reader::Open(directory).value();
  DecodingRoom room;
  std::vector<OwnedRecord> records;
  for (size_t turn = 0; records.size() < log.size(); ++turn) {
    std::vector<OwnedRecord> more;
    if (turn % 3 == 0) {
      TakenBlock block;
      ASSERT_TRUE(reader->TakeBlock(block).value());
      more = RecordsOf(block.Decode(room).value());
    } else if (turn % 3 == 1) {
      more = RecordsOf(reader->NextBatch().value());
    } else {
      const Record record = **reader->Next();
      more = {OwnedRecord{*record.row, {record.attachment.begin(), record.attachment.end()}}};
    }
    records.insert(records.end(), more.begin(), more.end());
  }
  EXPECT_EQ(records, log);
}

TEST(TakenBlock, ReportsDamageAsTheReaderDoes) {
  MemoryDirectory whole;
  WriteSealed(whole, Log(30), Compression::kNone);
  const size_t bytes = whole.Snapshot()[kSegment].size();
  size_t damaged = 0;
  // After the two preambles, and before the index.
  for (size_t at = 2 * 4096; at < bytes - 4096; at += 97) {
    auto files = whole.Snapshot();
    files[kSegment][at] ^= std::byte{4};
    const auto directory = MemoryDirectory::FromSnapshot(files);
    const auto reads = Reader::Open(*directory);
    const auto takes = Reader::Open(*directory);
    ASSERT_EQ(reads.status(), takes.status());
    if (!reads.ok()) continue;
    DecodingRoom room;
    while (true) {
      const absl::StatusOr<Batch> read = (*reads)->NextBatch();
      TakenBlock block;
      const absl::StatusOr<bool> more = (*takes)->TakeBlock(block);
      absl::StatusOr<Batch> taken = Batch();
      if (!more.ok()) {
        taken = more.status();
      } else if (*more) {
        taken = block.Decode(room);
      }
      ASSERT_EQ(taken.status(), read.status()) << at;
      if (!read.ok()) ++damaged;
      if (!read.ok() || read->empty()) break;
      EXPECT_EQ(RecordsOf(*taken), RecordsOf(*read));
    }
  }
  EXPECT_GT(damaged, 10u);
}

}  // namespace
}  // namespace journal
