#include "replay/snapshot/snapshot_taker.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "replay/snapshot/snapshot_store.h"

namespace replay {

SnapshotTaker::SnapshotTaker(StartingPoint& start, const journal::Uuid& journal_uuid,
                             std::string build)
    : driver_(*start.machine),
      log_(start.last_applied(),
           start.snapshot.has_value() ? start.snapshot->log : engine::Digest()),
      journal_uuid_(journal_uuid),
      build_(std::move(build)) {
  if (!start.snapshot.has_value()) return;
  driver_.ResumeAt(CheckpointOf(*start.snapshot), start.snapshot->event_count);
  time_ = start.snapshot->time;
}

void SnapshotTaker::Apply(const journal::Record& record) {
  driver_.Apply(record);
  log_.Add(record);
  time_ = record.timestamp();
}

SnapshotHeader SnapshotTaker::HeaderHere() const {
  CHECK(can_take()) << last_applied();
  const journal::Checkpoint here = driver_.Checkpoint();
  return {.journal_uuid = journal_uuid_,
          .sequence = here.sequence,
          .time = time_,
          .log = log_.Value(),
          .trace = *here.trace,
          .state = *here.state,
          .event_count = driver_.output_count(),
          .semantics_version = driver_.machine().semantics_version(),
          .engine = std::string(driver_.machine().name()),
          .build = build_};
}

absl::Status SnapshotTaker::Take(journal::Directory& snapshots, MachineFactory make) {
  RETURN_IF_ERROR(WriteSnapshot(snapshots, HeaderHere(), driver_.machine()));
  ASSIGN_OR_RETURN(const std::vector<Snapshot> all, ListSnapshots(snapshots, journal_uuid_));
  for (const Snapshot& snapshot : all) {
    if (snapshot.sequence != last_applied()) continue;
    const std::unique_ptr<Machine> fresh = make();
    return ProveSnapshot(snapshots, snapshot, *fresh);
  }
  return absl::DataLossError(absl::StrCat("the snapshot as of ", last_applied().value(),
                                          " is not there after it was written"));
}

}  // namespace replay
