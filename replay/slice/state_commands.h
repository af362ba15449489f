// The commands that lead a new exchange to the state of another: what a log that begins in the
// middle of another one begins with.
//
//   state ─► markets · accounts, money · positions (trades) · fees · groups, their fills (trades) ·
//            orders · money to the cent · limits · markets and exchange paused, closed, settled
//
// Orders have new numbers and come in the order of their old ones, each at its old place in its
// queue. Commands carry the time of the state, or of the oldest fill that counts in a group.

#ifndef REPLAY_SLICE_STATE_COMMANDS_H_
#define REPLAY_SLICE_STATE_COMMANDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/slice/state_parts.h"

namespace replay {

// An order of the old state in the new one. A regular value type.
struct EnteredOrder {
  engine::OrderId id;
  engine::Quantity filled;  // Was filled before; the new order knows nothing of it.
};

// What their clients call orders, by the orders' old numbers. For look-ups only.
using ClientIds = absl::flat_hash_map<uint64_t, engine::ClientOrderId>;

struct StateCommands {
  Log log;                                             // Numbered from 1. The first makes no order.
  absl::flat_hash_map<uint64_t, EnteredOrder> orders;  // By their old numbers. For look-ups only.
  std::vector<std::string> lost;                       // What no command can bring back, in words.
};

// An order enters under its client's id, which no state has: `client_ids` does, or it is lost.
// Errors: UNIMPLEMENTED for a machine that cannot save its state.
absl::StatusOr<StateCommands> CommandsThatLeadTo(const Machine& machine, const Interest& interest,
                                                 const ClientIds& client_ids);

}  // namespace replay

#endif  // REPLAY_SLICE_STATE_COMMANDS_H_
