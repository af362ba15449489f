#include "tools/cli/read/walk.h"

#include <optional>

#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/output.h"

namespace tools {
absl::Status WalkCommands(
    journal::Reader& reader, const SequenceRange& range, replay::MarketFollower& markets,
    absl::FunctionRef<bool(const engine::Command&, engine::Bytes attachment)> visit) {
  if (range.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(markets.FollowUntil(reader, range.first));
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
    if (!record.has_value()) return absl::OkStatus();
    markets.Follow(*record);
    if (!visit(replay::ToCommand(*record->row), record->attachment)) return absl::OkStatus();
    if (record->sequence() == range.last) return absl::OkStatus();
  }
}

absl::Status WalkEventsFrom(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    replay::MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit) {
  markets.Know(*start.machine);
  replay::Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  return driver.Run(reader, last,
                    [&](const journal::Record& record, std::span<const replay::Output> outputs) {
                      markets.Follow(record);
                      visit(replay::ToCommand(*record.row), replay::AsEvents(outputs));
                      return true;
                    });
}

absl::Status WalkEventsInParts(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    replay::MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit) {
  markets.Know(*start.machine);
  replay::Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  return driver.RunInParts(
      reader, last, [&](const journal::Record& record, std::span<const replay::Output> outputs) {
        if (replay::IsFirstPart(outputs)) markets.Follow(record);
        visit(replay::ToCommand(*record.row), replay::AsEvents(outputs));
      });
}

}  // namespace tools
