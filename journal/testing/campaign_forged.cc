// The stage of the campaign with forged files: files with
// false sizes, times that run back, other entries in the place of segments, and a
// `watermark` ahead of the segments.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/finding.h"
#include "journal/follower.h"
#include "journal/format/preamble.h"
#include "journal/format/watermark_file.h"
#include "journal/reader.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/storage.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/forge.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/plain_journal.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;

// Counts the calls of the storage.
struct Reads {
  uint64_t bytes = 0;
  uint64_t longest = 0;
};

class CountingFile final : public File {
 public:
  CountingFile(std::unique_ptr<File> inner, Reads& reads)
      : inner_(std::move(inner)), reads_(reads) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    const absl::StatusOr<size_t> read = inner_->Read(offset, into);
    reads_.bytes += read.value_or(0);
    reads_.longest = std::max<uint64_t>(reads_.longest, into.size());
    return read;
  }
  absl::Status Write(uint64_t, engine::Bytes) override { return ReadOnly(); }
  absl::Status Sync() override { return ReadOnly(); }
  absl::Status Truncate(uint64_t) override { return ReadOnly(); }
  absl::StatusOr<uint64_t> Size() const override { return inner_->Size(); }
  absl::Status Close() override { return inner_->Close(); }

 private:
  static absl::Status ReadOnly() { return absl::UnimplementedError("only read here"); }

  const std::unique_ptr<File> inner_;
  Reads& reads_;
};

// Counts reads. The name `other` exists, and is no regular file.
class CountingDirectory final : public Directory {
 public:
  explicit CountingDirectory(const JournalBytes& files, std::string other = "")
      : inner_(MemoryDirectory::FromSnapshot(files)), other_(std::move(other)) {}

  Reads reads() const { return reads_; }

  absl::string_view path() const override { return "counted"; }
  absl::StatusOr<std::vector<std::string>> List() const override { return inner_->List(); }
  absl::StatusOr<std::vector<std::string>> ListOthers() const override {
    if (other_.empty()) return std::vector<std::string>();
    return std::vector<std::string>{other_};
  }
  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override {
    if (name == other_) return absl::DataLossError(absl::StrCat(name, ": not a regular file"));
    absl::StatusOr<std::unique_ptr<File>> file = inner_->OpenForRead(name);
    if (!file.ok()) return file;
    return std::make_unique<CountingFile>(*std::move(file), reads_);
  }
  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view) override {
    return ReadOnly();
  }
  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view) override { return ReadOnly(); }
  absl::Status Rename(absl::string_view, absl::string_view) override { return ReadOnly(); }
  absl::Status Replace(absl::string_view, absl::string_view) override { return ReadOnly(); }
  absl::Status Remove(absl::string_view) override { return ReadOnly(); }
  absl::Status Sync() override { return ReadOnly(); }
  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override { return ReadOnly(); }
  absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() override {
    return ReadOnly();
  }

 private:
  static absl::Status ReadOnly() { return absl::UnimplementedError("only read here"); }

  const std::unique_ptr<MemoryDirectory> inner_;
  const std::string other_;
  mutable Reads reads_;
};

std::string CheckDamagedAndReported(const Directory& directory) {
  const auto report = Verify(directory);
  if (!report.ok()) return absl::StrCat("(c) cannot be verified: ", report.status().ToString());
  if (report->verdict != Verdict::kDamaged) {
    return absl::StrCat("(c) ", ToString(report->verdict), ", and it is DAMAGED");
  }
  return ReadJournal(directory).status.ok() ? "(b) DAMAGED, and read silently" : "";
}

std::string AnIndexCostsNoMoreThanTheBlocksBeforeIt() {
  JournalBytes files = SealedJournal();
  ReplaceIndexByZeros(files[kFirstSegment], 4 << 20);
  const CountingDirectory directory(files);
  const auto report = Verify(directory);
  if (!report.ok()) return report.status().ToString();
  if (directory.reads().longest <= 1 << 20) return "";
  return absl::StrCat("of an index ", directory.reads().longest, " bytes are read in one call");
}

std::string ATailIsReadInLinearTime() {
  JournalBytes files = UnsealedJournal();
  AppendHeadersThatClaimTheRest(files[kFirstSegment], 512);
  const CountingDirectory directory(files);
  const auto report = Verify(directory, {.deep = false});
  if (!report.ok()) return report.status().ToString();
  const uint64_t file_bytes = files[kFirstSegment].size();
  if (directory.reads().bytes > 16 * file_bytes) {
    return absl::StrCat("of a file of ", file_bytes, " bytes ", directory.reads().bytes,
                        " are read");
  }
  // A window may hold the whole tail, so reads alone do not show how often it is hashed.
  const auto file = directory.OpenForRead(kFirstSegment).value();
  const auto preamble = ReadPreamble(*file).value();
  const uint64_t hashed = ScanSegment(*file, preamble.preamble)->tail_bytes_hashed;
  if (hashed <= 16 * file_bytes) return "";
  return absl::StrCat("of a file of ", file_bytes, " bytes ", hashed, " are hashed");
}

std::string TimesDoNotRunBack() {
  JournalBytes files = SealedJournal();
  ShiftLaterTimes(files[kFirstSegment], -kHour);
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const ReadResult read = ReadJournal(*directory);
  for (size_t i = 1; i < read.records.size(); ++i) {
    if (read.records[i].row.timestamp < read.records[i - 1].row.timestamp) {
      return absl::StrCat("(a) the time of record ", i + 1, " is before that of the one before");
    }
  }
  return CheckDamagedAndReported(*directory);
}

std::string WhatIsNoFileIsDamage() {
  const JournalBytes whole = SmallSegments();
  const PlainJournal plain(whole);
  for (const PlainSegment& segment : plain.segments()) {
    JournalBytes files = whole;
    files.erase(segment.name);
    const std::string violation = CheckDamagedAndReported(CountingDirectory(files, segment.name));
    if (!violation.empty()) return absl::StrCat(segment.name, " is no file: ", violation);
  }
  return "";
}

// A segment's preambles are durable before its first block, and no block is after a cut one.
std::string ACutPreambleIsTornOrDamaged() {
  JournalBytes files = SmallSegments();
  const PlainJournal plain(files);
  const PlainSegment& last = plain.segments().back();
  files[last.name].resize(kPlainPage + 100);
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto torn = Verify(*directory);
  if (!torn.ok() || torn->verdict != Verdict::kTorn) return "(c) a cut preamble is not TORN";
  CHECK_OK(WatermarkFile(*directory)
               .Write({.journal_uuid = TestUuid(),
                       .incarnation = 1000,
                       .durable_block = last.blocks.front().number,
                       .durable_sequence = engine::SequenceNumber(last.first_sequence())}));
  return CheckDamagedAndReported(*directory);
}

std::string AWatermarkBeyondTheEndIsReported() {
  const auto directory = MemoryDirectory::FromSnapshot(UnsealedJournal());
  CHECK_OK(WatermarkFile(*directory)
               .Write({.journal_uuid = TestUuid(),
                       .durable_block = 1000,
                       .durable_sequence = engine::SequenceNumber(5000)}));
  const auto report = Verify(*directory);
  if (!report.ok() || report->verdict != Verdict::kClean) return "(c) it is proof of nothing";
  const auto reader = Reader::Open(*directory);
  const bool is_reported =
      !report->findings.empty() && reader.ok() && !(*reader)->info().warnings.empty();
  return is_reported ? "" : "(b) a watermark beyond the end was not reported";
}

// The journal was restored from a copy, `watermark` stayed, and a writer of the same incarnation
// continues it.
std::string AWatermarkOfAnotherFutureIsNotBelieved() {
  const WriterOptions options = OnePageBlocks();
  JournalBytes copy = UnsealedJournal();
  JournalBytes marked;
  for (const bool is_restored : {false, true}) {
    const auto directory = MemoryDirectory::FromSnapshot(copy);
    if (is_restored) directory->SetContents(kWatermarkFileName, marked[kWatermarkFileName]);
    const auto writer =
        Writer::Open(*directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
    const uint64_t first = writer->next_sequence().value() - 1;
    for (uint64_t i = first; i < first + 20; ++i) {
      OwnedRecord record = SmallLog()[i];
      if (is_restored) record.row.payload[47] ^= std::byte{1};
      CHECK_OK(writer->Append(record.row, record.attachment));
    }
    if (is_restored) {
      CHECK_OK(writer->Write());
      std::vector<OwnedRecord> shown;
      std::string violation = FollowOn(*directory, shown);
      if (!violation.empty() || shown.size() <= first) return violation;
      return absl::StrCat("(f) ", shown.size(), " records are shown, and ", first, " are durable");
    }
    CHECK_OK(writer->Sync());
    CHECK(writer->writing_half().MarkOne());
    marked = directory->Snapshot();
  }
  return "";
}

// A follower polls ten times a second.
std::string AFollowerSeesDamageWithinASecond() {
  JournalBytes files = SmallSegments();
  const PlainJournal plain(files);
  const PlainSegment& last = plain.segments().back();
  const PlainBlock& lost = last.blocks.front();
  std::fill_n(files[last.name].begin() + static_cast<ptrdiff_t>(lost.begin), kPlainPage,
              std::byte{0});
  const auto directory = MemoryDirectory::FromSnapshot(files);
  const auto follower = Follower::Open(*directory, {}).value();
  for (int empty_looks = 0; empty_looks < 9;) {
    const absl::StatusOr<Batch> batch = follower->Poll();
    if (!batch.ok()) return absl::IsDataLoss(batch.status()) ? "" : batch.status().ToString();
    if (batch->empty()) ++empty_looks;
  }
  return "(f) the next block is damaged, and a follower does not report it";
}

}  // namespace

std::string Forgeries() {
  for (const auto& stage :
       {AnIndexCostsNoMoreThanTheBlocksBeforeIt, ATailIsReadInLinearTime, TimesDoNotRunBack,
        WhatIsNoFileIsDamage, ACutPreambleIsTornOrDamaged, AWatermarkBeyondTheEndIsReported,
        AWatermarkOfAnotherFutureIsNotBelieved, AFollowerSeesDamageWithinASecond}) {
    std::string violation = stage();
    if (!violation.empty()) return violation;
  }
  return "";
}

}  // namespace journal
