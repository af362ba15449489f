// The exchange as it stood after one record of a journal: what `inspect` shows.

#ifndef TOOLS_CLI_REPLAY_INSPECTION_H_
#define TOOLS_CLI_REPLAY_INSPECTION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "journal/reader.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/replay/inspect_accounts.h"

namespace tools {

struct Inspection {
  MarketFollower markets;
  engine::DepthView depth;
  std::optional<engine::OrderHistory> history;  // Of the order that was asked for.
  std::optional<engine::OrderHistory> life;     // The same to its end, if that was asked for.
  std::optional<InspectedAccount> account;      // That was asked for.

  engine::Command command;  // The last one applied.
  std::vector<std::byte> attachment;
  std::vector<engine::Event> events;  // Its events.

  // Since the start; of a snapshot, its orders count as commands.
  std::map<engine::MarketId, uint64_t> command_counts;

  // The defined market with most commands, the lowest id of those; null when none is defined.
  const engine::MarketDefinition* BusiestMarket() const;
};

// What is to be found out beside the books. A regular value type.
struct InspectRequest {
  engine::SequenceNumber last;  // Up to and including this record.
  std::optional<engine::OrderId> order = {};
  bool whole_life = false;  // Of the order: also what comes behind `last`.
  std::optional<engine::AccountId> account = {};
};

// The depth as it would be, had the machine's orders just come, and stayed.
void SeedDepth(const replay::Machine& machine, engine::DepthView& depth);

// Replays from `start`, which is before `last`, and before the order's command. Its machine is one
// of replay/engines.h where an account is asked for. Errors: as WalkEventsFrom.
absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    const InspectRequest& request,
                                                    Progress& progress);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECTION_H_
