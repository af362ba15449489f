// A snapshot is a file, and files rot: a state that breaks a rule of the exchange is refused.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/core/live_orders.h"
#include "engine/core/matching.h"
#include "engine/core/order_rules.h"
#include "engine/core/rules.h"
#include "engine/core/snapshot.h"
#include "engine/state/snapshot_parts.h"
#include "engine/types/quantity.h"

namespace engine {
namespace {

// In commands. The order index takes eight bytes for every 1,024 of them.
constexpr uint64_t kOrderAgeMax = uint64_t{1} << 37;
constexpr uint64_t kSequenceMax = uint64_t{1} << 62;
// Far above what orders within the highest limit can trade, and far below what an int64_t holds.
constexpr int64_t kTradedMax = 4'000'000'000'000'000'000;

template <typename... Parts>
absl::Status Refuse(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat(parts...));
}

// Puts parts into a state to which nothing has been applied.
// Not thread-safe: owned by one call of LoadSnapshot.
class Loader {
 public:
  explicit Loader(VenueState& venue) : venue_(venue) {}

  absl::Status Take(const SnapshotPart& part) {
    if (next_kind_ == 0 && part.index() != 0) return Refuse("no summary in front");
    if (part.index() < next_kind_) {
      return Refuse("a part of kind ", part.index() + 1, " after one of kind ", last_kind_ + 1);
    }
    last_kind_ = part.index();
    const bool is_list = last_kind_ != 0 && last_kind_ != std::variant_size_v<SnapshotPart> - 1;
    next_kind_ = last_kind_ + (is_list ? 0 : 1);
    return std::visit([&](const auto& of_kind) { return TakePart(of_kind); }, part);
  }

  // Call it after the last part.
  absl::Status Finish();

 private:
  template <typename Entity>
  absl::Status TakePart(const std::vector<Entity>& list) {
    counts_.counts[last_kind_ - 1] += list.size();
    for (const Entity& entity : list) RETURN_IF_ERROR(TakeEntity(entity));
    return absl::OkStatus();
  }
  absl::Status TakePart(const SnapshotSummary& summary);
  absl::Status TakePart(const SnapshotEnd& end);
  absl::Status TakeEntity(const SnapshotMarket& market);
  absl::Status TakeEntity(const AccountStatus& account);
  absl::Status TakeEntity(const SnapshotPosition& position);
  absl::Status TakeEntity(const PositionLimitStatus& limit);
  absl::Status TakeEntity(const GroupStatus& group);
  absl::Status TakeEntity(const SnapshotGroupFill& fill);
  absl::Status TakeEntity(const RestingOrder& order);

  absl::Status CheckOrder(const RestingOrder& order, const Market& market) const;
  absl::Status CheckPlace(const RestingOrder& order, int64_t rank);
  absl::Status CheckTotals() const;
  absl::Status IndexOrders();

  VenueState& venue_;
  size_t last_kind_ = 0;
  size_t next_kind_ = 0;  // The lowest kind that may follow.
  SnapshotEnd counts_;

  std::optional<AccountId> last_account_;
  __int128 balances_ = 0;
  __int128 pairs_ = 0;
  std::map<MarketId, __int128> positions_;  // Their sums.

  // Of the previous order.
  std::tuple<MarketId, Side, int64_t, SequenceNumber> last_place_ = {};
  std::vector<std::pair<OrderId, Slot>> orders_;
};

absl::Status Loader::TakePart(const SnapshotSummary& summary) {
  const ExchangeStatus& status = summary.exchange;
  if (summary.last_applied.value() > kSequenceMax) {
    return Refuse("sequence ", summary.last_applied.value(), "; expected at most 2^62");
  }
  if (status.state < ExchangeState::kActive || status.state > ExchangeState::kHalted) {
    return Refuse("exchange state ", static_cast<int>(status.state), "; expected 1 to 3");
  }
  if (!IsSound(status.default_fees)) return Refuse("a default fee rate of 1 or more");
  for (const Money total : {status.held, status.fees_collected}) {
    if (total < Money() || total > kMoneyMax) {
      return Refuse("a total of ", total.ToString(), " dollars; expected 0 to ",
                    kMoneyMax.ToString());
    }
  }
  venue_.last_applied = summary.last_applied;
  venue_.now = summary.now;
  venue_.state = status.state;
  venue_.default_fees = status.default_fees;
  venue_.ledger.RestoreTotals(status.held, status.fees_collected);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const SnapshotMarket& entity) {
  const MarketDefinition& definition = entity.definition;
  const MarketStatus& status = entity.status;
  const bool is_binary = definition.kind == MarketKind::kBinary;
  const auto refuse = [&](const auto&... what) {
    return Refuse("market ", definition.id.value(), ": ", what...);
  };
  if (definition.id == MarketId()) return refuse("zero is not a market");
  const MarketState last = is_binary ? MarketState::kSettled : MarketState::kClosed;
  if (status.state < MarketState::kUnopened || status.state > last) {
    return refuse("state ", static_cast<int>(status.state), "; expected 1 to ",
                  static_cast<int>(last));
  }
  if (!IsSound(status.fees)) return refuse("a fee rate of 1 or more");
  if (!is_binary && status.fees != FeeSchedule()) return refuse("fees of an equity market");
  if (status.state < MarketState::kDetermined && status.settlement_value != Price()) {
    return refuse("a settlement value before it is determined");
  }
  if (is_binary && !ContractMoney(definition).IsSettlementValue(status.settlement_value)) {
    return refuse("settlement value ", status.settlement_value.units(), "; expected 0 to 1 dollar");
  }
  if (!venue_.directory.Add(definition)) return refuse("its id or symbol is taken");
  Market& market = AddMarket(venue_, definition, status.fees);
  market.MoveTo(status.state);
  venue_.markets.SetSettlementValue(market, status.settlement_value);
  venue_.market_sum.Add(DigestOfMarket(definition));
  AddMarketStatus(status, venue_.market_sum);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const AccountStatus& account) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("account ", account.account.value(), ": ", what...);
  };
  if (account.account == AccountId()) return refuse("zero is not an account");
  if (last_account_.has_value() && account.account <= *last_account_) {
    return refuse("after account ", last_account_->value(), "; expected ascending ids");
  }
  last_account_ = account.account;
  const Money balance = account.balance;
  if (balance < Money() || balance > kMoneyMax || balance.micros() % kBalanceStepMicros != 0) {
    return refuse("a balance of ", balance.ToString(),
                  " dollars; expected a multiple of 0.0001, not below zero");
  }
  if (!account.is_open && balance != Money()) return refuse("a balance, but it is not open");
  const RiskLimits& limits = account.limits;
  const bool has_limits = limits != RiskLimits();
  if (!account.is_open && !has_limits) return refuse("neither open nor limited");
  const bool is_suspended = account.standing == AccountStanding::kSuspended;
  if (!account.is_open && is_suspended) return refuse("suspended, but it is not open");
  if (limits.order_notional_max < Money()) return refuse("a notional limit below zero");
  const int64_t first_second = SecondOf(Timestamp::Min());
  if (account.rate_count > limits.orders_per_second_max ||
      (account.rate_count == 0
           ? account.rate_second != 0
           : account.rate_second > SecondOf(venue_.now) || account.rate_second < first_second)) {
    return refuse(account.rate_count, " commands in second ", account.rate_second,
                  "; expected at most ", limits.orders_per_second_max, " in a second from ",
                  first_second, " to ", SecondOf(venue_.now));
  }
  if (account.is_open) {
    venue_.ledger.RestoreAccount(account.account, balance);
    balances_ += balance.micros();
  }
  if (has_limits) {
    venue_.risk.Restore(account.account, {.limits = limits,
                                          .open_orders = 0,
                                          .second = account.rate_second,
                                          .commands = account.rate_count});
  }
  if (is_suspended) venue_.risk.SetStanding(account.account, account.standing);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const SnapshotPosition& entity) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("position of account ", entity.account.value(), " in market ",
                  entity.market.value(), ": ", what...);
  };
  const Market* const market = venue_.markets.Find(entity.market);
  if (market == nullptr || !market->has_money()) {
    return refuse("there is no such binary market with money");
  }
  if (market->state == MarketState::kSettled) return refuse("the market is settled");
  if (!venue_.ledger.IsOpen(entity.account)) return refuse("the account is not open");
  if (entity.position == 0) return refuse("zero; expected those that are not");
  const __int128 each = market->money().Pair(Quantity::FromUnits(1)).micros();
  const __int128 contracts = entity.position;
  const __int128 pairs = each * (contracts < 0 ? -contracts : contracts);
  if (pairs > kMoneyMax.micros()) {
    return refuse(entity.position, " contracts are more than can be paid for");
  }
  if (venue_.ledger.PositionOf(entity.account, entity.market) != 0) return refuse("twice");
  venue_.ledger.RestorePosition(entity.account, entity.market, market->money(), entity.position);
  positions_[entity.market] += entity.position;
  if (entity.position > 0) pairs_ += pairs;
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const PositionLimitStatus& entity) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("position limit of account ", entity.account.value(), " in market ",
                  entity.market.value(), ": ", what...);
  };
  const Market* const market = venue_.markets.Find(entity.market);
  if (market == nullptr) return refuse("there is no such market");
  if (entity.account == AccountId()) return refuse("zero is not an account");
  if (entity.limit.is_zero() || entity.limit > kPositionLimitMax) {
    return refuse("limit ", entity.limit.units(), "; expected 1 to ", kPositionLimitMax.units());
  }
  const int64_t traded_max = market->is_binary() ? 0 : kTradedMax;
  if (entity.traded < -traded_max || entity.traded > traded_max) {
    return refuse("traded ", entity.traded, "; expected at most ", traded_max, " either way");
  }
  if (venue_.position_limits.Find(entity.account, entity.market) != nullptr) return refuse("twice");
  venue_.position_limits.Restore(entity);
  venue_.risk.SetPositionLimited(entity.account, true);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const GroupStatus& entity) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("group ", entity.group.value(), " of account ", entity.account.value(), ": ",
                  what...);
  };
  if (entity.account == AccountId() || entity.group == GroupId()) {
    return refuse("zero is neither a group nor an account");
  }
  if (entity.limit.is_zero() || entity.window_nanos <= 0) {
    return refuse("limit ", entity.limit.units(), " in ", entity.window_nanos,
                  " ns; expected both above zero");
  }
  const OrderGroups::Key key = {entity.account, entity.group};
  if (venue_.groups.all().contains(key)) return refuse("twice");
  venue_.groups.Restore(key, entity.limit, entity.window_nanos, entity.is_tripped);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const SnapshotGroupFill& entity) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("a fill of group ", entity.group.value(), " of account ", entity.account.value(),
                  ": ", what...);
  };
  const OrderGroups::Key key = {entity.account, entity.group};
  const auto found = venue_.groups.all().find(key);
  if (found == venue_.groups.all().end()) return refuse("there is no such group");
  const OrderGroups::Fill fill = {.time = entity.time, .quantity = entity.quantity};
  if (fill.quantity.is_zero()) return refuse("quantity 0");
  const OrderGroups::Fills& before = found->second.fills;
  if (fill.time > venue_.now || !OrderGroups::IsWithin(found->second, fill, venue_.now) ||
      (!before.empty() && before.back().time >= fill.time)) {
    return refuse("at ", fill.time.nanos(), " ns; expected ascending times within its window");
  }
  venue_.groups.RestoreFill(key, fill);
  return absl::OkStatus();
}

absl::Status Loader::TakeEntity(const RestingOrder& order) {
  const auto refuse = [&](const auto&... what) {
    return Refuse("order ", order.id.value(), ": ", what...);
  };
  Market* const market = venue_.markets.Find(order.market);
  if (market == nullptr) return refuse("there is no market ", order.market.value());
  RETURN_IF_ERROR(CheckOrder(order, *market));
  market->Include(order.price);
  const int64_t rank = market->RankAt(order.side, order.price);
  RETURN_IF_ERROR(CheckPlace(order, rank));
  const Slot slot = StoreOrder(venue_, order);
  if (market->has_money()) {
    const Money required = Requirement(venue_, *market, slot, order.quantity_remaining);
    if (!venue_.ledger.CanReserve(order.account, order.market, order.side, required)) {
      return refuse("account ", order.account.value(), " cannot pay for it");
    }
  }
  market->book.Add(slot, order.side, rank);
  Register(venue_, *market, slot);
  Reserve(venue_, *market, slot);
  orders_.emplace_back(order.id, slot);
  return absl::OkStatus();
}

absl::Status Loader::CheckOrder(const RestingOrder& order, const Market& market) const {
  const auto refuse = [&](const auto&... what) {
    return Refuse("order ", order.id.value(), ": ", what...);
  };
  const MarketDefinition& definition = market.definition();
  if (order.id == OrderId() || order.id.value() > order.priority.value() ||
      order.priority > venue_.last_applied) {
    return refuse("priority ", order.priority.value(), "; expected one from its id to ",
                  venue_.last_applied.value());
  }
  if (!IsValid(order.side) || !Rests(order.tif) || !order.flags.is_defined() ||
      order.flags.reduce_only()) {
    return refuse("side ", static_cast<int>(order.side), ", time in force ",
                  static_cast<int>(order.tif), ", flags ", order.flags.bits(),
                  "; expected those of an order that rests");
  }
  if (CheckPrice(order.price, definition) != RejectReason::kNone) {
    return refuse("price ", order.price.units(), " is none of market ", market.id().value());
  }
  const uint64_t lot = definition.lot.units();
  if (order.quantity_remaining.is_zero() || order.quantity_remaining > kQuantityMax ||
      order.quantity_filled > kQuantityMax || order.quantity_total() > kQuantityMax ||
      order.quantity_remaining.units() % lot != 0 || order.quantity_filled.units() % lot != 0) {
    return refuse(order.quantity_remaining.units(), " remain of it and ",
                  order.quantity_filled.units(), " are filled; expected multiples of ", lot,
                  ", something that remains, and together at most ", kQuantityMax.units());
  }
  const bool expires = order.tif == TimeInForce::kGoodTillTime;
  if (expires ? order.expires_at <= venue_.now : order.expires_at != Timestamp()) {
    return refuse("it expires at ", order.expires_at.nanos(), " ns; expected ",
                  expires ? "a time to come" : "zero");
  }
  const int64_t credit_end = market.has_money() ? kBalanceStepMicros : 1;
  if (order.credit < Money() || order.credit.micros() >= credit_end) {
    return refuse("a credit of ", order.credit.ToString(), " dollars");
  }
  const bool may_rest = market.is_binary() ? market.state == MarketState::kOpen ||
                                                 market.state == MarketState::kPaused
                                           : market.state != MarketState::kUnopened;
  if (!may_rest) return refuse("market ", market.id().value(), " has no orders in its state");
  if (market.is_mirrored() && order.account != AccountId()) {
    return refuse("account ", order.account.value(), " in a mirrored market; expected zero");
  }
  if (market.has_money() && !venue_.ledger.IsOpen(order.account)) {
    return refuse("account ", order.account.value(), " is not open");
  }
  if (venue_.risk.IsSuspended(order.account)) {
    return refuse("account ", order.account.value(), " is suspended");
  }
  if (venue_.groups.CheckMember({order.account, order.group}) != RejectReason::kNone) {
    return refuse("group ", order.group.value(), " does not exist or has tripped");
  }
  return absl::OkStatus();
}

// Orders come by market, side, rank and priority, none twice, and bids are below asks except in a
// mirrored market (E2, E3).
absl::Status Loader::CheckPlace(const RestingOrder& order, int64_t rank) {
  // Compares prices, because the ranks of a market change when its grid does.
  const int64_t of_price = RankOf(order.side, static_cast<uint64_t>(order.price.units()));
  const auto place = std::tuple(order.market, order.side, of_price, order.priority);
  if (!orders_.empty() && place <= last_place_) {
    return Refuse("order ", order.id.value(), ": it stands after order ",
                  orders_.back().first.value(),
                  "; expected markets ascending, bids before asks, the best price first, and of a "
                  "price the earliest");
  }
  last_place_ = place;
  const Market& market = *venue_.markets.Find(order.market);
  if (order.side == Side::kAsk && WouldTrade(market, Side::kAsk, LimitOf(rank))) {
    return Refuse("order ", order.id.value(), ": it crosses the bids of market ",
                  order.market.value());
  }
  return absl::OkStatus();
}

absl::Status Loader::TakePart(const SnapshotEnd& end) {
  for (size_t i = 0; i < end.counts.size(); ++i) {
    if (end.counts[i] != counts_.counts[i]) {
      return Refuse(counts_.counts[i], " entities of kind ", i + 2, "; expected ", end.counts[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status Loader::Finish() {
  if (last_kind_ != std::variant_size_v<SnapshotPart> - 1) {
    return Refuse("it ends after a part of kind ", last_kind_ + 1, "; expected the end's part");
  }
  RETURN_IF_ERROR(CheckTotals());
  RETURN_IF_ERROR(IndexOrders());
  venue_.UpdateFastPathTimes();
  return absl::OkStatus();
}

absl::Status Loader::CheckTotals() const {
  for (const auto& [market, sum] : positions_) {
    if (sum != 0) return Refuse("positions in market ", market.value(), " do not sum to zero");
  }
  const Ledger& ledger = venue_.ledger;
  if (balances_ + pairs_ + ledger.fees_collected().micros() != ledger.held().micros()) {
    return Refuse("balances, contracts and fees are not together the ", ledger.held().ToString(),
                  " dollars that are held (E1)");
  }
  return absl::OkStatus();
}

absl::Status Loader::IndexOrders() {
  std::sort(orders_.begin(), orders_.end());
  const OrderId next = OrderId(venue_.last_applied.value() + 1);
  const OrderId first = orders_.empty() ? next : orders_.front().first;
  if (next.value() - first.value() > kOrderAgeMax) {
    return Refuse("order ", first.value(), ": older than ", kOrderAgeMax, " commands");
  }
  venue_.index.BeginAt(first);
  OrderId last;
  for (const auto& [id, slot] : orders_) {
    if (id == last) return Refuse("order ", id.value(), ": twice");
    venue_.index.Insert(id, slot);
    last = id;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LoadSnapshot(VenueState& venue, SnapshotSource source) {
  CHECK_EQ(venue.last_applied, SequenceNumber());
  Loader loader(venue);
  for (uint64_t number = 1;; ++number) {
    const auto in_part = [&](const absl::Status& status) {
      return absl::Status(status.code(),
                          absl::StrCat("snapshot part ", number, ": ", status.message()));
    };
    ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, source());
    if (!bytes.has_value()) {
      const absl::Status status = loader.Finish();
      return status.ok() ? status : in_part(status);
    }
    const absl::StatusOr<SnapshotPart> part = DecodeSnapshotPart(*bytes);
    if (!part.ok()) return in_part(part.status());
    if (absl::Status status = loader.Take(*part); !status.ok()) return in_part(status);
  }
}

}  // namespace engine
