#include "journal/testing/campaign_journals.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "engine/base/check.h"
#include "journal/ack_policy.h"
#include "journal/maintenance/archive.h"
#include "journal/testing/memory_storage.h"
#include "journal/writer.h"

namespace journal {
namespace {

std::unique_ptr<Writer> Begin(MemoryDirectory& directory, const WriterOptions& options) {
  return Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

std::unique_ptr<Writer> Continue(MemoryDirectory& directory) {
  return Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks()).value();
}

void AppendSome(Writer& writer, uint64_t begin, uint64_t end) {
  AppendAll(writer, {SmallLog().begin() + static_cast<ptrdiff_t>(begin),
                     SmallLog().begin() + static_cast<ptrdiff_t>(end)});
}

}  // namespace

const std::vector<OwnedRecord>& SmallLog() {
  static const std::vector<OwnedRecord> log = RecordSource(41, 12).Take(1600);
  return log;
}

std::vector<OwnedRecord> FirstOfSmallLog(uint64_t count) {
  return {SmallLog().begin(), SmallLog().begin() + static_cast<ptrdiff_t>(count)};
}

WriterOptions OnePageBlocks() {
  WriterOptions options;
  options.segment_bytes = 64 << 10;
  options.block_records = 4;
  options.compression = Compression::kNone;
  return options;
}

void LiveShortLife(Directory& directory, bool begins, bool closes, Submitted& submitted) {
  const WriterOptions options = OnePageBlocks();
  const auto opened =
      begins ? Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options)
             : Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options);
  if (!opened.ok()) return;
  Writer& writer = **opened;
  submitted.appended = writer.next_sequence().value() - 1;
  const auto append = [&](uint64_t count) {
    absl::Status status;
    for (uint64_t i = 0; i < count && status.ok(); ++i) {
      const OwnedRecord& record = submitted.log[submitted.appended];
      status = writer.Append(record.row, record.attachment);
      ++submitted.appended;
    }
    return status.ok();
  };
  const auto promise = [&](bool done) {
    submitted.acknowledged = std::max(submitted.acknowledged, writer.durable_sequence().value());
    return done;
  };
  if (append(9) && promise(writer.Sync().ok()) && writer.Heartbeat().ok() && append(8) &&
      promise(writer.Sync().ok()) && append(6) && writer.Write().ok() && closes) {
    promise(writer.Close().ok());
  }
  promise(true);
}

JournalBytes UnsealedJournal() {
  MemoryDirectory directory;
  const auto writer = Begin(directory, OnePageBlocks());
  AppendSome(*writer, 0, kUnsealedDurable);
  CHECK_OK(writer->Sync());
  AppendSome(*writer, kUnsealedDurable, kUnsealedRecords);
  CHECK_OK(writer->Write());
  return directory.Snapshot();
}

JournalBytes SealedJournal() {
  MemoryDirectory directory;
  const auto writer = Begin(directory, OnePageBlocks());
  AppendSome(*writer, 0, kUnsealedRecords);
  CHECK_OK(writer->Close());
  return directory.Snapshot();
}

JournalBytes CompressedJournal() {
  MemoryDirectory directory;
  WriterOptions options;
  options.block_records = 100;
  const auto writer = Begin(directory, options);
  AppendSome(*writer, 0, 100);
  CHECK_OK(writer->Sync());
  AppendSome(*writer, 100, kCompressedRecords);
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  // The two preambles, two compressed blocks of one page, and a HEARTBEAT block.
  CHECK_EQ(writer->stats().stored_bytes, 5 * 4096u);
  return directory.Snapshot();
}

JournalBytes LoneRecords() {
  MemoryDirectory directory;
  WriterOptions options = OnePageBlocks();
  options.block_records = 1;
  {
    const auto writer = Begin(directory, options);
    AppendSome(*writer, 0, 5);
    CHECK_OK(writer->Sync());
    CHECK_OK(writer->Heartbeat());
  }
  directory.Kill();
  const auto writer =
      Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
  AppendSome(*writer, 5, 14);
  CHECK_OK(writer->SetAckPolicy(AckPolicy::kDisk));
  AppendSome(*writer, 14, kLoneRecords);
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  CHECK_EQ(writer->stats().segments, 2u);
  return directory.Snapshot();
}

JournalBytes CompactedJournal() {
  const auto directory = MemoryDirectory::FromSnapshot(LoneRecords());
  const auto archived = Archive(*directory, {.zstd_level = 1, .block_records = 8});
  CHECK_OK(archived.status());
  return directory->Snapshot();
}

JournalBytes SmallSegments() {
  MemoryDirectory directory;
  // A writer of a journal that was closed starts the next segment, however small the last one is.
  for (const uint64_t begin : {0, 8}) {
    const auto writer = begin == 0 ? Begin(directory, OnePageBlocks()) : Continue(directory);
    AppendSome(*writer, begin, begin + 8);
    CHECK_OK(writer->Close());
  }
  const auto writer = Continue(directory);
  AppendSome(*writer, 16, 24);
  CHECK_OK(writer->Sync());
  CHECK_OK(writer->Heartbeat());
  AppendSome(*writer, 24, kSmallSegmentsDurable);
  CHECK_OK(writer->Sync());
  AppendSome(*writer, kSmallSegmentsDurable, kSmallSegmentsRecords);
  CHECK_OK(writer->Write());
  return directory.Snapshot();
}

JournalBytes ThreeSegments() {
  MemoryDirectory directory;
  WriterOptions options = OnePageBlocks();
  options.block_records = 50;
  const auto writer = Begin(directory, options);
  AppendSome(*writer, 0, SmallLog().size());
  CHECK_OK(writer->Sync());
  CHECK_GE(writer->stats().segments, 3u);
  return directory.Snapshot();
}

}  // namespace journal
