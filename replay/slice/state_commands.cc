#include "replay/slice/state_commands.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/core/risk_control.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "replay/slice/applied_log.h"

namespace replay {
namespace {

using engine::AccountId;
using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::MarketState;
using engine::Money;
using engine::Quantity;
using engine::RestingOrder;
using engine::Side;

// Returns the value of `quantity` contracts of a binary market at one dollar each, rounded up to
// the next balance step. Each contract is backed by one dollar of an account, so the sum over all
// contracts is at most kMoneyMax.
Money DollarsOf(Quantity quantity, const engine::MarketDefinition& market) {
  auto micros = static_cast<int64_t>(quantity.units());
  for (int i = market.quantity_decimals; i < 6; ++i) micros *= 10;
  return Money::FromMicros((micros / engine::kBalanceStepMicros + 1) * engine::kBalanceStepMicros);
}

// A fill of an order group that must be reproduced.
struct GroupFill {
  const engine::GroupStatus* group = nullptr;
  Quantity quantity;   // Zero: any quantity.
  bool trips = false;  // This fill trips the group.
};

class Leader {
 public:
  Leader(StateParts state, const ClientIds& client_ids)
      : state_(std::move(state)), client_ids_(client_ids), log_(state_.summary.now) {
    for (const engine::SnapshotMarket& market : state_.markets) {
      markets_.emplace(market.definition.id, &market);
    }
  }

  StateCommands Lead() {
    const std::multimap<engine::Timestamp, GroupFill> fills = GroupFills();
    if (!fills.empty()) log_.SetTime(std::min(state_.summary.now, fills.begin()->first));
    log_.Do(CommandOf(CommandKind::kAdvanceTime));
    DefineMarkets();
    OpenAccounts();
    MakePositions();
    SetFees();
    FillGroups(fills);
    EnterOrders();
    PayOut();
    SetLimits();
    SuspendAccounts();
    for (const engine::SnapshotMarket& market : state_.markets) MoveMarket(market);
    MoveExchange();
    result_.log = log_.TakeLog();
    result_.lost = log_.TakeLost();
    return std::move(result_);
  }

 private:
  const engine::SnapshotMarket* Binary(MarketId id) const {
    const auto found = markets_.find(id);
    if (found == markets_.end()) return nullptr;
    return found->second->definition.kind == engine::MarketKind::kBinary ? found->second : nullptr;
  }

  void DefineMarkets() {
    for (const engine::SnapshotMarket& market : state_.markets) {
      const MarketId id = market.definition.id;
      log_.Do(CommandOf(CommandKind::kDefineMarket, id),
              engine::EncodeMarketDefinition(market.definition));
      if (market.definition.starts_unopened && market.status.state != MarketState::kUnopened) {
        log_.Do(CommandOf(CommandKind::kOpenMarket, id));
      }
    }
  }

  // Deposits enough money for all positions and orders; PayOut() withdraws the excess.
  void OpenAccounts() {
    std::map<AccountId, Money> needs;
    for (const engine::SnapshotPosition& position : state_.positions) {
      const engine::SnapshotMarket* market = Binary(position.market);
      if (market == nullptr) continue;
      const auto units = static_cast<uint64_t>(std::abs(position.position));
      needs[position.account] += DollarsOf(Quantity::FromUnits(units), market->definition);
      imbalance_[position.market] += position.position;
    }
    for (const RestingOrder& order : state_.orders) {
      const engine::SnapshotMarket* market = Binary(order.market);
      if (market == nullptr) continue;
      const Money dollars = DollarsOf(EnteredQuantity(order), market->definition);
      // Orders are not backed by a dollar per contract, so the sum is capped. An order beyond the
      // cap is rejected and recorded as lost.
      Money& needed = needs[order.account];
      needed = std::min(needed + dollars + dollars, engine::kMoneyMax);
    }
    for (const engine::AccountStatus& account : state_.accounts) {
      highest_account_ = std::max(highest_account_, account.account.value());
      if (!account.is_open) continue;
      log_.Do(CommandOf(CommandKind::kOpenAccount, {}, account.account));
      log_.Deposit(account.account, account.balance + needs[account.account]);
    }
    OpenTheOthers();
  }

  // Opens an account that holds the other side of the positions that are kept.
  void OpenTheOthers() {
    Money needed;
    for (const auto& [market, position] : imbalance_) {
      const auto units = static_cast<uint64_t>(std::abs(position));
      if (units > 0) needed += DollarsOf(Quantity::FromUnits(units), Binary(market)->definition);
    }
    if (needed == Money()) return;
    the_others_ = AccountId(highest_account_ + 1);
    log_.Do(CommandOf(CommandKind::kOpenAccount, {}, the_others_));
    log_.Deposit(the_others_, needed);
    for (const auto& [market, position] : imbalance_) {
      if (position == 0) continue;
      state_.positions.push_back({.account = the_others_, .market = market, .position = -position});
    }
  }

  // Trades each long position against the short ones until all are restored.
  void MakePositions() {
    std::map<MarketId, std::vector<engine::SnapshotPosition>> by_market;
    for (const engine::SnapshotPosition& position : state_.positions) {
      if (Binary(position.market) != nullptr) by_market[position.market].push_back(position);
    }
    for (auto& [id, positions] : by_market) {
      const engine::MarketDefinition& market = Binary(id)->definition;
      auto buyer = positions.begin();
      auto seller = positions.begin();
      while (true) {
        buyer = std::find_if(buyer, positions.end(), [](auto& one) { return one.position > 0; });
        seller = std::find_if(seller, positions.end(), [](auto& one) { return one.position < 0; });
        if (buyer == positions.end() || seller == positions.end()) break;
        const int64_t units = std::min(buyer->position, -seller->position);
        TradePosition(market, buyer->account, seller->account, static_cast<uint64_t>(units));
        buyer->position -= units;
        seller->position += units;
      }
    }
  }

  void TradePosition(const engine::MarketDefinition& market, AccountId buyer, AccountId seller,
                     uint64_t units) {
    const uint64_t lot = market.lot.units();
    const uint64_t step = Largest(market).units() / lot * lot;
    while (units > 0) {
      const uint64_t now = std::min(units, step);
      log_.Trade(market, buyer, seller, engine::GroupId(), Quantity::FromUnits(now));
      units -= now;
    }
  }

  void SetFees() {
    for (const engine::SnapshotMarket& market : state_.markets) {
      if (market.status.fees == engine::FeeSchedule()) continue;
      log_.Do(CommandOf(CommandKind::kSetFees, market.definition.id),
              engine::EncodeFeeSchedule(market.status.fees));
    }
    const engine::FeeSchedule& fees = state_.summary.exchange.default_fees;
    if (fees != engine::FeeSchedule()) {
      log_.Do(CommandOf(CommandKind::kSetFees), engine::EncodeFeeSchedule(fees));
    }
  }

  // Returns the fills that count in groups. A tripped group without any gets one fill that is too
  // old to count.
  std::multimap<engine::Timestamp, GroupFill> GroupFills() const {
    std::multimap<engine::Timestamp, GroupFill> fills;
    for (const engine::GroupStatus& group : state_.groups) {
      auto last = fills.end();
      for (const engine::SnapshotGroupFill& fill : state_.group_fills) {
        if (fill.account != group.account || fill.group != group.group) continue;
        last = fills.emplace(fill.time, GroupFill{.group = &group, .quantity = fill.quantity});
      }
      if (!group.is_tripped) continue;
      if (last == fills.end()) {
        const int64_t nanos = state_.summary.now.nanos() - group.window_nanos;
        last = fills.emplace(engine::Timestamp::FromNanos(nanos),
                             GroupFill{.group = &group, .quantity = {}});
      }
      last->second.trips = true;
    }
    return fills;
  }

  // Reproduces each fill as a trade against account zero, in a market without money.
  void FillGroups(const std::multimap<engine::Timestamp, GroupFill>& fills) {
    for (const engine::GroupStatus& group : state_.groups) {
      DefineGroup(group, engine::kQuantityMax);
    }
    for (const auto& [time, fill] : fills) {
      log_.SetTime(time);
      const engine::MarketDefinition* market = FindEquity(fill.quantity);
      if (market == nullptr) {
        log_.Lose(absl::StrCat(fill.trips ? "that " : "what counts as filled in ", "group ",
                               fill.group->group.value(), " of account ",
                               fill.group->account.value(), fill.trips ? " is tripped" : ""));
        continue;
      }
      if (fill.trips) DefineGroup(*fill.group, Quantity::FromUnits(1));
      const Quantity least = std::max(market->lot, market->quantity_min);
      log_.Trade(*market, fill.group->account, AccountId(), fill.group->group,
                 fill.quantity.is_zero() ? least : fill.quantity);
    }
    log_.SetTime(state_.summary.now);
    for (const engine::GroupStatus& group : state_.groups) DefineGroup(group, group.limit);
  }

  void DefineGroup(const engine::GroupStatus& group, Quantity limit) {
    Command command = CommandOf(CommandKind::kDefineGroup, {}, group.account);
    command.group = group.group;
    command.quantity = limit;
    command.set_window_nanos(group.window_nanos);
    log_.Do(command);
  }

  // Null if no market accepts such a quantity.
  const engine::MarketDefinition* FindEquity(Quantity quantity) const {
    for (const engine::SnapshotMarket& market : state_.markets) {
      const engine::MarketDefinition& definition = market.definition;
      const bool may_trade = definition.kind == engine::MarketKind::kEquity &&
                             market.status.state != MarketState::kUnopened;
      const bool takes = quantity.units() % definition.lot.units() == 0 &&
                         (quantity.is_zero() || quantity >= definition.quantity_min) &&
                         quantity <= Largest(definition);
      if (may_trade && takes) return &definition;
    }
    return nullptr;
  }

  static Quantity Largest(const engine::MarketDefinition& market) {
    return market.quantity_max.is_zero() ? engine::kQuantityMax : market.quantity_max;
  }

  // A quantity below the market's minimum is entered as the minimum and then reduced.
  Quantity EnteredQuantity(const RestingOrder& order) const {
    const Quantity least = markets_.at(order.market)->definition.quantity_min;
    return std::max(order.quantity_remaining, least);
  }

  // Enters orders by number, because commands that end many orders do so by number. An order that
  // lost its priority later loses it again at that point.
  void EnterOrders() {
    // True: enter the order. False: it loses its priority.
    std::map<uint64_t, std::pair<const RestingOrder*, bool>> steps;
    for (const RestingOrder& order : state_.orders) {
      steps[order.id.value()] = {&order, true};
      if (order.priority.value() != order.id.value()) {
        steps[order.priority.value()] = {&order, false};
      }
    }
    for (const auto& [number, step] : steps) {
      step.second ? Enter(*step.first) : ToTheEnd(*step.first);
    }
    const auto has_credit = [](const RestingOrder& order) { return order.credit != Money(); };
    if (const auto count = std::ranges::count_if(state_.orders, has_credit); count > 0) {
      log_.Lose(absl::StrCat("what the rounding of fees owes to ", count,
                             " orders, less than 0.0001 dollars each"));
    }
    const auto is_nameless = [&](const RestingOrder& order) {
      return !client_ids_.contains(order.id.value());
    };
    if (const auto count = std::ranges::count_if(state_.orders, is_nameless); count > 0) {
      log_.Lose(absl::StrCat("the client ids of ", count,
                             " orders: the commands that made them are deleted"));
    }
  }

  void Enter(const RestingOrder& order) {
    Command command = CommandOf(CommandKind::kNewOrder, order.market, order.account);
    command.type = engine::OrderType::kLimit;
    command.side = order.side;
    command.tif = order.tif;
    command.price = order.price;
    command.quantity = EnteredQuantity(order);
    command.flags = order.flags;
    command.group = order.group;
    if (order.tif == engine::TimeInForce::kGoodTillTime) command.set_expires_at(order.expires_at);
    if (const auto found = client_ids_.find(order.id.value()); found != client_ids_.end()) {
      command.client_order_id = found->second;
    }
    const engine::OrderId id(log_.Do(command));
    result_.orders[order.id.value()] = {.id = id, .filled = order.quantity_filled};
    if (command.quantity == order.quantity_remaining) return;
    Command reduce = CommandOf(CommandKind::kReduceTo, order.market, order.account);
    reduce.order_id = id;
    reduce.quantity = order.quantity_remaining;
    log_.Do(reduce);
  }

  // An amend to a larger quantity loses priority; a reduction keeps it.
  void ToTheEnd(const RestingOrder& order) {
    const engine::MarketDefinition& market = markets_.at(order.market)->definition;
    const Quantity more = std::max(order.quantity_remaining + market.lot, market.quantity_min);
    if (more <= Largest(market)) {
      ChangeQuantity(CommandKind::kAmend, order, more);
      ChangeQuantity(CommandKind::kReduceTo, order, order.quantity_remaining);
    } else if (order.quantity_remaining > market.lot) {
      ChangeQuantity(CommandKind::kReduceTo, order, order.quantity_remaining - market.lot);
      ChangeQuantity(CommandKind::kAmend, order, order.quantity_remaining);
    } else {
      log_.Lose(absl::StrCat("that order ", order.id.value(), " has lost its place"));
    }
  }

  void ChangeQuantity(CommandKind kind, const RestingOrder& order, Quantity quantity) {
    Command command = CommandOf(kind, order.market, order.account);
    command.order_id = result_.orders.at(order.id.value()).id;
    if (kind == CommandKind::kAmend) command.price = order.price;
    command.quantity = quantity;
    log_.Do(command);
  }

  void PayOut() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (!account.is_open) continue;
      const auto now = log_.exchange().FindAccount(account.account);
      if (!now.has_value() || now->balance == account.balance) continue;
      const Money too_much = std::min(now->balance - account.balance, now->available());
      if (too_much > Money()) {
        Command withdraw = CommandOf(CommandKind::kWithdraw, {}, account.account);
        withdraw.set_amount(too_much);
        log_.Do(withdraw);
      }
      const Money left = now->balance - std::max(too_much, Money()) - account.balance;
      if (left == Money()) continue;
      log_.Lose(absl::StrCat(left.ToString(), " dollars of account ", account.account.value()));
    }
  }

  void SetLimits() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (account.limits == engine::RiskLimits()) continue;
      log_.Do(CommandOf(CommandKind::kSetRiskLimits, {}, account.account),
              engine::EncodeRiskLimits(account.limits));
      // The new exchange starts counting at zero, although the second has already begun.
      if (account.rate_count > 0 && account.rate_second == engine::SecondOf(state_.summary.now)) {
        log_.Lose(absl::StrCat("that account ", account.account.value(), " has sent ",
                               account.rate_count, " of the ", account.limits.orders_per_second_max,
                               " orders that it may send in that second"));
      }
    }
  }

  void SuspendAccounts() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (account.standing != engine::AccountStanding::kSuspended) continue;
      log_.Do(CommandOf(CommandKind::kSuspendAccount, {}, account.account));
    }
  }

  void MoveMarket(const engine::SnapshotMarket& market) {
    const MarketId id = market.definition.id;
    const MarketState state = market.status.state;
    if (state == MarketState::kPaused) log_.Do(CommandOf(CommandKind::kPauseMarket, id));
    if (state < MarketState::kClosed) return;
    log_.Do(CommandOf(CommandKind::kCloseMarket, id));
    if (state < MarketState::kDetermined) return;
    Command determine = CommandOf(CommandKind::kDetermineMarket, id);
    determine.price = market.status.settlement_value;
    log_.Do(determine);
    if (state == MarketState::kSettled) log_.Do(CommandOf(CommandKind::kSettleMarket, id));
  }

  void MoveExchange() {
    const engine::ExchangeState state = state_.summary.exchange.state;
    if (state == engine::ExchangeState::kPaused) log_.Do(CommandOf(CommandKind::kPauseExchange));
    if (state == engine::ExchangeState::kHalted) log_.Do(CommandOf(CommandKind::kHaltExchange));
  }

  StateParts state_;
  const ClientIds& client_ids_;
  AppliedLog log_;
  std::map<MarketId, const engine::SnapshotMarket*> markets_;
  std::map<MarketId, int64_t> imbalance_;  // The sum of the positions that are kept.
  uint32_t highest_account_ = 0;
  AccountId the_others_;
  StateCommands result_;
};

}  // namespace

absl::StatusOr<StateCommands> CommandsThatLeadTo(const Machine& machine, const Interest& interest,
                                                 const ClientIds& client_ids) {
  ASSIGN_OR_RETURN(StateParts state, TakeStateApart(machine, interest));
  return Leader(std::move(state), client_ids).Lead();
}

}  // namespace replay
