#include "tools/cli/replay/replay_walk.h"

#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/snapshot/snapshot_file.h"

namespace tools {

absl::Status WalkEventsFrom(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit) {
  markets.Know(*start.machine);
  // Nothing is compared here, so the state digest is not needed.
  replay::Driver driver(*start.machine, {.check_state = false});
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  return driver.Run(reader, last,
                    [&](const journal::Record& record, std::span<const engine::Event> events) {
                      markets.Follow(record);
                      visit(replay::ToCommand(*record.row), events);
                      return true;
                    });
}

}  // namespace tools
