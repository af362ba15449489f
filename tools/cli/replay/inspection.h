// The state of the exchange after one record of a journal, for `inspect`.

#ifndef TOOLS_CLI_REPLAY_INSPECTION_H_
#define TOOLS_CLI_REPLAY_INSPECTION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "journal/reader.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/replay/inspect_accounts.h"

namespace tools {

// `words` is a symbol, or '#' and a market's number. Errors: INVALID_ARGUMENT that names some
// markets.
absl::StatusOr<const engine::MarketDefinition*> FindMarket(const std::string& words,
                                                           const engine::MarketDirectory& markets);

struct Inspection {
  MarketFollower markets;
  engine::DepthView depth;
  std::optional<engine::OrderHistory> history;  // Of the requested order.
  std::optional<engine::OrderHistory> life;     // The same up to the order's end, if requested.
  std::optional<InspectedAccount> account;      // If requested.

  engine::Command command;  // The last command applied.
  std::vector<std::byte> attachment;
  std::vector<engine::Event> events;  // Of `command`.

  // Commands per market since the start; for a snapshot, each of its orders counts as a command.
  std::map<engine::MarketId, uint64_t> command_counts;

  // Returns the defined market with the most commands, of those the one with the lowest id; null if
  // none is defined.
  const engine::MarketDefinition* BusiestMarket() const;
};

// What to look up besides the books. A regular value type.
struct InspectRequest {
  engine::SequenceNumber last;  // The last record to apply.
  std::optional<engine::OrderId> order = {};
  bool whole_life = false;  // Also follow the order after `last`.
  std::optional<engine::AccountId> account = {};
};

// Adds the machine's resting orders to `depth`, as if they had just been accepted.
void SeedDepth(const replay::Machine& machine, engine::DepthView& depth);

// Replays from `start`. REQUIRES: `start` is before `last` and before the order's command; its
// machine is one of replay/engines.h if an account is requested. Errors: as WalkEventsFrom().
absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    const InspectRequest& request,
                                                    Progress& progress);

// What part of the exchange is shown.
struct InspectTopic {
  std::string path;
  const engine::MarketDefinition* market = nullptr;  // Null: no market is defined yet.
  size_t depth = 10;
  // Shows the queue of this price level instead of the book.
  std::optional<std::pair<engine::Side, engine::Price>> queue = {};
};

Report MakeReport(const Inspection& inspection, const InspectTopic& topic);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECTION_H_
