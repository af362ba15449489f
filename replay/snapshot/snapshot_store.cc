#include "replay/snapshot/snapshot_store.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/state/snapshot_parts.h"
#include "journal/format/control_file.h"

namespace replay {
namespace {

constexpr absl::string_view kSuffix = ".snap";
constexpr absl::string_view kTemporarySuffix = ".snap.unfinished";
constexpr absl::string_view kProofSuffix = ".proven";
constexpr absl::string_view kMemorySuffix = ".memory";
constexpr absl::string_view kMemoryTemporarySuffix = ".memory.unfinished";
constexpr char kProofTitle[] = "ticktape snapshot proof 1";

std::string NameOf(engine::SequenceNumber sequence, absl::string_view suffix) {
  return absl::StrFormat("%020d%s", sequence.value(), suffix);
}

std::optional<engine::SequenceNumber> SequenceOf(absl::string_view file_name) {
  uint64_t sequence = 0;
  if (!absl::ConsumeSuffix(&file_name, kSuffix) || !engine::ParseInteger(file_name, sequence) ||
      NameOf(engine::SequenceNumber(sequence), "") != file_name) {
    return std::nullopt;
  }
  return engine::SequenceNumber(sequence);
}

absl::Status RemoveIfThere(journal::Directory& directory, absl::string_view name) {
  const absl::Status status = directory.Remove(name);
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

bool IsProven(const journal::Directory& snapshots, const Snapshot& snapshot) {
  const auto proof =
      journal::ReadControlFile(snapshots, NameOf(snapshot.sequence, kProofSuffix), kProofTitle);
  if (!proof.ok()) return false;
  const auto content = proof->Get("content");
  return content.ok() && *content == snapshot.content.ToString();
}

// Returns nullopt if the file was removed since it was listed; a follower that keeps only the
// newest snapshots removes older ones.
std::optional<Snapshot> Describe(const journal::Directory& snapshots,
                                 const journal::Uuid& journal_uuid, engine::SequenceNumber sequence,
                                 const std::string& file_name) {
  Snapshot snapshot;
  snapshot.sequence = sequence;
  snapshot.file_name = file_name;
  const auto reader = SnapshotFileReader::Open(snapshots, file_name);
  if (absl::IsNotFound(reader.status())) return std::nullopt;
  if (!reader.ok()) {
    snapshot.damage = std::string(reader.status().message());
    return snapshot;
  }
  snapshot.header = (*reader)->header();
  snapshot.content = (*reader)->content();
  snapshot.file_bytes = (*reader)->file_bytes();
  if (snapshot.header.journal_uuid != journal_uuid) {
    snapshot.damage =
        absl::StrCat(file_name, ": of journal ", snapshot.header.journal_uuid.ToString(),
                     "; expected ", journal_uuid.ToString());
  } else if (snapshot.header.sequence != sequence) {
    snapshot.damage = absl::StrCat(file_name, ": as of ", snapshot.header.sequence.value(),
                                   "; its name says otherwise");
  } else {
    snapshot.is_proven = IsProven(snapshots, snapshot);
  }
  return snapshot;
}

// A machine allocates memory in proportion to the age of its orders, in commands. The header's
// sequence is limited by the journal's last record, so the first part must have the same one before
// it is loaded.
absl::Status CheckSummary(engine::Bytes part, engine::SequenceNumber sequence) {
  ASSIGN_OR_RETURN(const engine::SnapshotPart parsed, engine::DecodeSnapshotPart(part));
  const auto* const summary = std::get_if<engine::SnapshotSummary>(&parsed);
  if (summary != nullptr && summary->last_applied == sequence) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("its first part is not the summary of the state after ",
                                          sequence.value(), " records"));
}

}  // namespace

absl::StatusOr<std::vector<Snapshot>> ListSnapshots(const journal::Directory& snapshots,
                                                    const journal::Uuid& journal_uuid) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, snapshots.List());
  std::vector<Snapshot> found;
  for (const std::string& name : names) {
    const std::optional<engine::SequenceNumber> sequence = SequenceOf(name);
    if (!sequence.has_value()) continue;
    std::optional<Snapshot> snapshot = Describe(snapshots, journal_uuid, *sequence, name);
    if (!snapshot.has_value()) continue;
    snapshot->has_memory = std::ranges::count(names, NameOf(*sequence, kMemorySuffix)) != 0;
    found.push_back(*std::move(snapshot));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

absl::Status WriteSnapshot(journal::Directory& snapshots, const SnapshotHeader& header,
                           const Machine& machine) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::DirectoryLock> lock, snapshots.Lock());
  const std::string temporary = NameOf(header.sequence, kTemporarySuffix);
  RETURN_IF_ERROR(RemoveIfThere(snapshots, temporary));
  ASSIGN_OR_RETURN(const std::unique_ptr<SnapshotFileWriter> writer,
                   SnapshotFileWriter::Create(snapshots, temporary, header));
  RETURN_IF_ERROR(machine.Save([&](engine::Bytes part) { return writer->Add(part); }));
  RETURN_IF_ERROR(writer->Finish());
  RETURN_IF_ERROR(RemoveIfThere(snapshots, NameOf(header.sequence, kProofSuffix)));
  RETURN_IF_ERROR(snapshots.Replace(temporary, NameOf(header.sequence, kSuffix)));
  return snapshots.Sync();
}

absl::Status RestoreSnapshot(const journal::Directory& snapshots, const Snapshot& snapshot,
                             Machine& machine) {
  if (!snapshot.damage.empty()) return absl::DataLossError(snapshot.damage);
  ASSIGN_OR_RETURN(const std::unique_ptr<SnapshotFileReader> reader,
                   SnapshotFileReader::Open(snapshots, snapshot.file_name));
  bool is_first = true;
  const absl::Status loaded = machine.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    ASSIGN_OR_RETURN(const std::optional<engine::Bytes> part, reader->Next());
    if (std::exchange(is_first, false) && part.has_value()) {
      RETURN_IF_ERROR(CheckSummary(*part, reader->header().sequence));
    }
    return part;
  });
  if (!loaded.ok()) {
    return absl::Status(loaded.code(), absl::StrCat(snapshot.file_name, ": ", loaded.message()));
  }
  const engine::Digest state = machine.StateDigest();
  if (state == reader->header().state) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(snapshot.file_name, ": restored, its state digest is ",
                                          state.ToString(), "; expected ",
                                          reader->header().state.ToString()));
}

absl::Status ProveSnapshot(journal::Directory& snapshots, const Snapshot& snapshot,
                           Machine& fresh) {
  RETURN_IF_ERROR(RestoreSnapshot(snapshots, snapshot, fresh));
  journal::ControlFile proof(kProofTitle);
  proof.Set("sequence", absl::StrCat(snapshot.sequence.value()));
  proof.Set("content", snapshot.content.ToString());
  proof.Set("state", snapshot.header.state.ToString());
  proof.Set("engine", fresh.name());
  return journal::WriteControlFile(snapshots, NameOf(snapshot.sequence, kProofSuffix), proof);
}

absl::Status WriteMemory(journal::Directory& snapshots, const SnapshotHeader& header,
                         const engine::VenueMemory& memory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::DirectoryLock> lock, snapshots.Lock());
  const std::string temporary = NameOf(header.sequence, kMemoryTemporarySuffix);
  RETURN_IF_ERROR(RemoveIfThere(snapshots, temporary));
  SnapshotHeader own = header;
  own.state = memory.MemoryDigest();
  ASSIGN_OR_RETURN(const std::unique_ptr<SnapshotFileWriter> writer,
                   SnapshotFileWriter::Create(snapshots, temporary, own));
  RETURN_IF_ERROR(memory.Save([&](engine::Bytes part) { return writer->Add(part); }));
  RETURN_IF_ERROR(writer->Finish());
  RETURN_IF_ERROR(snapshots.Replace(temporary, NameOf(header.sequence, kMemorySuffix)));
  RETURN_IF_ERROR(snapshots.Sync());
  return ReadMemory(snapshots, header).status();
}

absl::StatusOr<engine::VenueMemory> ReadMemory(const journal::Directory& snapshots,
                                               const SnapshotHeader& header) {
  const std::string name = NameOf(header.sequence, kMemorySuffix);
  ASSIGN_OR_RETURN(const std::unique_ptr<SnapshotFileReader> reader,
                   SnapshotFileReader::Open(snapshots, name));
  const SnapshotHeader& own = reader->header();
  if (own.journal_uuid != header.journal_uuid || own.sequence != header.sequence ||
      own.log != header.log) {
    return absl::DataLossError(absl::StrCat(name, ": of another log than the snapshot"));
  }
  engine::VenueMemory memory;
  const absl::Status loaded = memory.Load([&] { return reader->Next(); });
  if (!loaded.ok()) {
    return absl::Status(loaded.code(), absl::StrCat(name, ": ", loaded.message()));
  }
  if (memory.MemoryDigest() == own.state) return memory;
  return absl::DataLossError(absl::StrCat(name, ": loaded, its digest is ",
                                          memory.MemoryDigest().ToString(), "; expected ",
                                          own.state.ToString()));
}

absl::Status RemoveSnapshot(journal::Directory& snapshots, engine::SequenceNumber sequence) {
  RETURN_IF_ERROR(RemoveIfThere(snapshots, NameOf(sequence, kProofSuffix)));
  RETURN_IF_ERROR(RemoveIfThere(snapshots, NameOf(sequence, kSuffix)));
  RETURN_IF_ERROR(RemoveIfThere(snapshots, NameOf(sequence, kMemorySuffix)));
  return snapshots.Sync();
}

}  // namespace replay
