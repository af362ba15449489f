#include "replay/snapshot/snapshot_entities.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/state/snapshot_parts.h"

namespace replay {
namespace {

std::string Fees(const engine::FeeSchedule& fees) {
  return absl::StrCat(fees.taker_coefficient, "/", fees.maker_coefficient, "x", fees.multiplier);
}

struct Teller {
  SnapshotEntities& all;

  void operator()(const engine::SnapshotSummary& summary) const {
    all["exchange"] = absl::StrCat("state=", static_cast<int>(summary.exchange.state),
                                   " default_fees=", Fees(summary.exchange.default_fees),
                                   " held=", summary.exchange.held.ToString(),
                                   " fees_collected=", summary.exchange.fees_collected.ToString());
    all["log"] =
        absl::StrCat("sequence=", summary.last_applied.value(), " now=", summary.now.ToString());
  }
  void operator()(const engine::SnapshotEnd&) const {}
  template <typename Entity>
  void operator()(const std::vector<Entity>& list) const {
    for (const Entity& entity : list) Add(entity);
  }

  void Add(const engine::SnapshotMarket& market) const {
    all[absl::StrCat("market ", market.definition.id.value())] = absl::StrCat(
        market.definition.symbol, " state=", static_cast<int>(market.status.state),
        " settlement=", market.status.settlement_value.units(), " fees=", Fees(market.status.fees));
  }
  void Add(const engine::AccountStatus& account) const {
    all[absl::StrCat("account ", account.account.value())] = absl::StrCat(
        account.is_open ? "open balance=" : "closed balance=", account.balance.ToString(),
        " limits=", account.limits.open_orders_max, ",", account.limits.order_quantity_max.units(),
        ",", account.limits.order_notional_max.ToString(), ",",
        account.limits.orders_per_second_max, " rate=", account.rate_count, "@",
        account.rate_second,
        account.standing == engine::AccountStanding::kSuspended ? " suspended" : "");
  }
  void Add(const engine::SnapshotPosition& position) const {
    all[absl::StrCat("position ", position.account.value(), "/", position.market.value())] =
        absl::StrCat(position.position);
  }
  void Add(const engine::PositionLimitStatus& limit) const {
    all[absl::StrCat("position_limit ", limit.account.value(), "/", limit.market.value())] =
        absl::StrCat("limit=", limit.limit.units(), " traded=", limit.traded);
  }
  void Add(const engine::GroupStatus& group) const {
    all[absl::StrCat("group ", group.account.value(), "/", group.group.value())] =
        absl::StrCat("limit=", group.limit.units(), " window=", group.window_nanos, "ns",
                     group.is_tripped ? " tripped" : "");
  }
  void Add(const engine::SnapshotGroupFill& fill) const {
    std::string& fills =
        all[absl::StrCat("group_fills ", fill.account.value(), "/", fill.group.value())];
    absl::StrAppend(&fills, fills.empty() ? "" : " ", fill.quantity.units(), "@",
                    fill.time.nanos());
  }
  void Add(const engine::RestingOrder& order) const {
    all[absl::StrCat("order ", order.id.value())] = absl::StrCat(
        order.side == engine::Side::kBid ? "bid" : "ask", " market=", order.market.value(),
        " account=", order.account.value(), " price=", order.price.units(),
        " remaining=", order.quantity_remaining.units(), " filled=", order.quantity_filled.units(),
        " priority=", order.priority.value(), " tif=", static_cast<int>(order.tif),
        " flags=", order.flags.bits(), " group=", order.group.value(),
        " expires=", order.expires_at.nanos(), " credit=", order.credit.ToString());
  }
};

}  // namespace

absl::Status AddEntities(engine::Bytes bytes, SnapshotEntities& all) {
  ASSIGN_OR_RETURN(const engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
  std::visit(Teller{all}, part);
  return absl::OkStatus();
}

absl::StatusOr<SnapshotEntities> ReadEntities(SnapshotFileReader& reader) {
  SnapshotEntities all;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<engine::Bytes> bytes, reader.Next());
    if (!bytes.has_value()) return all;
    RETURN_IF_ERROR(AddEntities(*bytes, all));
  }
}

std::vector<EntityChange> CompareEntities(const SnapshotEntities& before,
                                          const SnapshotEntities& after) {
  std::vector<EntityChange> changes;
  for (const auto& [entity, was] : before) {
    const auto is = after.find(entity);
    if (is == after.end()) {
      changes.push_back({entity, was, std::nullopt});
    } else if (is->second != was) {
      changes.push_back({entity, was, is->second});
    }
  }
  for (const auto& [entity, is] : after) {
    if (!before.contains(entity)) changes.push_back({entity, std::nullopt, is});
  }
  return changes;
}

}  // namespace replay
