#include "tools/cli/bundle/bundle_pack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/digest_sidecar.h"
#include "journal/format/beginning.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/log_source.h"
#include "replay/semantics_version.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/bundle/archive.h"
#include "tools/cli/bundle/bundle_run.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/machine_facts.h"
#include "tools/os/system_clock.h"
#include "tools/os/temporary_directory.h"

namespace tools {
namespace {

using engine::SequenceNumber;

// Takes a proven snapshot of the state after `at`, which ends a run of 4096, into the snapshot
// folder of `to`. Returns its header.
absl::StatusOr<replay::SnapshotHeader> TakeSnapshot(const OpenedJournal& from, SequenceNumber at,
                                                    const std::string& to, Console& console) {
  const journal::JournalInfo& info = from.reader->info();
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*from.directory, info, at, replay::EngineKind::kFast, console));
  replay::SnapshotTaker taker(start, info.uuid, BuildId());
  Progress progress(console, "snapshot", "records", at.value());
  RETURN_IF_ERROR(taker.ApplyUntil(
      at, *from.reader, [&](SequenceNumber applied) { progress.Update(applied.value()); }));
  ASSIGN_OR_RETURN(const auto snapshots, OpenSnapshotsForWriting(to));
  const auto make_fast = [] { return replay::MakeEngine(replay::EngineKind::kFast); };
  ASSIGN_OR_RETURN(const replay::Snapshot taken, taker.Take(*snapshots, make_fast));
  return taken.header;
}

// Copies records `first` to `last` into a journal of their own, with the same UUID, numbers and
// times.
class RangeCopy {
 public:
  RangeCopy(journal::Reader& reader, SequenceNumber first, SequenceNumber last)
      : reader_(reader), first_(first), last_(last) {}

  // `before` is the header of the state before `first_`; required unless that is record 1.
  absl::Status CopyTo(journal::Directory& to, const std::optional<replay::SnapshotHeader>& before) {
    const journal::JournalInfo& info = reader_.info();
    const bool is_whole = first_ == SequenceNumber::First();
    journal::BulkOrigin origin = {
        .journal_uuid = info.uuid, .segment_index = is_whole ? 0u : 1u, .first_sequence = first_};
    if (before.has_value()) {
      origin.previous_timestamp = before->time;
      origin.log_chain = before->log;
    }
    if (!is_whole) {
      RETURN_IF_ERROR(
          journal::WriteBeginning(to, {.journal_uuid = info.uuid,
                                       .segment_index = origin.segment_index,
                                       .first_sequence = first_,
                                       .reason = "bundled; the snapshot is of what came before"}));
    }
    // Small blocks, so that readers can seek quickly: a bundle is made for inspection.
    ASSIGN_OR_RETURN(const auto writer, journal::BulkWriter::Create(
                                            to, origin, {.block_records = 4096, .zstd_level = 9}));
    RETURN_IF_ERROR(reader_.SeekToSequence(first_));
    while (writer->next_sequence() <= last_) {
      ASSIGN_OR_RETURN(const journal::Batch batch, reader_.NextBatch());
      if (batch.empty()) return absl::DataLossError("the journal ends before the range does");
      RETURN_IF_ERROR(SegmentOf(batch.rows.front().sequence, *writer));
      RETURN_IF_ERROR(
          writer->Append(replay::PartOf(batch, 0, last_ - writer->next_sequence() + 1)));
    }
    return writer->Close();
  }

  // The segment of the last record.
  const journal::SegmentInfo* segment() const { return segment_; }

 private:
  // Begins a new segment where the metadata changes, because a segment has one metadata.
  absl::Status SegmentOf(SequenceNumber sequence, journal::BulkWriter& writer) {
    for (const journal::SegmentInfo& segment : reader_.info().segments) {
      if (sequence < segment.first_sequence || sequence > segment.last_sequence) continue;
      if (&segment == segment_) return absl::OkStatus();
      const bool begins = segment_ == nullptr || !(segment_->metadata == segment.metadata);
      segment_ = &segment;
      return begins ? writer.BeginSegment(segment.metadata, segment.created) : absl::OkStatus();
    }
    return absl::DataLossError(absl::StrCat("no segment has record ", sequence.value()));
  }

  journal::Reader& reader_;
  const SequenceNumber first_;
  const SequenceNumber last_;
  const journal::SegmentInfo* segment_ = nullptr;
};

// Returns the end of the range, or the recorded run's next checkpoint if that is less than a
// checkpoint interval away: without it, the end could not be compared with the recorded run.
SequenceNumber EndOf(const SequenceRange& range, const std::vector<journal::Checkpoint>& recorded,
                     const journal::JournalInfo& info) {
  for (const journal::Checkpoint& checkpoint : recorded) {
    if (checkpoint.sequence < range.last) continue;
    const bool is_near = checkpoint.sequence - range.last < journal::kCheckpointInterval;
    return is_near && checkpoint.sequence <= info.last_sequence ? checkpoint.sequence : range.last;
  }
  return range.last;
}

// Copies the recorded run's checkpoints within the range.
absl::Status CopySidecar(const std::vector<journal::Checkpoint>& recorded, SequenceNumber first,
                         SequenceNumber last, const journal::JournalInfo& info,
                         journal::Directory& to) {
  std::unique_ptr<journal::SidecarWriter> writer;
  for (const journal::Checkpoint& checkpoint : recorded) {
    if (checkpoint.sequence < first || checkpoint.sequence > last) continue;
    if (writer == nullptr) {
      ASSIGN_OR_RETURN(writer, journal::SidecarWriter::Create(to, info.uuid));
    }
    RETURN_IF_ERROR(writer->Append(checkpoint));
  }
  return writer == nullptr ? absl::OkStatus() : writer->Close();
}

absl::Status ForEachPiece(const std::string& path, const std::function<void(engine::Bytes)>& take) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::UnavailableError(absl::StrCat(path, " cannot be read"));
  std::array<char, 64 << 10> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    take(engine::AsBytes(absl::string_view(buffer.data(), static_cast<size_t>(file.gcount()))));
  }
  if (file.bad()) return absl::UnavailableError(absl::StrCat(path, " cannot be read"));
  return absl::OkStatus();
}

absl::Status ListFiles(const std::string& folder, const std::string& prefix,
                       std::vector<BundledFile>& files) {
  ASSIGN_OR_RETURN(const auto directory,
                   journal::OpenPosixDirectory(absl::StrCat(folder, "/", prefix),
                                               journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory->List());
  for (const std::string& name : names) {
    BundledFile file{.name = absl::StrCat(prefix, "/", name)};
    engine::Digester digester;
    RETURN_IF_ERROR(ForEachPiece(absl::StrCat(folder, "/", file.name), [&](engine::Bytes bytes) {
      digester.Add(bytes);
      file.bytes += bytes.size();
    }));
    file.hash = digester.Finish();
    files.push_back(std::move(file));
  }
  return absl::OkStatus();
}

absl::Status WriteArchive(const std::string& folder, const BundleManifest& manifest,
                          ArchiveWriter& archive) {
  const std::string text = FormatManifest(manifest);
  if (text.size() > kManifestBytesMax) {
    return absl::InvalidArgumentError("the range is too long for a bundle: its manifest alone");
  }
  archive.Begin(kManifestName, text.size());
  archive.Write(engine::AsBytes(text));
  for (const BundledFile& file : manifest.files) {
    archive.Begin(file.name, file.bytes);
    uint64_t bytes = 0;
    RETURN_IF_ERROR(ForEachPiece(absl::StrCat(folder, "/", file.name), [&](engine::Bytes piece) {
      bytes += piece.size();
      if (bytes <= file.bytes) archive.Write(piece);
    }));
    // The file is in the temporary folder, where another process may have changed it.
    if (bytes != file.bytes) {
      return absl::UnavailableError(absl::StrCat(folder, "/", file.name, " has ", bytes,
                                                 " bytes; expected ", file.bytes, " as before"));
    }
    if (bytes == 0) archive.Write({});
  }
  return archive.Finish();
}

uint64_t SecondsOf(engine::Timestamp time) {
  return static_cast<uint64_t>(std::max<int64_t>(time.nanos(), 0)) / 1'000'000'000;
}

std::string DescribeRecorded(const BundleRun& run) {
  if (run.from_recorded.has_value()) return run.from_recorded->ToString();
  return run.recorded_compared == 0 ? "none" : "equal";
}

}  // namespace

absl::StatusOr<BundleManifest> PackBundle(const PackOptions& options, Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal from, OpenJournal(options.journal));
  RETURN_IF_ERROR(CheckIsOfExchange(from.reader->info()));
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(options.range, *from.reader));
  if (range.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(options.journal, " has no records to bundle"));
  }
  // Before the work, so that an existing output is an error immediately.
  const engine::Timestamp created = SystemClock().Now();
  absl::StatusOr<std::unique_ptr<ArchiveWriter>> archive =
      ArchiveWriter::Create(options.output, options.replace, SecondsOf(created));
  if (absl::IsAlreadyExists(archive.status())) {
    return absl::AlreadyExistsError(
        absl::StrCat(options.output, " is there already; --force replaces it"));
  }
  RETURN_IF_ERROR(archive.status());
  const journal::JournalInfo& info = from.reader->info();
  const SequenceNumber before = journal::CompleteRunsEnd(range.first - 1);
  ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryDirectory> folder, TemporaryDirectory::Make());
  const std::string journal = absl::StrCat(folder->path(), "/journal");
  ASSIGN_OR_RETURN(const auto to,
                   journal::OpenPosixDirectory(journal, journal::DirectoryMode::kCreate));
  std::optional<replay::SnapshotHeader> state_before;
  if (before.value() > 0) {
    ASSIGN_OR_RETURN(state_before, TakeSnapshot(from, before, journal, console));
  }
  const auto recorded = RecordedCheckpoints(*from.directory, info, console);
  const SequenceNumber last = EndOf(range, recorded, info);
  RangeCopy copy(*from.reader, before.Next(), last);
  RETURN_IF_ERROR(copy.CopyTo(*to, state_before));
  RETURN_IF_ERROR(CopySidecar(recorded, before.Next(), last, info, *to));

  BundleManifest manifest;
  manifest.created = created.ToString();
  manifest.build = BuildId();
  manifest.executable = ExecutableId();
  manifest.semantics_version = replay::kSemanticsVersion;
  manifest.source = options.journal;
  manifest.journal_uuid = info.uuid.ToString();
  manifest.recorded_by = copy.segment()->metadata.build_id;
  manifest.command_line = copy.segment()->metadata.created_by;
  manifest.range = absl::StrCat(range.first.value(), "..", range.last.value());
  manifest.first = before.Next();
  manifest.last = last;
  manifest.notes = options.notes;
  manifest.machine = ReadMachineFacts();
  if (options.drives) {
    // Runs the copy in the bundle, not the source journal, which proves that the bundle is
    // complete.
    ASSIGN_OR_RETURN(const BundleRun run, RunBundle(journal, options.engine, console));
    manifest.engine = std::string(replay::kEngineNames[static_cast<size_t>(options.engine)]);
    manifest.event_count = run.event_count;
    manifest.checkpoints = run.checkpoints;
    manifest.marks = run.marks;
    manifest.recorded = DescribeRecorded(run);
  }
  RETURN_IF_ERROR(ListFiles(folder->path(), "journal", manifest.files));
  if (before.value() > 0) {
    RETURN_IF_ERROR(ListFiles(folder->path(), "journal/snapshots", manifest.files));
  }
  RETURN_IF_ERROR(WriteArchive(folder->path(), manifest, **archive));
  return manifest;
}

}  // namespace tools
