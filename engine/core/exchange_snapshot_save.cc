// Saves the state as the parts of a snapshot.

#include <map>

#include "engine/core/exchange.h"
#include "engine/core/snapshot_parts.h"

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
  return accounts;
}

}  // namespace

absl::Status Exchange::Save(SnapshotSink sink) const {
  SnapshotWriter writer(sink);
  writer.Add(SnapshotSummary{.last_applied = last_applied_,
                             .now = now_,
                             .exchange = {.state = state_,
                                          .default_fees = default_fees_,
                                          .held = ledger_.held(),
                                          .fees_collected = ledger_.fees_collected()}});
  for (const auto& [id, definition] : directory_.all()) {
    const Market& market = *markets_.Find(id);
    writer.Add(SnapshotMarket{.definition = definition,
                              .status = {.market = id,
                                         .state = market.state,
                                         .settlement_value = market.settlement_value,
                                         .fees = market.money.fees()}});
  }
  for (const auto& [id, account] : AccountsOf(ledger_, risk_)) writer.Add(account);
  ledger_.VisitPositions([&](AccountId account, MarketId market, int64_t position) {
    writer.Add(SnapshotPosition{.account = account, .market = market, .position = position});
  });
  for (const auto& [key, group] : groups_.all()) {
    writer.Add(GroupStatus{.account = key.first,
                           .group = key.second,
                           .limit = group.limit,
                           .window_nanos = group.window_nanos,
                           .is_tripped = group.is_tripped});
  }
  for (const auto& [key, group] : groups_.all()) {
    for (const OrderGroups::Fill& fill : group.fills) {
      if (!OrderGroups::IsWithin(group, fill, now_)) continue;
      writer.Add(SnapshotGroupFill{
          .account = key.first, .group = key.second, .time = fill.time, .quantity = fill.quantity});
    }
  }
  for (const auto& [id, definition] : directory_.all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      VisitOrders(id, side, [&](const RestingOrder& order) { writer.Add(order); });
    }
  }
  return writer.Finish();
}

}  // namespace engine
