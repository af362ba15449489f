#include "tools/cli/snapshot/deleted_markets.h"

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "replay/engines.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {

absl::Status KnowDeletedMarkets(const journal::Directory& directory,
                                const journal::JournalInfo& info, Console& console,
                                MarketFollower& markets) {
  if (info.first_sequence <= engine::SequenceNumber::First()) return absl::OkStatus();
  // Definitions never change, so the latest snapshot has all that earlier ones have.
  const absl::StatusOr<replay::StartingPoint> start = StartFromSnapshot(
      directory, info, info.last_sequence,
      [] { return replay::MakeEngine(replay::EngineKind::kFast); }, console);
  if (absl::IsFailedPrecondition(start.status())) {
    console.Note("note: the journal begins at @", info.first_sequence.value(),
                 ", and no snapshot that can be used says what its markets are called");
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(start.status());
  markets.Know(*start->machine);
  return absl::OkStatus();
}

}  // namespace tools
