// The commands that bring a new exchange to the state of another one: the beginning of a log that
// starts in the middle of another log.
//
//   state ─► markets · accounts, money · positions (trades) · fees · groups, their fills (trades) ·
//            orders · money to the cent · limits · markets and exchange paused, closed, settled
//
// Orders get new numbers, in the order of their old ones, and keep their positions in their queues.
// Commands carry the time of the state, or that of the oldest fill that counts in a group.

#ifndef REPLAY_SLICE_STATE_COMMANDS_H_
#define REPLAY_SLICE_STATE_COMMANDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "replay/log_source.h"

namespace replay {

// The state of an exchange, or a part of it. A value type.
struct StateParts {
  engine::SnapshotSummary summary;
  std::vector<engine::SnapshotMarket> markets;
  std::vector<engine::AccountStatus> accounts;
  std::vector<engine::SnapshotPosition> positions;
  std::vector<engine::PositionLimitStatus> position_limits;
  std::vector<engine::GroupStatus> groups;
  std::vector<engine::SnapshotGroupFill> group_fills;
  std::vector<engine::RestingOrder> orders;
};

// A state, divided by market in one pass. Not thread-safe: owned by its caller.
class StateOfMarkets {
 public:
  StateOfMarkets() = default;
  explicit StateOfMarkets(StateParts state);

  // Returns the entities of one market, and those that have no market.
  StateParts Of(engine::MarketId market) const;

 private:
  StateParts common_;                                          // What has no market.
  absl::flat_hash_map<engine::MarketId, StateParts> markets_;  // Only these; for look-ups only.
};

// The new order that stands for an order of the old state. A regular value type.
struct EnteredOrder {
  engine::OrderId id;
  engine::Quantity filled;  // Filled in the old state; not part of the new order.
};

// The client order ids, by the orders' old numbers. For look-ups only.
using ClientIds = absl::flat_hash_map<uint64_t, engine::ClientOrderId>;

struct StateCommands {
  Log log;  // Numbered from 1. The first command makes no order.
  absl::flat_hash_map<uint64_t, EnteredOrder> orders;  // By their old numbers. For look-ups only.
  std::vector<std::string> lost;                       // What no command can restore, in words.
};

// The state does not hold client order ids: orders get theirs from `client_ids`, or lose them.
StateCommands CommandsThatLeadTo(StateParts state, const ClientIds& client_ids);

}  // namespace replay

#endif  // REPLAY_SLICE_STATE_COMMANDS_H_
