#include "tools/cli/read/record_walk.h"

#include <optional>

#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "replay/command_row.h"

namespace tools {

absl::Status WalkCommands(
    journal::Reader& reader, const SequenceRange& range, MarketFollower& markets,
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

}  // namespace tools
