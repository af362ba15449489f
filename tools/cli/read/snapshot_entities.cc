#include "tools/cli/read/snapshot_entities.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/state/snapshot_parts.h"

namespace tools {
namespace {

std::string Key(absl::string_view kind, uint64_t a) { return absl::StrFormat("%s %d", kind, a); }
std::string Key(absl::string_view kind, uint64_t a, uint64_t b) {
  return absl::StrFormat("%s %d/%d", kind, a, b);
}

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
  void operator()(const std::vector<engine::SnapshotMarket>& list) const {
    for (const engine::SnapshotMarket& market : list) {
      all[Key("market", market.definition.id.value())] =
          absl::StrCat(market.definition.symbol, " state=", static_cast<int>(market.status.state),
                       " settlement=", market.status.settlement_value.units(),
                       " fees=", Fees(market.status.fees));
    }
  }
  void operator()(const std::vector<engine::AccountStatus>& list) const {
    for (const engine::AccountStatus& account : list) {
      all[Key("account", account.account.value())] = absl::StrCat(
          account.is_open ? "open balance=" : "closed balance=", account.balance.ToString(),
          " limits=", account.limits.open_orders_max, ",",
          account.limits.order_quantity_max.units(), ",",
          account.limits.order_notional_max.ToString(), ",", account.limits.orders_per_second_max,
          " rate=", account.rate_count, "@", account.rate_second,
          account.standing == engine::AccountStanding::kSuspended ? " suspended" : "");
    }
  }
  void operator()(const std::vector<engine::SnapshotPosition>& list) const {
    for (const engine::SnapshotPosition& position : list) {
      all[Key("position", position.account.value(), position.market.value())] =
          absl::StrCat(position.position);
    }
  }
  void operator()(const std::vector<engine::GroupStatus>& list) const {
    for (const engine::GroupStatus& group : list) {
      all[Key("group", group.account.value(), group.group.value())] =
          absl::StrCat("limit=", group.limit.units(), " window=", group.window_nanos, "ns",
                       group.is_tripped ? " tripped" : "");
    }
  }
  void operator()(const std::vector<engine::SnapshotGroupFill>& list) const {
    for (const engine::SnapshotGroupFill& fill : list) {
      std::string& fills = all[Key("group_fills", fill.account.value(), fill.group.value())];
      absl::StrAppend(&fills, fills.empty() ? "" : " ", fill.quantity.units(), "@",
                      fill.time.nanos());
    }
  }
  void operator()(const std::vector<engine::RestingOrder>& list) const {
    for (const engine::RestingOrder& order : list) {
      all[Key("order", order.id.value())] = absl::StrCat(
          order.side == engine::Side::kBid ? "bid" : "ask", " market=", order.market.value(),
          " account=", order.account.value(), " price=", order.price.units(),
          " remaining=", order.quantity_remaining.units(),
          " filled=", order.quantity_filled.units(), " priority=", order.priority.value(),
          " tif=", static_cast<int>(order.tif), " flags=", order.flags.bits(),
          " group=", order.group.value(), " expires=", order.expires_at.nanos(),
          " credit=", order.credit.ToString());
    }
  }
  void operator()(const engine::SnapshotEnd&) const {}
};

}  // namespace

absl::Status AddEntities(engine::Bytes bytes, SnapshotEntities& all) {
  ASSIGN_OR_RETURN(const engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
  std::visit(Teller{all}, part);
  return absl::OkStatus();
}

absl::StatusOr<SnapshotEntities> ReadEntities(replay::SnapshotFileReader& reader) {
  SnapshotEntities all;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<engine::Bytes> bytes, reader.Next());
    if (!bytes.has_value()) return all;
    RETURN_IF_ERROR(AddEntities(*bytes, all));
  }
}

}  // namespace tools
