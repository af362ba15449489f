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
#include "replay/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

struct Inspection {
  MarketFollower markets;
  engine::DepthView depth;
  std::optional<engine::OrderHistory> history;  // Of the order that was asked for.

  engine::Command command;  // The last one applied.
  std::vector<std::byte> attachment;
  std::vector<engine::Event> events;  // Its events.

  // Since the start; of a snapshot, its orders count as commands.
  std::map<engine::MarketId, uint64_t> command_counts;

  // The defined market with most commands, the lowest id of those; null when none is defined.
  const engine::MarketDefinition* BusiestMarket() const;
};

// Replays from `start`, which is before `last`, up to and including that. The history of an order
// is whole only from the first record on. Errors: as WalkEventsFrom.
absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    engine::SequenceNumber last,
                                                    std::optional<engine::OrderId> order,
                                                    Progress& progress);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECTION_H_
