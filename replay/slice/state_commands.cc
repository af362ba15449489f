#include "replay/slice/state_commands.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/risk_control.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/log_items.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"

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

// Returns the value of so many contracts of a binary market, bought or sold, at one dollar each,
// rounded up to the next balance step. Each contract is backed by one dollar of an account, so the
// sum over all contracts is at most kMoneyMax.
Money DollarsOf(int64_t units, const engine::MarketDefinition& market) {
  int64_t micros = std::abs(units);
  for (int i = market.quantity_decimals; i < 6; ++i) micros *= 10;
  return Money::FromMicros((micros / engine::kBalanceStepMicros + 1) * engine::kBalanceStepMicros);
}

// The most trades that reproduce one position; a larger position is lost.
constexpr uint64_t kTradesMax = 1000;

// A fill of an order group that must be reproduced.
struct GroupFill {
  const engine::GroupStatus* group = nullptr;
  Quantity quantity;
};

Command CommandOf(CommandKind kind, MarketId market = {}, AccountId account = {}) {
  Command command;
  command.kind = kind;
  command.market = market;
  command.account = account;
  return command;
}

// Applies each command to an exchange immediately, so that its outcome is known.
class Leader {
 public:
  Leader(StateParts state, const ClientIds& client_ids)
      : state_(std::move(state)), client_ids_(client_ids), now_(state_.summary.now) {
    for (const engine::SnapshotMarket& market : state_.markets) {
      markets_.emplace(market.definition.id, &market.definition);
    }
  }

  StateCommands Lead() {
    const std::multimap<engine::Timestamp, GroupFill> fills = GroupFills();
    if (!fills.empty()) now_ = std::min(state_.summary.now, fills.begin()->first);
    Do(CommandOf(CommandKind::kAdvanceTime));
    DefineMarkets();
    OpenAccounts();
    MakePositions();
    for (const engine::SnapshotMarket& market : state_.markets) {
      SetFees(market.definition.id, market.status.fees);
    }
    SetFees(MarketId(), state_.summary.exchange.default_fees);
    FillGroups(fills);
    TradeForLimits();
    EnterOrders();
    PayOut();
    SetLimits();
    SetPositionLimits();
    SuspendAccounts();
    for (const engine::SnapshotMarket& market : state_.markets) MoveMarket(market);
    MoveExchange();
    return std::move(result_);
  }

 private:
  // Appends and applies the command; returns its sequence number. A rejection is recorded as lost.
  uint64_t Do(Command command, std::vector<std::byte> attachment = {}) {
    command.sequence = engine::SequenceNumber(result_.log.size() + 1);
    command.timestamp = now_;
    const journal::Row row = ToRow(command);
    const engine::Event& answer =
        AsEvents(driver_.Apply({.row = &row, .attachment = attachment})).front();
    if (answer.kind == engine::EventKind::kRejected) {
      Lose(absl::StrCat("a ", engine::NameOf(command.kind), " of account ", command.account.value(),
                        " in market ", command.market.value(),
                        ", refused: ", engine::NameOf(answer.reject_reason())));
    }
    LogEntry& entry = result_.log.emplace_back();
    entry.row = row;
    if (!attachment.empty()) {
      entry.attachment = std::make_shared<const std::vector<std::byte>>(std::move(attachment));
    }
    return command.sequence.value();
  }

  // Deposits or withdraws.
  void MoveMoney(CommandKind kind, AccountId account, Money amount) {
    if (amount == Money()) return;
    Command command = CommandOf(kind, {}, account);
    command.set_amount(amount);
    Do(command);
  }

  // Trades at the market's lowest price; the buyer's order belongs to `group`.
  // REQUIRES: no order rests in the market; none does afterwards.
  void Trade(const engine::MarketDefinition& market, AccountId buyer, AccountId seller,
             engine::GroupId group, Quantity quantity) {
    Command order = CommandOf(CommandKind::kNewOrder, market.id, buyer);
    order.side = Side::kBid;
    order.type = engine::OrderType::kLimit;
    order.tif = engine::TimeInForce::kGoodTillCancelled;
    order.price = market.price_min;
    order.quantity = quantity;
    order.set_group(group);
    Do(order);
    order.account = seller;
    order.side = Side::kAsk;
    order.tif = engine::TimeInForce::kImmediateOrCancel;
    order.set_group({});
    Do(order);
  }

  // Records a description of something that no command can restore.
  void Lose(std::string what) { result_.lost.push_back(std::move(what)); }

  // Null if the market has no money, or is not kept.
  const engine::MarketDefinition* Binary(MarketId id) const {
    const auto found = markets_.find(id);
    const bool is_binary =
        found != markets_.end() && found->second->kind == engine::MarketKind::kBinary;
    return is_binary ? found->second : nullptr;
  }

  void DefineMarkets() {
    for (const engine::SnapshotMarket& market : state_.markets) {
      const MarketId id = market.definition.id;
      Do(CommandOf(CommandKind::kDefineMarket, id),
         engine::EncodeMarketDefinition(market.definition));
      if (market.definition.starts_unopened && market.status.state != MarketState::kUnopened) {
        Do(CommandOf(CommandKind::kOpenMarket, id));
      }
    }
  }

  // Deposits enough money for all positions and orders; PayOut() withdraws the excess.
  void OpenAccounts() {
    std::map<AccountId, Money> needs;
    for (const engine::SnapshotPosition& position : state_.positions) {
      const engine::MarketDefinition* market = Binary(position.market);
      if (market != nullptr) needs[position.account] += DollarsOf(position.position, *market);
    }
    for (const RestingOrder& order : state_.orders) {
      const engine::MarketDefinition* market = Binary(order.market);
      if (market == nullptr) continue;
      const auto units = static_cast<int64_t>(EnteredQuantity(order).units());
      const Money dollars = DollarsOf(units, *market);
      // Orders are not backed by a dollar per contract, so the sum is capped. An order beyond the
      // cap is rejected and recorded as lost.
      Money& needed = needs[order.account];
      needed = std::min(needed + dollars + dollars, engine::kMoneyMax);
    }
    for (const engine::AccountStatus& account : state_.accounts) {
      if (!account.is_open) continue;
      Do(CommandOf(CommandKind::kOpenAccount, {}, account.account));
      const Money amount = account.balance + needs[account.account];
      MoveMoney(CommandKind::kDeposit, account.account, amount);
    }
    OpenTheOthers();
  }

  // Opens an account that holds the other side of the positions that are kept.
  void OpenTheOthers() {
    std::map<MarketId, int64_t> imbalance;  // The sum of the positions that are kept.
    for (const engine::SnapshotPosition& position : state_.positions) {
      if (Binary(position.market) != nullptr) imbalance[position.market] += position.position;
    }
    std::erase_if(imbalance, [](const auto& sum) { return sum.second == 0; });
    if (imbalance.empty()) return;
    AccountId others;
    for (const engine::AccountStatus& one : state_.accounts) others = std::max(others, one.account);
    others = AccountId(others.value() + 1);
    Do(CommandOf(CommandKind::kOpenAccount, {}, others));
    Money needed;
    for (const auto& [market, position] : imbalance) {
      needed += DollarsOf(position, *Binary(market));
      state_.positions.push_back({.account = others, .market = market, .position = -position});
    }
    MoveMoney(CommandKind::kDeposit, others, needed);
  }

  // Trades each long position against the short ones until all are restored.
  void MakePositions() {
    std::map<MarketId, std::vector<engine::SnapshotPosition>> by_market;
    for (const engine::SnapshotPosition& position : state_.positions) {
      if (Binary(position.market) != nullptr) by_market[position.market].push_back(position);
    }
    for (auto& [id, positions] : by_market) {
      const engine::MarketDefinition& market = *Binary(id);
      const uint64_t lot = market.lot.units();
      const auto largest = static_cast<int64_t>(Largest(market).units() / lot * lot);
      auto buyer = positions.begin();
      auto seller = positions.begin();
      while (true) {
        buyer = std::find_if(buyer, positions.end(), [](auto& one) { return one.position > 0; });
        seller = std::find_if(seller, positions.end(), [](auto& one) { return one.position < 0; });
        if (buyer == positions.end() || seller == positions.end()) break;
        const int64_t units = std::min({buyer->position, -seller->position, largest});
        Trade(market, buyer->account, seller->account, engine::GroupId(),
              Quantity::FromUnits(static_cast<uint64_t>(units)));
        buyer->position -= units;
        seller->position += units;
      }
    }
  }

  void SetFees(MarketId market, const engine::FeeSchedule& fees) {
    if (fees == engine::FeeSchedule()) return;
    Do(CommandOf(CommandKind::kSetFees, market), engine::EncodeFeeSchedule(fees));
  }

  // Returns the fills that count in groups.
  std::multimap<engine::Timestamp, GroupFill> GroupFills() const {
    std::map<std::pair<AccountId, engine::GroupId>, const engine::GroupStatus*> groups;
    for (const engine::GroupStatus& group : state_.groups) {
      groups.emplace(std::pair(group.account, group.group), &group);
    }
    std::multimap<engine::Timestamp, GroupFill> fills;
    for (const engine::SnapshotGroupFill& fill : state_.group_fills) {
      const auto group = groups.find({fill.account, fill.group});
      if (group == groups.end()) continue;
      fills.emplace(fill.time, GroupFill{.group = group->second, .quantity = fill.quantity});
    }
    return fills;
  }

  // Reproduces each fill as a trade against account zero, in a market without money.
  void FillGroups(const std::multimap<engine::Timestamp, GroupFill>& fills) {
    for (const engine::GroupStatus& group : state_.groups) DefineGroup(group, engine::kQuantityMax);
    for (const auto& [time, fill] : fills) {
      now_ = time;
      const engine::MarketDefinition* market = FindEquity(fill.quantity);
      if (market == nullptr) {
        Lose(absl::StrCat("what counts as filled in group ", fill.group->group.value(),
                          " of account ", fill.group->account.value()));
        continue;
      }
      Trade(*market, fill.group->account, AccountId(), fill.group->group, fill.quantity);
    }
    now_ = state_.summary.now;
    for (const engine::GroupStatus& group : state_.groups) {
      DefineGroup(group, group.limit);
      if (group.is_tripped) Do(AboutGroup(CommandKind::kTriggerGroup, group));
    }
  }

  static Command AboutGroup(CommandKind kind, const engine::GroupStatus& group) {
    Command command = CommandOf(kind, {}, group.account);
    command.set_group(group.group);
    return command;
  }

  void DefineGroup(const engine::GroupStatus& group, Quantity limit) {
    Command command = AboutGroup(CommandKind::kDefineGroup, group);
    command.quantity = limit;
    command.set_window_nanos(group.window_nanos);
    Do(command);
  }

  // Null if no market accepts such a quantity.
  const engine::MarketDefinition* FindEquity(Quantity quantity) const {
    for (const engine::SnapshotMarket& market : state_.markets) {
      const engine::MarketDefinition& definition = market.definition;
      const bool may_trade = definition.kind == engine::MarketKind::kEquity &&
                             market.status.state != MarketState::kUnopened;
      const bool takes = quantity.units() % definition.lot.units() == 0 &&
                         quantity >= definition.quantity_min && quantity <= Largest(definition);
      if (may_trade && takes) return &definition;
    }
    return nullptr;
  }

  static Quantity Largest(const engine::MarketDefinition& market) {
    return market.quantity_max.is_zero() ? engine::kQuantityMax : market.quantity_max;
  }

  // A quantity below the market's minimum is entered as the minimum and then reduced.
  Quantity EnteredQuantity(const RestingOrder& order) const {
    const Quantity least = markets_.at(order.market)->quantity_min;
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
    const auto credited = std::ranges::count_if(
        state_.orders, [](const RestingOrder& order) { return order.credit != Money(); });
    if (credited > 0) {
      Lose(absl::StrCat("what the rounding of fees owes to ", credited,
                        " orders, less than 0.0001 dollars each"));
    }
    const auto nameless = std::ranges::count_if(state_.orders, [&](const RestingOrder& order) {
      return !client_ids_.contains(order.id.value());
    });
    if (nameless > 0) {
      Lose(absl::StrCat("the client ids of ", nameless,
                        " orders: the commands that made them are deleted"));
    }
  }

  void Enter(const RestingOrder& order) {
    Command command = EnteringCommand(order);
    command.quantity = EnteredQuantity(order);
    if (const auto found = client_ids_.find(order.id.value()); found != client_ids_.end()) {
      command.client_order_id = found->second;
    }
    result_.orders[order.id.value()] = {.id = engine::OrderId(Do(command)),
                                        .filled = order.quantity_filled};
    if (command.quantity != order.quantity_remaining) {
      ChangeQuantity(CommandKind::kReduceTo, order, order.quantity_remaining);
    }
  }

  // An amend to a larger quantity loses priority; a reduction keeps it.
  void ToTheEnd(const RestingOrder& order) {
    const engine::MarketDefinition& market = *markets_.at(order.market);
    const Quantity more = std::max(order.quantity_remaining + market.lot, market.quantity_min);
    if (more <= Largest(market)) {
      ChangeQuantity(CommandKind::kAmend, order, more);
      ChangeQuantity(CommandKind::kReduceTo, order, order.quantity_remaining);
    } else if (order.quantity_remaining > market.lot) {
      ChangeQuantity(CommandKind::kReduceTo, order, order.quantity_remaining - market.lot);
      ChangeQuantity(CommandKind::kAmend, order, order.quantity_remaining);
    } else {
      Lose(absl::StrCat("that order ", order.id.value(), " has lost its place"));
    }
  }

  void ChangeQuantity(CommandKind kind, const RestingOrder& order, Quantity quantity) {
    Command command = CommandOf(kind, order.market, order.account);
    command.order_id = result_.orders.at(order.id.value()).id;
    if (kind == CommandKind::kAmend) command.price = order.price;
    command.quantity = quantity;
    Do(command);
  }

  void PayOut() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (!account.is_open) continue;
      const auto now = machine_.exchange().FindAccount(account.account);
      if (!now.has_value() || now->balance == account.balance) continue;
      const Money too_much = std::min(now->balance - account.balance, now->available());
      if (too_much > Money()) MoveMoney(CommandKind::kWithdraw, account.account, too_much);
      const Money left = now->balance - std::max(too_much, Money()) - account.balance;
      if (left == Money()) continue;
      Lose(absl::StrCat(left.ToString(), " dollars of account ", account.account.value()));
    }
  }

  void SetLimits() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (account.limits == engine::RiskLimits()) continue;
      Do(CommandOf(CommandKind::kSetRiskLimits, {}, account.account),
         engine::EncodeRiskLimits(account.limits));
      // The new exchange starts counting at zero, although the second has already begun.
      if (account.rate_count > 0 && account.rate_second == engine::SecondOf(state_.summary.now)) {
        Lose(absl::StrCat("that account ", account.account.value(), " has sent ",
                          account.rate_count, " of the ", account.limits.orders_per_second_max,
                          " orders that it may send in that second"));
      }
    }
  }

  void SetPositionLimit(const engine::PositionLimitStatus& limited, Quantity limit) {
    Command command = CommandOf(CommandKind::kSetPositionLimit, limited.market, limited.account);
    command.quantity = limit;
    Do(command);
  }

  void SetPositionLimits() {
    for (const engine::PositionLimitStatus& limited : state_.position_limits) {
      SetPositionLimit(limited, limited.limit);
    }
  }

  // Trades with account zero what the limits have counted. The limits themselves are set last: they
  // would refuse orders that rested before.
  void TradeForLimits() {
    for (const engine::PositionLimitStatus& limited : state_.position_limits) {
      SetPositionLimit(limited, engine::kPositionLimitMax);
      const engine::MarketDefinition& market = *markets_.at(limited.market);
      auto left = static_cast<uint64_t>(std::abs(limited.traded));
      const uint64_t largest = Largest(market).units() / market.lot.units() * market.lot.units();
      if (left / largest < kTradesMax) {
        for (; left > 0 && left >= market.quantity_min.units(); left -= std::min(left, largest)) {
          const Quantity quantity = Quantity::FromUnits(std::min(left, largest));
          const bool buys = limited.traded > 0;
          Trade(market, buys ? limited.account : AccountId(), buys ? AccountId() : limited.account,
                engine::GroupId(), quantity);
        }
      }
      if (left == 0) continue;
      Lose(absl::StrCat(left, " units of the position that limits account ",
                        limited.account.value(), " in market ", limited.market.value()));
    }
  }

  void SuspendAccounts() {
    for (const engine::AccountStatus& account : state_.accounts) {
      if (account.standing != engine::AccountStanding::kSuspended) continue;
      Do(CommandOf(CommandKind::kSuspendAccount, {}, account.account));
    }
  }

  void MoveMarket(const engine::SnapshotMarket& market) {
    const MarketId id = market.definition.id;
    const MarketState state = market.status.state;
    if (state == MarketState::kPaused) Do(CommandOf(CommandKind::kPauseMarket, id));
    if (state >= MarketState::kClosed) Do(CommandOf(CommandKind::kCloseMarket, id));
    if (state >= MarketState::kDetermined) {
      Command determine = CommandOf(CommandKind::kDetermineMarket, id);
      determine.price = market.status.settlement_value;
      Do(determine);
    }
    if (state == MarketState::kSettled) Do(CommandOf(CommandKind::kSettleMarket, id));
  }

  void MoveExchange() {
    const engine::ExchangeState state = state_.summary.exchange.state;
    if (state == engine::ExchangeState::kPaused) Do(CommandOf(CommandKind::kPauseExchange));
    if (state == engine::ExchangeState::kHalted) Do(CommandOf(CommandKind::kHaltExchange));
  }

  StateParts state_;
  const ClientIds& client_ids_;
  engine::Timestamp now_;  // The time of the next command.
  ExchangeMachine machine_;
  Driver driver_{machine_, engine::SequenceNumber()};
  std::map<MarketId, const engine::MarketDefinition*> markets_;
  StateCommands result_;
};

}  // namespace

StateOfMarkets::StateOfMarkets(StateParts state) {
  for (engine::SnapshotMarket& market : std::exchange(state.markets, {})) {
    markets_[market.definition.id].markets.push_back(std::move(market));
  }
  for (const engine::SnapshotPosition& position : std::exchange(state.positions, {})) {
    markets_[position.market].positions.push_back(position);
  }
  for (const auto& limit : std::exchange(state.position_limits, {})) {
    markets_[limit.market].position_limits.push_back(limit);
  }
  for (const RestingOrder& order : std::exchange(state.orders, {})) {
    markets_[order.market].orders.push_back(order);
  }
  common_ = std::move(state);
}

StateParts StateOfMarkets::Of(MarketId market) const {
  StateParts state = common_;
  const auto found = markets_.find(market);
  if (found == markets_.end()) return state;
  state.markets = found->second.markets;
  state.positions = found->second.positions;
  state.position_limits = found->second.position_limits;
  state.orders = found->second.orders;
  return state;
}

StateCommands CommandsThatLeadTo(StateParts state, const ClientIds& client_ids) {
  return Leader(std::move(state), client_ids).Lead();
}

}  // namespace replay
