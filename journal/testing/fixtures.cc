#include "journal/testing/fixtures.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/ack_policy.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/maintenance/archive.h"
#include "journal/maintenance/retention.h"
#include "journal/record.h"
#include "journal/testing/records.h"
#include "journal/uuid.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr char kSegment0[] = "segment-000000.tape";

std::unique_ptr<Writer> Begin(MemoryDirectory& directory, WriterOptions options) {
  return Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

std::unique_ptr<Writer> TakeOver(MemoryDirectory& directory, WriterOptions options) {
  return Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

WriterOptions Blocks(uint32_t block_records, Compression compression) {
  WriterOptions options;
  options.block_records = block_records;
  options.compression = compression;
  return options;
}

std::vector<OwnedRecord> Part(const std::vector<OwnedRecord>& log, ptrdiff_t begin, ptrdiff_t end) {
  return {log.begin() + begin, log.begin() + end};
}

// Compressed blocks and a sealed segment, then another writer: attachments, nothing compressed.
JournalFiles MakeTwoSegments() {
  MemoryDirectory directory;
  const auto log = RecordSource(101).Take(300);
  auto writer = Begin(directory, Blocks(150, Compression::kZstd));
  AppendAll(*writer, log);
  CHECK_EQ(writer->stats().stored_bytes, 4 * 4096u) << "two preambles, two compressed blocks";
  CHECK_OK(writer->Close());
  writer.reset();
  writer = TakeOver(directory, Blocks(20, Compression::kNone));
  RecordSource source(102, 40);
  for (OwnedRecord& record : source.Take(50)) {
    record.row.sequence = writer->next_sequence();
    record.row.timestamp = std::max(record.row.timestamp, writer->last_timestamp());
    CHECK_OK(writer->Append(record.row, record.attachment));
  }
  CHECK_OK(writer->Close());
  const auto sidecar = SidecarWriter::Create(directory, TestUuid()).value();
  Checkpoint checkpoint{.sequence = engine::SequenceNumber(350)};
  checkpoint.log = writer->log_digest();
  CHECK_OK(sidecar->Append(checkpoint));
  CHECK_OK(sidecar->Close());
  return directory.Snapshot();
}

// Its writer was killed; a heartbeat marks what was durable.
JournalFiles MakeUnsealed() {
  MemoryDirectory directory;
  const auto log = RecordSource(103, 10).Take(30);
  const auto writer = Begin(directory, Blocks(10, Compression::kNone));
  AppendAll(*writer, Part(log, 0, 20));
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  AppendAll(*writer, Part(log, 20, 30));
  CHECK_OK(writer->Write());
  return directory.Snapshot();
}

// The second half of the last block did not reach the medium, and was never acknowledged.
JournalFiles MakeTorn() {
  JournalFiles files = MakeUnsealed();
  std::vector<std::byte>& bytes = files[kSegment0];
  std::fill(bytes.end() - 4096 + 512, bytes.end(), std::byte{0});
  return files;
}

// The same after a writer has taken it over.
JournalFiles MakeRecovered() {
  const auto directory = MemoryDirectory::FromSnapshot(MakeTorn());
  const auto log = RecordSource(104).Take(25);
  const auto writer = TakeOver(*directory, Blocks(10, Compression::kZstd));
  CHECK_EQ(writer->next_sequence(), engine::SequenceNumber(21));
  for (OwnedRecord record : Part(log, 20, 25)) {
    record.row.timestamp = std::max(record.row.timestamp, writer->last_timestamp());
    CHECK_OK(writer->Append(record.row));
  }
  CHECK_OK(writer->Close());
  return directory->Snapshot();
}

// A byte of the second block is wrong; the heartbeat marks it as durable.
JournalFiles MakeDamaged() {
  JournalFiles files = MakeUnsealed();
  files[kSegment0][3 * 4096 + 300] ^= std::byte{0x40};
  return files;
}

// Two changes of the ack policy, and zeros after the last block; its writer was killed.
JournalFiles MakePolicies() {
  MemoryDirectory directory;
  const auto log = RecordSource(105, 10).Take(40);
  const auto writer = Begin(directory, Blocks(10, Compression::kNone));
  CHECK_OK(writer->SetAckPolicy(AckPolicy::kWritten));
  AppendAll(*writer, Part(log, 0, 15));
  CHECK_OK(writer->SetAckPolicy(AckPolicy::kDisk));
  AppendAll(*writer, Part(log, 15, 30));
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->SetAckPolicy(AckPolicy::kNone));
  AppendAll(*writer, Part(log, 30, 40));
  CHECK_OK(writer->Write());
  JournalFiles files = directory.Snapshot();
  files[kSegment0].resize(files[kSegment0].size() + (64 << 10));
  return files;
}

// Lone commands of two writers, a heartbeat and a change of the ack policy among them; the sealed
// segments are compacted, the last one is not sealed.
JournalFiles MakeCompacted() {
  MemoryDirectory directory;
  WriterOptions options = Blocks(1, Compression::kZstd);
  options.segment_bytes = 256 << 10;
  const auto log = RecordSource(106, 10).Take(150);
  auto writer = Begin(directory, options);
  AppendAll(*writer, Part(log, 0, 20));
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  writer.reset();
  directory.Kill();
  writer = TakeOver(directory, options);
  AppendAll(*writer, Part(log, 20, 80));
  CHECK_OK(writer->SetAckPolicy(AckPolicy::kDisk));
  AppendAll(*writer, Part(log, 80, 150));
  CHECK_OK(writer->Sync());
  CHECK_EQ(Archive(directory).value().compacted.size(), 2u);
  return directory.Snapshot();
}

// Its first segments were deleted, before two snapshots; its writer was killed.
JournalFiles MakePruned() {
  MemoryDirectory directory;
  WriterOptions options = Blocks(1024, Compression::kZstd);
  options.segment_bytes = 64 << 10;
  const auto writer = Begin(directory, options);
  AppendAll(*writer, RecordSource(106, 1).Take(40'000));
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  const EligibleSnapshots snapshots = {engine::SequenceNumber(28'672),
                                       engine::SequenceNumber(36'864)};
  CHECK_GE(Prune(directory, snapshots)->deletable.size(), 1u);
  return directory.Snapshot();
}

}  // namespace

JournalFiles MakeMinimal() {
  MemoryDirectory directory;
  JournalMetadata metadata;
  metadata.application = "minimal";
  const Uuid uuid = Uuid::FromWords(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  const auto writer =
      Writer::Create(directory, metadata, uuid, engine::Timestamp::FromNanos(1'000'000'000), {})
          .value();
  Row row;
  row.sequence = engine::SequenceNumber(1);
  row.timestamp = engine::Timestamp::FromNanos(2'000'000'000);
  std::memcpy(row.payload.data(), "the payload, forty-eight bytes nobody looks into", 48);
  CHECK_OK(writer->Append(row));
  CHECK_OK(writer->Close());
  return directory.Snapshot();
}

const std::vector<Fixture>& FixturesOfVersion1() {
  static const std::vector<Fixture> fixtures = {
      {.name = "minimal",
       .make = MakeMinimal,
       .sealed = true,
       .record_count = 1,
       .durable_sequence = 1,
       .log_digest = "429e27d9c7697367d6707abee66cdd64"},
      {.name = "two_segments",
       .make = MakeTwoSegments,
       .sealed = true,
       .segment_count = 2,
       .record_count = 350,
       .attachment_count = 16,
       .durable_sequence = 350,
       .log_digest = "cf760fc5b29ade7aba5ae699e53dc9d9"},
      {.name = "unsealed",
       .make = MakeUnsealed,
       .record_count = 30,
       .attachment_count = 3,
       .durable_sequence = 20,
       .log_digest = "a2ec7ea0c62b420dd9d8710e26b0d3ba"},
      {.name = "torn",
       .make = MakeTorn,
       .verdict = Verdict::kTorn,
       .record_count = 20,
       .attachment_count = 2,
       .durable_sequence = 20,
       .log_digest = "73fb0b15437a09aced629f2b56b58c17"},
      {.name = "recovered",
       .make = MakeRecovered,
       .sealed = true,
       .record_count = 25,
       .attachment_count = 2,
       .durable_sequence = 25,
       .log_digest = "e58fd6c78958690c0050debb4ce59ad5"},
      {.name = "damaged",
       .make = MakeDamaged,
       .verdict = Verdict::kDamaged,
       .record_count = 10,
       .durable_sequence = 20,
       .log_digest = "7fcb9b8a4ea4034408b501d66d736e8b"},
  };
  return fixtures;
}

const std::vector<Fixture>& FixturesOfVersion1_1() {
  static const std::vector<Fixture> fixtures = {
      {.name = "minimal",
       .make = MakeMinimal,
       .version = "v1.1",
       .sealed = true,
       .record_count = 1,
       .durable_sequence = 1,
       .log_digest = "429e27d9c7697367d6707abee66cdd64"},
      {.name = "policies",
       .make = MakePolicies,
       .version = "v1.1",
       .record_count = 40,
       .attachment_count = 3,
       .durable_sequence = 30,
       .log_digest = "640ee95757108c0a76e5ec9aac0793d6"},
      {.name = "pruned",
       .make = MakePruned,
       .version = "v1.1",
       .segment_count = 4,
       .first_sequence = 27'649,
       .record_count = 12'352,
       .attachment_count = 108,
       .durable_sequence = 40'000,
       .log_digest = "52f24569cf113b6fde81c829404e8dae"},
  };
  return fixtures;
}

const std::vector<Fixture>& FixturesOfVersion1_2() {
  static const std::vector<Fixture> fixtures = {
      {.name = "compacted",
       .make = MakeCompacted,
       .version = "v1.2",
       .segment_count = 3,
       .record_count = 150,
       .attachment_count = 16,
       .durable_sequence = 115,
       .log_digest = "8afc477bb6831b668c31450826348ca1"},
  };
  return fixtures;
}

}  // namespace journal
