#include "tools/cli/replay/replay_walk.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/snapshot_file.h"

namespace tools {

absl::Status WalkEvents(
    journal::Reader& reader, engine::SequenceNumber last, MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit) {
  const engine::SequenceNumber first = reader.info().first_sequence;
  if (reader.info().record_count() == 0) return absl::OkStatus();
  if (first != engine::SequenceNumber::First()) {
    return absl::UnimplementedError(
        absl::StrCat("the journal begins at @", first.value(),
                     "; an engine can only be driven from a journal that begins at @1"));
  }
  replay::StartingPoint start{
      .machine = std::make_unique<replay::ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  return WalkEventsFrom(start, reader, last, markets, visit);
}

absl::Status WalkEventsFrom(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit) {
  markets.Know(*start.machine);
  // Nothing is compared here, so nothing needs the state's digest.
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
