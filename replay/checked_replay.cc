#include "replay/checked_replay.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/driver.h"

namespace replay {

namespace {

using Seen = absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)>;

absl::StatusOr<CheckedReplay> ReplayFrom(const std::optional<SnapshotHeader>& snapshot,
                                         journal::Reader& reader, Machine& machine,
                                         std::vector<journal::Checkpoint> recorded,
                                         engine::SequenceNumber last, Seen seen) {
  Driver driver(machine);
  if (snapshot.has_value()) driver.ResumeAt(CheckpointOf(*snapshot), snapshot->event_count);
  journal::LogDigest log(driver.last_applied(),
                         snapshot.has_value() ? snapshot->log : engine::Digest());
  const engine::SequenceNumber before = driver.last_applied();
  const uint64_t events_before = driver.event_count();
  CheckpointCheck check(std::move(recorded));
  const auto checkpoint_here = [&] {
    journal::Checkpoint checkpoint = driver.Checkpoint();
    checkpoint.log = log.Value();
    return checkpoint;
  };
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.Run(
      reader, last, [&](const journal::Record& record, std::span<const engine::Event> events) {
        log.Add(record);
        seen(record, events);
        if (check.WantsAt(record.sequence())) check.Compare(checkpoint_here());
        return true;
      }));
  return CheckedReplay{.last = checkpoint_here(),
                       .record_count = driver.last_applied() - before,
                       .event_count = driver.event_count() - events_before,
                       .checkpoints_compared = check.compared_count(),
                       .divergence = check.divergence()};
}

}  // namespace

absl::StatusOr<CheckedReplay> ReplayChecked(journal::Reader& reader, Machine& machine,
                                            std::vector<journal::Checkpoint> recorded,
                                            engine::SequenceNumber last, Seen seen) {
  if (reader.info().first_sequence > engine::SequenceNumber::First()) {
    return absl::FailedPreconditionError(
        absl::StrCat(reader.info().path, " begins at @", reader.info().first_sequence.value(),
                     "; expected @1, or a snapshot to begin from"));
  }
  return ReplayFrom(std::nullopt, reader, machine, std::move(recorded), last, seen);
}

absl::StatusOr<CheckedReplay> ReplayCheckedFrom(StartingPoint& start, journal::Reader& reader,
                                                std::vector<journal::Checkpoint> recorded,
                                                engine::SequenceNumber last, Seen seen) {
  return ReplayFrom(start.snapshot, reader, *start.machine, std::move(recorded), last, seen);
}

}  // namespace replay
