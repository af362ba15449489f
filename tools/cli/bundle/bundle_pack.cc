#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/checked_replay.h"
#include "replay/output.h"
#include "replay/semantics_version.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/bundle/archive.h"
#include "tools/cli/bundle/bundle.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/clocks.h"
#include "tools/os/machine_facts.h"
#include "tools/os/output_folder.h"

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

absl::StatusOr<const journal::SegmentInfo*> SegmentOf(SequenceNumber sequence,
                                                      const journal::JournalInfo& info) {
  for (const journal::SegmentInfo& segment : info.segments) {
    if (sequence >= segment.first_sequence && sequence <= segment.last_sequence) return &segment;
  }
  return absl::DataLossError(absl::StrCat("no segment has record ", sequence.value()));
}

// Copies records `first` to `last` into a journal of their own, with the same UUID, numbers and
// times. `before` is the header of the state before `first`, if the bundle has it.
// Returns the metadata of the last record's segment.
absl::StatusOr<const journal::JournalMetadata*> CopyRange(
    journal::Reader& reader, SequenceNumber first, SequenceNumber last,
    const std::optional<replay::SnapshotHeader>& before, journal::Directory& to) {
  const journal::JournalInfo& info = reader.info();
  const bool is_whole = first == SequenceNumber::First();
  journal::BulkOrigin origin = {
      .journal_uuid = info.uuid, .segment_index = is_whole ? 0u : 1u, .first_sequence = first};
  if (before.has_value()) {
    origin.previous_timestamp = before->time;
    origin.log_chain = before->log;
  }
  if (!is_whole) {
    RETURN_IF_ERROR(journal::WriteBeginning(
        to, {.journal_uuid = info.uuid,
             .segment_index = origin.segment_index,
             .first_sequence = first,
             .reason =
                 before.has_value() ? "bundled; the snapshot is of what came before" : "bundled"}));
  }
  // Small blocks, so that readers can seek quickly: a bundle is made for inspection.
  ASSIGN_OR_RETURN(const auto writer, journal::BulkWriter::Create(
                                          to, origin, {.block_records = 4096, .zstd_level = 9}));
  RETURN_IF_ERROR(reader.SeekToSequence(first));
  RETURN_IF_ERROR(journal::CopyRecords(reader, last, *writer, [](SequenceNumber) {}));
  if (writer->next_sequence() <= last) {
    return absl::DataLossError("the journal ends before the range does");
  }
  RETURN_IF_ERROR(writer->Close());
  ASSIGN_OR_RETURN(const journal::SegmentInfo* const segment, SegmentOf(last, info));
  return &segment->metadata;
}

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
  std::array<char, 64 << 10> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    take(engine::AsBytes(absl::string_view(buffer.data(), static_cast<size_t>(file.gcount()))));
  }
  if (file.is_open() && !file.bad()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, " cannot be read"));
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
  }
  return archive.Finish();
}

}  // namespace

absl::StatusOr<BundleManifest> PackBundle(const PackOptions& options, Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal from, OpenJournal(options.journal));
  ASSIGN_OR_RETURN(const replay::Application* const application,
                   ApplicationOf(from.reader->info()));
  const bool has_machine = IsOfExchange(from.reader->info());
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(options.range, *from.reader));
  if (range.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(options.journal, " has no records to bundle"));
  }
  // Before the work, so that an existing output is an error immediately.
  const engine::Timestamp created = SystemClock().Now();
  const auto seconds = static_cast<uint64_t>(std::max<int64_t>(created.nanos(), 0)) / 1'000'000'000;
  absl::StatusOr<std::unique_ptr<ArchiveWriter>> archive =
      ArchiveWriter::Create(options.output, options.replace, seconds);
  if (absl::IsAlreadyExists(archive.status())) {
    return absl::AlreadyExistsError(
        absl::StrCat(options.output, " is there already; --force replaces it"));
  }
  RETURN_IF_ERROR(archive.status());
  const journal::JournalInfo& info = from.reader->info();
  // Where there is no machine there is no state to begin with.
  const SequenceNumber before =
      has_machine ? journal::CompleteRunsEnd(range.first - 1) : range.first - 1;
  ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryDirectory> folder, TemporaryDirectory::Make());
  const std::string journal = absl::StrCat(folder->path(), "/journal");
  ASSIGN_OR_RETURN(const auto to,
                   journal::OpenPosixDirectory(journal, journal::DirectoryMode::kCreate));
  std::optional<replay::SnapshotHeader> state_before;
  if (has_machine && before.value() > 0) {
    ASSIGN_OR_RETURN(state_before, TakeSnapshot(from, before, journal, console));
  }
  const auto recorded = RecordedCheckpoints(*from.directory, info, console);
  const SequenceNumber last = EndOf(range, recorded, info);
  ASSIGN_OR_RETURN(const journal::JournalMetadata* const metadata,
                   CopyRange(*from.reader, before.Next(), last, state_before, *to));
  RETURN_IF_ERROR(CopySidecar(recorded, before.Next(), last, info, *to));

  BundleManifest manifest = {
      .created = created.ToString(),
      .build = BuildId(),
      .executable = ExecutableId(),
      .source = options.journal,
      .journal_uuid = info.uuid.ToString(),
      .recorded_by = metadata->build_id,
      .command_line = metadata->created_by,
      .range = absl::StrCat(range.first.value(), "..", range.last.value()),
      .first = before.Next(),
      .last = last,
      .notes = options.notes,
      .machine = ReadMachineFacts(),
  };
  if (has_machine && !options.no_replay) {
    // Runs the copy in the bundle, not the source journal, which proves that the bundle is
    // complete.
    ASSIGN_OR_RETURN(const replay::CheckedReplay run,
                     RunBundle(journal, options.engine, console, manifest.results));
    manifest.engine = std::string(replay::kEngineNames[static_cast<size_t>(options.engine)]);
    manifest.recorded = run.divergence.has_value()        ? run.divergence->ToString()
                        : run.digests_compared.trace == 0 ? "none"
                                                          : "equal";
  }
  manifest.results.semantics_version = application->semantics_version;
  RETURN_IF_ERROR(ListFiles(folder->path(), "journal", manifest.files));
  if (state_before.has_value()) {
    RETURN_IF_ERROR(ListFiles(folder->path(), "journal/snapshots", manifest.files));
  }
  RETURN_IF_ERROR(WriteArchive(folder->path(), manifest, **archive));
  return manifest;
}

absl::StatusOr<replay::CheckedReplay> RunBundle(const std::string& journal,
                                                replay::EngineKind engine, Console& console,
                                                replay::RunResults& results) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(journal));
  const journal::JournalInfo& info = opened.reader->info();
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, info, info.first_sequence - 1, engine, console));
  const bool keeps_marks = info.record_count() <= replay::kMarkedRecordsMax;
  Progress progress(console, "replay", "records", info.record_count());
  ASSIGN_OR_RETURN(replay::CheckedReplay run,
                   replay::ReplayCheckedFrom(
                       start, *opened.reader, RecordedCheckpoints(*opened.directory, info, console),
                       info.last_sequence,
                       [&](const journal::Record& record, std::span<const replay::Output> outputs) {
                         if (keeps_marks) results.marks.push_back(replay::MarkOf(outputs));
                         progress.Update(record.sequence() - info.first_sequence + 1);
                       }));
  results.output_count = run.output_count;
  results.checkpoints = run.checkpoints;
  return run;
}

}  // namespace tools
