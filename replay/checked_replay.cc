#include "replay/checked_replay.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/driver.h"

namespace replay {

absl::StatusOr<CheckedReplay> ReplayChecked(
    journal::Reader& reader, Machine& machine, std::vector<journal::Checkpoint> recorded,
    engine::SequenceNumber last,
    absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)> seen) {
  Driver driver(machine);
  journal::LogDigest log;
  CheckpointCheck check(std::move(recorded));
  const auto checkpoint_here = [&] {
    journal::Checkpoint checkpoint = driver.Checkpoint();
    checkpoint.log = log.Value();
    return checkpoint;
  };
  RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
  RETURN_IF_ERROR(driver.Run(
      reader, last, [&](const journal::Record& record, std::span<const engine::Event> events) {
        log.Add(record);
        seen(record, events);
        if (check.WantsAt(record.sequence())) check.Compare(checkpoint_here());
        return true;
      }));
  return CheckedReplay{.last = checkpoint_here(),
                       .record_count = driver.last_applied().value(),
                       .event_count = driver.event_count(),
                       .checkpoints_compared = check.compared_count(),
                       .divergence = check.divergence()};
}

}  // namespace replay
