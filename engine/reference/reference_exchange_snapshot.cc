// Saves the state as a snapshot and loads it. A loaded state must be one that the rules allow. This
// code validates it independently: each entity as it is read, and what concerns several of them at
// the end.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/reference/reference_attachments.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"

namespace engine {
namespace {

constexpr uint64_t kLastSequenceMax = uint64_t{1} << 62;
// In commands, for both engines: the fast one keeps an index of these ids.
constexpr uint64_t kOrderAgeMax = uint64_t{1} << 37;
// Far above what orders within the highest limit can trade, and far below what an int64_t holds.
constexpr int64_t kTradedMax = 4'000'000'000'000'000'000;

#define EXPECT_OR_REFUSE(condition, ...)                     \
  do {                                                       \
    if (!(condition)) {                                      \
      return absl::DataLossError(absl::StrCat(__VA_ARGS__)); \
    }                                                        \
  } while (false)

bool IsTotal(Money money) { return money >= Money() && money <= kMoneyMax; }

__int128 PowerOfTen(int exponent) {
  __int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

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
                             account.rate_second, account.rate_count, account.standing});
  }
  for (const auto& [key, holding] : holdings_) {
    if (holding.contracts == 0) continue;
    writer.Add(SnapshotPosition{key.first, key.second, holding.contracts});
  }
  for (const auto& [key, limited] : position_limits_) {
    writer.Add(PositionLimitStatus{key.first, key.second, limited.limit, limited.traded});
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
  Loading loading;
  for (uint64_t number = 1;; ++number) {
    const auto in_part = [&](const absl::Status& status) {
      return status.ok() ? status
                         : absl::DataLossError(
                               absl::StrCat("snapshot part ", number, ": ", status.message()));
    };
    ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, source());
    if (!bytes.has_value()) return in_part(CheckLoaded(loading));
    const absl::StatusOr<SnapshotPart> part = DecodeSnapshotPart(*bytes);
    if (!part.ok()) return in_part(part.status());
    RETURN_IF_ERROR(in_part(Restore(*part, loading)));
  }
}

// Parts come in the order of their kinds: the summary and the end once, lists any number of times.
absl::Status ReferenceExchange::Restore(const SnapshotPart& part, Loading& loading) {
  const size_t kind = part.index();
  constexpr size_t kEnd = std::variant_size_v<SnapshotPart> - 1;
  const bool is_next =
      loading.last_kind.has_value()
          ? *loading.last_kind < kind || (*loading.last_kind == kind && kind != 0 && kind != kEnd)
          : kind == 0;
  EXPECT_OR_REFUSE(is_next, "a part of kind ", kind + 1, " out of order");
  loading.last_kind = kind;
  return std::visit(
      [&](const auto& entities) -> absl::Status {
        if constexpr (requires { entities.size(); }) {
          for (const auto& entity : entities) {
            ++loading.counts[kind - 1];
            RETURN_IF_ERROR(Restore(entity, loading));
          }
          return absl::OkStatus();
        } else {
          return Restore(entities, loading);
        }
      },
      part);
}

absl::Status ReferenceExchange::Restore(const SnapshotSummary& summary, Loading&) {
  const ExchangeStatus& status = summary.exchange;
  EXPECT_OR_REFUSE(summary.last_applied.value() <= kLastSequenceMax,
                   "a last sequence number above 2^62");
  EXPECT_OR_REFUSE(status.state == ExchangeState::kActive ||
                       status.state == ExchangeState::kPaused ||
                       status.state == ExchangeState::kHalted,
                   "an unknown state of the exchange");
  EXPECT_OR_REFUSE(IsSoundForReference(status.default_fees), "unsound default fees");
  EXPECT_OR_REFUSE(IsTotal(status.held) && IsTotal(status.fees_collected), "a total outside 0 to ",
                   kMoneyMax.ToString());
  last_applied_ = summary.last_applied;
  now_ = summary.now;
  state_ = status.state;
  default_fees_ = status.default_fees;
  held_ = status.held;
  fees_collected_ = status.fees_collected;
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const SnapshotMarket& saved, Loading&) {
  const MarketDefinition& definition = saved.definition;
  const MarketStatus& status = saved.status;
  const bool is_binary = definition.kind == MarketKind::kBinary;
  const std::string name = absl::StrCat("market ", definition.id.value());
  EXPECT_OR_REFUSE(IsSoundForReference(definition), name, ": an unsound definition");
  EXPECT_OR_REFUSE(IsSoundForReference(status.fees), name, ": unsound fees");
  EXPECT_OR_REFUSE(is_binary || status.fees == FeeSchedule(), name, ": fees without money");
  switch (status.state) {
    case MarketState::kUnopened:
    case MarketState::kOpen:
    case MarketState::kPaused:
    case MarketState::kClosed:
      EXPECT_OR_REFUSE(status.settlement_value == Price(), name, ": a value, but not determined");
      break;
    case MarketState::kDetermined:
    case MarketState::kSettled:
      EXPECT_OR_REFUSE(is_binary, name, ": determined, but not binary");
      EXPECT_OR_REFUSE(status.settlement_value >= Price() &&
                           status.settlement_value.units() <= PowerOfTen(definition.price_decimals),
                       name, ": a value outside 0 to 1 dollar");
      break;
    default:
      EXPECT_OR_REFUSE(false, name, ": an unknown state");
  }
  EXPECT_OR_REFUSE(directory_.Add(definition), name, ": its number or symbol is taken");
  Market& market = markets_[definition.id];
  market.definition = directory_.Find(definition.id);
  market.digest = DigestOfMarket(definition);
  market.state = status.state;
  market.fees = status.fees;
  market.settlement_value = status.settlement_value;
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const AccountStatus& saved, Loading&) {
  const std::string name = absl::StrCat("account ", saved.account.value());
  EXPECT_OR_REFUSE(saved.account != AccountId(), name, ": zero is not an account");
  EXPECT_OR_REFUSE(accounts_.empty() || accounts_.rbegin()->first < saved.account, name,
                   ": out of order");
  EXPECT_OR_REFUSE(IsTotal(saved.balance) && saved.balance.micros() % kBalanceStepMicros == 0, name,
                   ": its balance is no multiple of 0.0001 that the exchange can hold");
  EXPECT_OR_REFUSE(saved.is_open || saved.balance == Money(), name, ": money, but not open");
  EXPECT_OR_REFUSE(saved.is_open || saved.limits != RiskLimits(), name, ": it has no account data");
  EXPECT_OR_REFUSE(saved.is_open || saved.standing == AccountStanding::kActive, name,
                   ": suspended, but not open");
  EXPECT_OR_REFUSE(IsSoundForReference(saved.limits), name, ": unsound limits");
  EXPECT_OR_REFUSE(saved.rate_count <= saved.limits.orders_per_second_max, name,
                   ": more orders in a second than its limit");
  const bool has_come =
      saved.rate_second >= SecondOfLog(Timestamp::Min()) && saved.rate_second <= SecondOfLog(now_);
  EXPECT_OR_REFUSE(saved.rate_count == 0 ? saved.rate_second == 0 : has_come, name,
                   ": orders in a second that has not come, or that no time has");
  accounts_[saved.account] = {saved.is_open,     saved.balance,    saved.limits,
                              saved.rate_second, saved.rate_count, saved.standing};
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const SnapshotPosition& saved, Loading&) {
  const std::string name = absl::StrCat("position of account ", saved.account.value(),
                                        " in market ", saved.market.value());
  const Market* const market = FindMarket(saved.market);
  EXPECT_OR_REFUSE(market != nullptr && market->has_money(), name,
                   ": no such binary market with money");
  EXPECT_OR_REFUSE(market->state != MarketState::kSettled, name, ": the market is settled");
  EXPECT_OR_REFUSE(IsOpen(saved.account), name, ": the account is not open");
  EXPECT_OR_REFUSE(saved.position != 0, name, ": zero");
  EXPECT_OR_REFUSE(!holdings_.contains({saved.account, saved.market}), name, ": twice");
  const __int128 size =
      saved.position < 0 ? -static_cast<__int128>(saved.position) : saved.position;
  const __int128 micros = size * PowerOfTen(6 - market->definition->quantity_decimals);
  EXPECT_OR_REFUSE(micros <= kMoneyMax.micros(), name, ": more than there is money for");
  SetHolding(saved.account, saved.market, {.contracts = saved.position});
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const PositionLimitStatus& saved, Loading&) {
  const std::string name = absl::StrCat("position limit of account ", saved.account.value(),
                                        " in market ", saved.market.value());
  const Market* const market = FindMarket(saved.market);
  EXPECT_OR_REFUSE(market != nullptr, name, ": no such market");
  EXPECT_OR_REFUSE(saved.account != AccountId(), name, ": zero is not an account");
  EXPECT_OR_REFUSE(!saved.limit.is_zero() && saved.limit <= kPositionLimitMax, name,
                   ": a limit outside 1 to 10^18");
  EXPECT_OR_REFUSE(!market->is_binary() || saved.traded == 0, name,
                   ": a second position where there is money");
  EXPECT_OR_REFUSE(saved.traded >= -kTradedMax && saved.traded <= kTradedMax, name,
                   ": more than can have traded");
  EXPECT_OR_REFUSE(!position_limits_.contains({saved.account, saved.market}), name, ": twice");
  position_limits_[{saved.account, saved.market}] = {saved.limit, saved.traded};
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const GroupStatus& saved, Loading&) {
  const std::string name =
      absl::StrCat("group ", saved.group.value(), " of account ", saved.account.value());
  EXPECT_OR_REFUSE(saved.account != AccountId() && saved.group != GroupId(), name,
                   ": zero is neither a group nor an account");
  EXPECT_OR_REFUSE(!saved.limit.is_zero() && saved.window_nanos > 0, name,
                   ": no limit or no window");
  EXPECT_OR_REFUSE(!groups_.contains({saved.account, saved.group}), name, ": twice");
  Group& group = groups_[{saved.account, saved.group}];
  group.limit = saved.limit;
  group.window_nanos = saved.window_nanos;
  group.is_tripped = saved.is_tripped;
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const SnapshotGroupFill& saved, Loading&) {
  const std::string name =
      absl::StrCat("a fill of group ", saved.group.value(), " of account ", saved.account.value());
  const auto found = groups_.find({saved.account, saved.group});
  EXPECT_OR_REFUSE(found != groups_.end(), name, ": no such group");
  Group& group = found->second;
  EXPECT_OR_REFUSE(!saved.quantity.is_zero(), name, ": no quantity");
  EXPECT_OR_REFUSE(saved.time <= now_ && IsWithin(group, saved.time, now_) &&
                       (group.fills.empty() || group.fills.back().first < saved.time),
                   name, ": a time outside its window, or out of order");
  group.fills.emplace_back(saved.time, saved.quantity);
  group.filled += saved.quantity;
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const RestingOrder& order, Loading& loading) {
  RETURN_IF_ERROR(CheckSaved(order));
  const std::string name = absl::StrCat("order ", order.id.value());
  const Market& market = markets_.at(order.market);
  // Markets ascend, bids come before asks, the best price first, then the earliest.
  const int64_t rank = order.side == Side::kBid ? -order.price.units() : order.price.units();
  const std::tuple place(order.market, order.side, rank, order.priority);
  EXPECT_OR_REFUSE(!loading.last_place.has_value() || *loading.last_place < place, name,
                   ": out of order");
  loading.last_place = place;
  const RestingOrder* const opposite = market.Front(Opposite(order.side));
  EXPECT_OR_REFUSE(market.is_mirrored() || opposite == nullptr ||
                       (order.side == Side::kBid ? opposite->price > order.price
                                                 : opposite->price < order.price),
                   name, ": crosses (E2)");
  EXPECT_OR_REFUSE(!orders_.contains(order.id), name, ": twice");
  Rest(order);
  EXPECT_OR_REFUSE(!market.has_money() ||
                       accounts_.at(order.account).balance.micros() >= Reserved(order.account),
                   name, ": its account cannot pay for it");
  return absl::OkStatus();
}

// Whether the order may rest in its market, regardless of the book.
absl::Status ReferenceExchange::CheckSaved(const RestingOrder& order) const {
  const std::string name = absl::StrCat("order ", order.id.value());
  const Market* const market = FindMarket(order.market);
  EXPECT_OR_REFUSE(market != nullptr, name, ": no such market");
  EXPECT_OR_REFUSE(order.id.value() >= 1 && order.id.value() <= order.priority.value() &&
                       order.priority <= last_applied_,
                   name, ": a number or a priority that no command has given");
  EXPECT_OR_REFUSE(last_applied_.value() + 1 - order.id.value() <= kOrderAgeMax, name,
                   ": older than 2^37 commands");
  EXPECT_OR_REFUSE(IsSide(order.side) && MayRest(order.tif) && order.flags.is_defined() &&
                       !order.flags.reduce_only(),
                   name, ": terms that do not rest");
  Command terms;
  terms.market = order.market;
  terms.price = order.price;
  EXPECT_OR_REFUSE(CheckPrice(terms) == RejectReason::kNone, name, ": a price that is not allowed");
  const uint64_t lot = market->definition->lot.units();
  const __int128 total = static_cast<__int128>(order.quantity_remaining.units()) +
                         static_cast<__int128>(order.quantity_filled.units());
  EXPECT_OR_REFUSE(
      !order.quantity_remaining.is_zero() && total <= static_cast<__int128>(kQuantityMax.units()) &&
          order.quantity_remaining.units() % lot == 0 && order.quantity_filled.units() % lot == 0,
      name, ": quantities that no order has");
  const bool expires = order.tif == TimeInForce::kGoodTillTime;
  EXPECT_OR_REFUSE(expires ? order.expires_at > now_ : order.expires_at == Timestamp(), name,
                   ": an expiry that has passed or means nothing");
  EXPECT_OR_REFUSE(order.credit >= Money() &&
                       order.credit.micros() < (market->has_money() ? kBalanceStepMicros : 1),
                   name, ": a credit that no rounding leaves");
  const bool has_orders = market->state == MarketState::kOpen ||
                          market->state == MarketState::kPaused ||
                          (market->state == MarketState::kClosed && !market->is_binary());
  EXPECT_OR_REFUSE(has_orders, name, ": its market has no orders in its state");
  EXPECT_OR_REFUSE(!market->has_money() || IsOpen(order.account), name,
                   ": its account is not open");
  EXPECT_OR_REFUSE(!market->is_mirrored() || order.account == AccountId(), name,
                   ": of an account, in a mirrored market");
  EXPECT_OR_REFUSE(!IsSuspended(order.account), name, ": its account is suspended");
  EXPECT_OR_REFUSE(CheckGroup(order.account, order.group) == RejectReason::kNone, name,
                   ": its group is unknown or has tripped");
  return absl::OkStatus();
}

absl::Status ReferenceExchange::Restore(const SnapshotEnd& end, Loading& loading) {
  EXPECT_OR_REFUSE(end.counts == loading.counts, "other numbers of entities than the end says");
  return absl::OkStatus();
}

// Validates E1 after the last part.
absl::Status ReferenceExchange::CheckLoaded(const Loading& loading) const {
  EXPECT_OR_REFUSE(loading.last_kind == std::variant_size_v<SnapshotPart> - 1, "it has no end");
  __int128 cash = fees_collected_.micros();
  for (const auto& [id, account] : accounts_) cash += account.balance.micros();
  std::map<MarketId, __int128> sums;
  for (const auto& [key, holding] : holdings_) {
    sums[key.second] += holding.contracts;
    const int decimals = markets_.at(key.second).definition->quantity_decimals;
    cash += std::max<int64_t>(holding.contracts, 0) * PowerOfTen(6 - decimals);
  }
  for (const auto& [market, sum] : sums) {
    EXPECT_OR_REFUSE(sum == 0, "positions in market ", market.value(), " do not sum to zero (E1)");
  }
  EXPECT_OR_REFUSE(cash == held_.micros(),
                   "balances, contracts and fees are not what is held (E1)");
  return absl::OkStatus();
}

#undef EXPECT_OR_REFUSE

}  // namespace engine
