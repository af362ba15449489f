// The state as a snapshot, and back. Whether a snapshot is sound is not asked a second time: the
// fast exchange's Load has done so before (replay/reference_machine.cc).

#include <utility>
#include <variant>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/core/snapshot_parts.h"
#include "engine/core/state_digest.h"
#include "engine/core/testing/reference_exchange.h"

namespace engine {

absl::Status ReferenceExchange::Save(SnapshotSink sink) const {
  SnapshotWriter writer(sink);
  writer.Add(SnapshotSummary{.last_applied = last_applied_,
                             .now = now_,
                             .exchange = {state_, default_fees_, held_, fees_collected_}});
  for (const auto& [id, market] : markets_) {
    writer.Add(SnapshotMarket{.definition = *market.definition,
                              .status = {id, market.state, market.settlement_value, market.fees}});
  }
  for (const auto& [id, account] : accounts_) {
    if (!account.is_open && account.limits == RiskLimits()) continue;
    writer.Add(AccountStatus{id, account.is_open, account.balance, account.limits,
                             account.rate_second, account.rate_count});
  }
  for (const auto& [key, holding] : holdings_) {
    if (holding.contracts == 0) continue;
    writer.Add(SnapshotPosition{key.first, key.second, holding.contracts});
  }
  for (const auto& [key, group] : groups_) {
    writer.Add(
        GroupStatus{key.first, key.second, group.limit, group.window_nanos, group.is_tripped});
  }
  for (const auto& [key, group] : groups_) {
    for (const auto& [time, quantity] : group.fills) {
      if (!IsWithin(group, time, now_)) continue;
      writer.Add(SnapshotGroupFill{key.first, key.second, time, quantity});
    }
  }
  for (const auto& [id, market] : markets_) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      market.Walk(side, [&](const RestingOrder& order) {
        writer.Add(order);
        return true;
      });
    }
  }
  return writer.Finish();
}

absl::Status ReferenceExchange::Load(SnapshotSource source) {
  CHECK_EQ(last_applied_, SequenceNumber());
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, source());
    if (!bytes.has_value()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const SnapshotPart part, DecodeSnapshotPart(*bytes));
    std::visit([this](const auto& entities) { Restore(entities); }, part);
  }
}

void ReferenceExchange::Restore(const SnapshotSummary& summary) {
  last_applied_ = summary.last_applied;
  now_ = summary.now;
  state_ = summary.exchange.state;
  default_fees_ = summary.exchange.default_fees;
  held_ = summary.exchange.held;
  fees_collected_ = summary.exchange.fees_collected;
}

void ReferenceExchange::Restore(const SnapshotMarket& saved) {
  const MarketId id = saved.definition.id;
  CHECK(directory_.Add(saved.definition)) << "market " << id;
  Market& market = markets_[id];
  market.definition = directory_.Find(id);
  market.digest = DigestOfMarket(saved.definition);
  market.state = saved.status.state;
  market.fees = saved.status.fees;
  market.settlement_value = saved.status.settlement_value;
}

void ReferenceExchange::Restore(const AccountStatus& saved) {
  accounts_[saved.account] = {saved.is_open, saved.balance, saved.limits, saved.rate_second,
                              saved.rate_count};
}

void ReferenceExchange::Restore(const SnapshotPosition& saved) {
  SetHolding(saved.account, saved.market, {.contracts = saved.position});
}

void ReferenceExchange::Restore(const GroupStatus& saved) {
  Group& group = groups_[{saved.account, saved.group}];
  group.limit = saved.limit;
  group.window_nanos = saved.window_nanos;
  group.is_tripped = saved.is_tripped;
}

void ReferenceExchange::Restore(const SnapshotGroupFill& saved) {
  Group& group = groups_.at({saved.account, saved.group});
  group.fills.emplace_back(saved.time, saved.quantity);
  group.filled += saved.quantity;
}

}  // namespace engine
