#include <cstdint>
#include <set>

#include "absl/status/status.h"
#include "engine/core/account_digest.h"
#include "engine/core/snapshot.h"
#include "engine/state/snapshot_parts.h"

namespace engine {

absl::Status SaveSnapshot(const VenueState& venue, SnapshotSink sink) {
  SnapshotWriter writer(sink);
  writer.Add(SnapshotSummary{
      .last_applied = venue.last_applied, .now = venue.now, .exchange = venue.status()});
  for (const auto& [id, definition] : venue.directory.all()) {
    const Market& market = *venue.markets.Find(id);
    writer.Add(SnapshotMarket{.definition = definition, .status = market.status()});
  }
  std::set<AccountId> accounts;  // A suspended account is open.
  venue.ledger.VisitAccounts([&](AccountId id, const AccountState&) { accounts.insert(id); });
  for (const auto& [id, counts] : venue.risk.accounts()) accounts.insert(id);
  for (const AccountId id : accounts) writer.Add(StatusOf(id, venue.ledger, venue.risk));
  venue.ledger.VisitPositions([&](AccountId account, MarketId market, int64_t position) {
    writer.Add(SnapshotPosition{.account = account, .market = market, .position = position});
  });
  venue.position_limits.Visit(
      [&](const PositionLimitStatus& status, const auto&) { writer.Add(status); });
  for (const auto& [key, group] : venue.groups.all()) writer.Add(StatusOf(key, group));
  for (const auto& [key, group] : venue.groups.all()) {
    for (const OrderGroups::Fill& fill : group.fills) {
      if (!OrderGroups::IsWithin(group, fill, venue.now)) continue;
      writer.Add(SnapshotGroupFill{
          .account = key.first, .group = key.second, .time = fill.time, .quantity = fill.quantity});
    }
  }
  for (const auto& [id, definition] : venue.directory.all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      venue.VisitOrders(id, side, [&](const RestingOrder& order) { writer.Add(order); });
    }
  }
  return writer.Finish();
}

}  // namespace engine
