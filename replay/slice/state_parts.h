// The state of an exchange, decoded from snapshot parts into memory.

#ifndef REPLAY_SLICE_STATE_PARTS_H_
#define REPLAY_SLICE_STATE_PARTS_H_

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "replay/machine.h"

namespace replay {

// Selects the part of an exchange to keep: a market, an account, both or all. A regular value type.
struct Interest {
  std::optional<engine::MarketId> market = {};    // Nullopt: all.
  std::optional<engine::AccountId> account = {};  // Nullopt: all.

  bool Has(engine::MarketId id) const { return !market.has_value() || *market == id; }
  bool Has(engine::AccountId id) const { return !account.has_value() || *account == id; }
  bool is_everything() const { return !market.has_value() && !account.has_value(); }
};

// A value type.
struct StateParts {
  engine::SnapshotSummary summary;
  std::vector<engine::SnapshotMarket> markets;
  std::vector<engine::AccountStatus> accounts;
  std::vector<engine::SnapshotPosition> positions;
  std::vector<engine::GroupStatus> groups;
  std::vector<engine::SnapshotGroupFill> group_fills;
  std::vector<engine::RestingOrder> orders;

  void Take(engine::SnapshotSummary&& part) { summary = part; }
  void Take(engine::SnapshotEnd&&) {}
  void Take(std::vector<engine::SnapshotMarket>&& part) { Append(markets, part); }
  void Take(std::vector<engine::AccountStatus>&& part) { Append(accounts, part); }
  void Take(std::vector<engine::SnapshotPosition>&& part) { Append(positions, part); }
  void Take(std::vector<engine::GroupStatus>&& part) { Append(groups, part); }
  void Take(std::vector<engine::SnapshotGroupFill>&& part) { Append(group_fills, part); }
  void Take(std::vector<engine::RestingOrder>&& part) { Append(orders, part); }

 private:
  template <typename Entity>
  static void Append(std::vector<Entity>& all, std::vector<Entity>& part) {
    std::ranges::move(part, std::back_inserter(all));
  }
};

// Returns the parts of the machine's state that match `interest`. Errors: UNIMPLEMENTED for a
// machine that cannot save.
absl::StatusOr<StateParts> TakeStateApart(const Machine& machine, const Interest& interest);

}  // namespace replay

#endif  // REPLAY_SLICE_STATE_PARTS_H_
