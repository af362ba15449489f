#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "engine/core/snapshot.h"
#include "engine/state/snapshot_parts.h"

namespace engine {
namespace {

std::map<AccountId, AccountStatus> AccountsOf(const Ledger& ledger, const RiskControl& risk) {
  std::map<AccountId, AccountStatus> accounts;
  ledger.VisitAccounts([&](AccountId id, const AccountState& state) {
    accounts[id] = {.account = id, .is_open = true, .balance = state.balance};
  });
  for (const auto& [id, counts] : risk.accounts()) {
    AccountStatus& status = accounts[id];
    status.account = id;
    status.limits = counts.limits;
    status.rate_second = counts.second;
    status.rate_count = counts.commands;
  }
  for (const AccountId id : risk.suspended()) {
    accounts[id].standing = AccountStanding::kSuspended;
  }
  return accounts;
}

}  // namespace

absl::Status SaveSnapshot(const VenueState& venue, SnapshotSink sink) {
  SnapshotWriter writer(sink);
  writer.Add(SnapshotSummary{
      .last_applied = venue.last_applied, .now = venue.now, .exchange = venue.status()});
  for (const auto& [id, definition] : venue.directory.all()) {
    const Market& market = *venue.markets.Find(id);
    writer.Add(SnapshotMarket{.definition = definition, .status = market.status()});
  }
  for (const auto& [id, account] : AccountsOf(venue.ledger, venue.risk)) writer.Add(account);
  venue.ledger.VisitPositions([&](AccountId account, MarketId market, int64_t position) {
    writer.Add(SnapshotPosition{.account = account, .market = market, .position = position});
  });
  for (const auto& [key, group] : venue.groups.all()) {
    writer.Add(GroupStatus{.account = key.first,
                           .group = key.second,
                           .limit = group.limit,
                           .window_nanos = group.window_nanos,
                           .is_tripped = group.is_tripped});
  }
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
