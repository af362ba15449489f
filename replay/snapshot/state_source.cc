#include "replay/snapshot/state_source.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

// Returns why the snapshot cannot be used, without reading its parts; empty if it may be usable.
std::string Unfit(const Snapshot& snapshot, const journal::JournalInfo& info,
                  uint32_t semantics_version) {
  if (!snapshot.damage.empty()) return snapshot.damage;
  if (!snapshot.is_proven) return absl::StrCat(snapshot.file_name, ": not proven yet");
  if (snapshot.header.semantics_version != semantics_version) {
    return absl::StrCat(snapshot.file_name, ": of semantics version ",
                        snapshot.header.semantics_version, "; this engine has ", semantics_version);
  }
  if (snapshot.sequence.Next() < info.first_sequence) {
    return absl::StrCat(snapshot.file_name, ": the journal begins at ",
                        info.first_sequence.value());
  }
  return "";
}

}  // namespace

absl::StatusOr<StartingPoint> FindStart(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests,
                                        const journal::JournalInfo& info,
                                        engine::SequenceNumber at_most, MachineFactory make,
                                        WithMemory with_memory) {
  StartingPoint start;
  start.machine = make();
  std::vector<Snapshot> found;
  if (snapshots != nullptr) {
    ASSIGN_OR_RETURN(found, ListSnapshots(*snapshots, info.uuid));
  }
  for (const Snapshot& snapshot : found) {
    if (snapshot.sequence > std::min(at_most, info.last_readable)) continue;
    std::string unfit = Unfit(snapshot, info, start.machine->semantics_version());
    if (unfit.empty()) {
      const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
      if (!absl::IsFailedPrecondition(is_of_journal)) RETURN_IF_ERROR(is_of_journal);
      if (!is_of_journal.ok()) {
        unfit = absl::StrCat(snapshot.file_name, ": ", is_of_journal.message());
      }
    }
    if (unfit.empty() && with_memory == WithMemory::kYes) {
      absl::StatusOr<engine::VenueMemory> memory = ReadMemory(*snapshots, snapshot.header);
      if (memory.ok()) {
        start.memory = *std::move(memory);
      } else {
        unfit = absl::StrCat("no memory of a venue: ", memory.status().message());
      }
    }
    if (unfit.empty()) {
      const absl::Status restored = RestoreSnapshot(*snapshots, snapshot, *start.machine);
      if (restored.ok()) {
        start.snapshot = snapshot.header;
        return start;
      }
      unfit = std::string(restored.message());
      start.machine = make();
    }
    start.warnings.push_back(absl::StrCat("snapshot skipped: ", unfit));
  }
  if (info.first_sequence > engine::SequenceNumber::First()) {
    return absl::FailedPreconditionError(
        absl::StrCat(info.path, " begins at @", info.first_sequence.value(),
                     ", so its state comes from a snapshot, and no proven one is there from @",
                     info.first_sequence.value() - 1, " to @", at_most.value(),
                     start.warnings.empty() ? "" : ": ", absl::StrJoin(start.warnings, "; ")));
  }
  if (with_memory == WithMemory::kYes) start.memory.emplace();
  return start;
}

absl::StatusOr<StartingPoint> OpenState(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests, journal::Reader& reader,
                                        engine::SequenceNumber sequence, MachineFactory make) {
  ASSIGN_OR_RETURN(StartingPoint start,
                   FindStart(snapshots, digests, reader.info(), sequence, make));
  RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
  Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(driver.RunInParts(reader, sequence, [](const auto&, auto) {}));
  if (driver.last_applied() < sequence) {
    return absl::OutOfRangeError(absl::StrCat(
        "@", sequence.value(), " is after the journal's end, @", driver.last_applied().value()));
  }
  return start;
}

SnapshotTaker::SnapshotTaker(StartingPoint& start, const journal::Uuid& journal_uuid,
                             std::string build)
    : driver_(*start.machine),
      memory_(start.memory),
      log_(start.log_digest()),
      journal_uuid_(journal_uuid),
      build_(std::move(build)) {
  start.Resume(driver_);
  if (start.snapshot.has_value()) time_ = start.snapshot->time;
}

void SnapshotTaker::Apply(const journal::Record& record) {
  driver_.ApplyInParts(record, [&](const journal::Record&, std::span<const Output> outputs) {
    if (!memory_.has_value()) return;
    memory_->OnApplied(ToCommand(*record.row), record.attachment, AsEvents(outputs));
  });
  log_.Add(record);
  time_ = record.timestamp();
}

absl::Status SnapshotTaker::ApplyUntil(engine::SequenceNumber last, journal::Reader& reader,
                                       absl::FunctionRef<void(engine::SequenceNumber)> applied) {
  RETURN_IF_ERROR(reader.SeekToSequence(last_applied().Next()));
  while (last_applied() < last) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
    if (!record.has_value()) {
      return absl::DataLossError(absl::StrCat(reader.info().path, " ends too early"));
    }
    Apply(*record);
    applied(last_applied());
  }
  return absl::OkStatus();
}

absl::StatusOr<Snapshot> SnapshotTaker::Take(journal::Directory& snapshots, MachineFactory make) {
  CHECK(can_take()) << last_applied();
  const journal::Checkpoint here = driver_.Checkpoint();
  const SnapshotHeader header = {.journal_uuid = journal_uuid_,
                                 .sequence = here.sequence,
                                 .time = time_,
                                 .log = log_.Value(),
                                 .trace = *here.trace,
                                 .state = *here.state,
                                 .event_count = driver_.output_count(),
                                 .semantics_version = driver_.machine().semantics_version(),
                                 .engine = std::string(driver_.machine().name()),
                                 .build = build_};
  if (memory_.has_value()) RETURN_IF_ERROR(WriteMemory(snapshots, header, *memory_));
  RETURN_IF_ERROR(WriteSnapshot(snapshots, header, driver_.machine()));
  ASSIGN_OR_RETURN(const std::vector<Snapshot> all, ListSnapshots(snapshots, journal_uuid_));
  for (Snapshot snapshot : all) {
    if (snapshot.sequence != here.sequence) continue;
    RETURN_IF_ERROR(ProveSnapshot(snapshots, snapshot, *make()));
    snapshot.is_proven = true;
    return snapshot;
  }
  return absl::DataLossError(absl::StrCat("the snapshot as of ", here.sequence.value(),
                                          " is not there after it was written"));
}

}  // namespace replay
