#include "replay/snapshot/state_source.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/snapshot/snapshot_store.h"

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
                                        engine::SequenceNumber at_most, MachineFactory make) {
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
      if (absl::IsFailedPrecondition(is_of_journal)) {
        unfit = absl::StrCat(snapshot.file_name, ": ", is_of_journal.message());
      } else {
        RETURN_IF_ERROR(is_of_journal);
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
  return start;
}

absl::StatusOr<StartingPoint> OpenState(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests, journal::Reader& reader,
                                        engine::SequenceNumber sequence, MachineFactory make) {
  ASSIGN_OR_RETURN(StartingPoint start,
                   FindStart(snapshots, digests, reader.info(), sequence, make));
  RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
  Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(driver.Run(reader, sequence, [](const auto&, auto) { return true; }));
  if (driver.last_applied() < sequence) {
    return absl::OutOfRangeError(absl::StrCat(
        "@", sequence.value(), " is after the journal's end, @", driver.last_applied().value()));
  }
  return start;
}

}  // namespace replay
