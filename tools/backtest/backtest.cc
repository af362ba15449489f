#include "tools/backtest/backtest.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "replay/command_row.h"

namespace tools {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::MarketId;
using engine::OrderId;
using engine::Quantity;
using engine::RejectReason;
using engine::Timestamp;
using strategy::Action;
using strategy::ActionKind;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderNumber;
using strategy::Refusal;

// From an input to the action that it causes.
constexpr int64_t kLeastNanos = 1'000;

// As a venue would say it.
Refusal RefusalOf(RejectReason reason) {
  switch (reason) {
    case RejectReason::kUnknownOrder:
    case RejectReason::kOrderNotLive:
      return Refusal::kUnknownOrder;
    case RejectReason::kInsufficientFunds:
      return Refusal::kNoMoney;
    case RejectReason::kPostOnlyWouldCross:
      return Refusal::kWouldTrade;
    case RejectReason::kMarketNotOpen:
    case RejectReason::kMarketPaused:
    case RejectReason::kExchangePaused:
    case RejectReason::kExchangeHalted:
      return Refusal::kMarketClosed;
    case RejectReason::kRiskOrderRate:
      return Refusal::kTooManyRequests;
    default:
      return Refusal::kBadOrder;
  }
}

// The fee that the exchange charged for the order's part in the trade at `at`: money follows the
// trade.
engine::Money ChargedFee(std::span<const Event> events, size_t at, OrderId order) {
  for (size_t i = at + 1; i < events.size() && events[i].kind != EventKind::kTrade; ++i) {
    const bool is_it = events[i].kind == EventKind::kBalance && events[i].order_id == order;
    if (is_it) return events[i].fee();
  }
  return {};
}

}  // namespace

Backtest::Backtest(BacktestTerms terms, const strategy::StrategyMachine& machine, Apply apply)
    : terms_(std::move(terms)),
      machine_(machine),
      apply_(std::move(apply)),
      market_(terms_.impact),
      to_strategy_(terms_.to_strategy, terms_.seed),
      to_venue_(terms_.to_venue, terms_.seed + 1),
      all_are_chosen_(terms_.markets.empty()) {}

absl::Status Backtest::ApplyRecorded(const journal::Record& record) {
  const Timestamp time = record.timestamp();
  if (!has_started_) RETURN_IF_ERROR(Start(time));
  if (!reopened_.empty() && time > now_) SendReopened();
  RETURN_IF_ERROR(RunUntil(time));
  now_ = time;
  results_.OnTime(now_, feed_.depth());
  if (replay::AsCommand(*record.row).account == kOwnAccount) {
    return absl::InvalidArgumentError(absl::StrCat("@", record.sequence().value(),
                                                   " is of account ", kOwnAccount.value(),
                                                   ", which is the strategy's in a simulation"));
  }
  market_.ApplyRecorded(
      record,
      [&](const Command& command, std::span<const Event> events) { OnEvents(command, events); },
      [&](const MarketSimulation::MissedTrade& missed) { OnMissedTrade(missed); });
  if (needs_account_) OpenAccount(time);
  return status_;
}

absl::Status Backtest::Start(Timestamp now) {
  has_started_ = true;
  now_ = now;
  for (const strategy::Parameters::Assignment& set : terms_.parameters) {
    RETURN_IF_ERROR(Hear({.time = now, .amount = set.value, .kind = InputKind::kParameter},
                         engine::AsBytes(absl::string_view(set.name))));
  }
  return Hear({.time = now,
               .kind = InputKind::kConnection,
               .detail = static_cast<uint8_t>(strategy::ConnectionState::kLive)});
}

absl::Status Backtest::RunUntil(Timestamp until) {
  while (true) {
    const Timestamp action = arrivals_.empty() ? Timestamp::Max() : arrivals_.front().at;
    const Timestamp input = inputs_.empty() ? Timestamp::Max() : inputs_.front().time;
    const Timestamp timer = machine_.NextTimer();
    const Timestamp next = std::min({action, input, timer});
    if (next >= until) return absl::OkStatus();
    if (next > now_) {
      now_ = next;
      results_.OnTime(now_, feed_.depth());
    }
    if (action == next) {
      const Arrival arrival = arrivals_.front();
      arrivals_.Pop();
      Arrive(arrival);
    } else if (input == next) {
      const Input& heard = inputs_.front();
      if (heard.kind == InputKind::kMarket) {
        const engine::MarketDefinition* const market = market_.markets().Find(heard.market);
        RETURN_IF_ERROR(Hear(heard, engine::EncodeMarketDefinition(*market)));
      } else {
        RETURN_IF_ERROR(Hear(heard));
      }
      inputs_.Pop();
    } else {
      RETURN_IF_ERROR(Hear({.time = next, .kind = InputKind::kTime}));
    }
  }
}

absl::Status Backtest::Finish() {
  SendReopened();
  // What is on its way at the end arrives; what that causes does not.
  Timestamp end = now_;
  if (!inputs_.empty()) end = std::max(end, inputs_.front().time);
  if (!arrivals_.empty()) end = std::max(end, arrivals_.front().at);
  return RunUntil(Timestamp::FromNanos(end.nanos() + 1));
}

absl::Status Backtest::CheckMarkets() const {
  if (terms_.fees != engine::FeeSchedule() && fees_.empty()) {
    return absl::InvalidArgumentError(
        "fees are for mirrored binary markets, and the journal has none; those of others are in "
        "it");
  }
  for (const std::string& symbol : terms_.markets) {
    if (market_.markets().FindSymbol(symbol) == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("the journal has no market ", symbol));
    }
  }
  return absl::OkStatus();
}

absl::Status Backtest::Hear(const Input& input, engine::Bytes attachment) {
  ++input_count_;
  ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, apply_(input, attachment));
  for (const replay::Output& output : outputs) {
    const Action action = strategy::ToAction(output);
    switch (action.kind) {
      case ActionKind::kNewOrder:
        ++results_.counts.new_orders;
        break;
      case ActionKind::kAmend:
        ++results_.counts.amends;
        break;
      case ActionKind::kCancel:
        ++results_.counts.cancels;
        break;
      default:
        continue;
    }
    // Never at the same time: what it causes would be heard, and answered, without an end.
    const Timestamp sent = Timestamp::FromNanos(input.time.nanos() + kLeastNanos);
    arrivals_.Push({.at = to_venue_.ArrivalOf(sent), .action = action});
  }
  results_.OnProfit(input.time, machine_.desk().profit());
  return absl::OkStatus();
}

void Backtest::Arrive(const Arrival& arrival) {
  const Action& action = arrival.action;
  Command command;
  command.timestamp = arrival.at;
  command.market = action.market;
  command.account = kOwnAccount;
  applying_ = &action;
  if (action.kind == ActionKind::kNewOrder) {
    command.kind = CommandKind::kNewOrder;
    command.side = action.side;
    command.type = engine::OrderType::kLimit;
    command.tif = action.tif;
    command.price = action.price;
    command.quantity = action.quantity;
    command.flags = action.flags;
    command.client_order_id = engine::ClientOrderId(action.order.value());
    if (action.tif == engine::TimeInForce::kGoodTillTime) {
      command.set_expires_at(Timestamp::FromNanos(action.expires));
    }
    ApplyOwn(command);
  } else {
    const auto order = own_ids_.find(action.order);
    if (order == own_ids_.end()) {
      ++results_.counts.failed;
      Send({.order = action.order,
            .market = action.market,
            .kind = InputKind::kRequestRefused,
            .detail = static_cast<uint8_t>(Refusal::kUnknownOrder)});
    } else {
      const bool is_cancel = action.kind == ActionKind::kCancel;
      command.kind = is_cancel ? CommandKind::kCancel : CommandKind::kAmend;
      command.order_id = order->second;
      if (!is_cancel) {
        command.price = action.price;
        command.quantity = action.quantity;
      }
      ApplyOwn(command);
    }
  }
  if (action.kind != ActionKind::kCancel) OnApplied();
  applying_ = nullptr;
}

void Backtest::ApplyOwn(Command command, engine::Bytes attachment) {
  market_.ApplyOwn(command, attachment, [&](const Command& applied, std::span<const Event> events) {
    OnEvents(applied, events);
  });
}

void Backtest::OpenAccount(Timestamp now) {
  needs_account_ = false;
  has_account_ = true;
  Command command;
  command.timestamp = now;
  command.account = kOwnAccount;
  command.kind = CommandKind::kOpenAccount;
  ApplyOwn(command);
  command.kind = CommandKind::kDeposit;
  command.set_amount(terms_.cash);
  ApplyOwn(command);
}

void Backtest::OnEvents(const Command& command, std::span<const Event> events) {
  for (size_t at = 0; at < events.size(); ++at) {
    if (events[at].kind == EventKind::kMarketDefined) {
      OnMarketDefined(events[at].market);
    } else if (applying_ != nullptr || !own_.empty()) {
      OnOwnEvent(events, at);
    }
  }
  // After them: the book then has what rests.
  for (const Input& input : feed_.Fold(command, OfChosen(events))) {
    const bool is_wrong =
        !stale_.empty() && input.kind == InputKind::kBookLevel && stale_.contains(input.market);
    if (!is_wrong) Send(input);
  }
  for (const Event& event : events) {
    if (event.kind == EventKind::kMarketState && IsChosen(event.market)) OnMarketState(event);
  }
}

std::span<const Event> Backtest::OfChosen(std::span<const Event> events) {
  if (all_are_chosen_) return events;
  chosen_events_.clear();
  std::ranges::copy_if(events, std::back_inserter(chosen_events_),
                       [&](const Event& event) { return IsChosen(event.market); });
  return chosen_events_;
}

// A mirrored market is paused while its book is not known.
void Backtest::OnMarketState(const Event& event) {
  if (!market_.markets().Find(event.market)->mirrored) return;
  if (event.market_state() == engine::MarketState::kPaused) {
    stale_.insert(event.market);
    Send({.market = event.market, .kind = InputKind::kBookStale});
  } else if (stale_.contains(event.market)) {
    reopened_.push_back(event.market);
  }
}

void Backtest::SendReopened() {
  for (const MarketId market : std::exchange(reopened_, {})) {
    stale_.erase(market);
    std::vector<Input> rows = {
        {.venue_time = now_.nanos(), .market = market, .kind = InputKind::kBookClear}};
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      feed_.depth().VisitLevels(market, side, [&](engine::Price price, const auto& level) {
        rows.push_back({.venue_time = now_.nanos(),
                        .price = price,
                        .quantity = level.quantity,
                        .market = market,
                        .kind = InputKind::kBookLevel,
                        .side = side});
        return true;
      });
    }
    rows.back().flags = Input::kLast;
    for (const Input& row : rows) Send(row);
  }
}

// Where the order of the action that was applied rests, if it does.
void Backtest::OnApplied() {
  const auto order = own_ids_.find(applying_->order);
  if (order == own_ids_.end()) return;
  const engine::DepthView::Place* const place = feed_.depth().FindOrder(order->second);
  if (place == nullptr) return End(order->second);
  uint32_t level = 0;
  feed_.depth().VisitLevels(applying_->market, applying_->side, [&](engine::Price price, auto&) {
    if (price == place->level->price) return false;
    return ++level + 1 < Results::kLevels;
  });
  own_[order->second].level = level;
  results_.OnRest(place->quantity_remaining, level);
}

void Backtest::OnMarketDefined(MarketId market) {
  const engine::MarketDefinition& definition = *market_.markets().Find(market);
  if (std::ranges::count(terms_.markets, definition.symbol) != 0) chosen_.insert(market);
  if (!IsChosen(market)) return;
  if (definition.kind == engine::MarketKind::kBinary) {
    if (!definition.mirrored) {
      needs_account_ = !has_account_;
    } else if (terms_.fees != engine::FeeSchedule()) {
      fees_[market] = engine::ContractMoney(definition);
      fees_[market].SetFees(terms_.fees);
    }
  }
  Send({.market = market, .kind = InputKind::kMarket});
  Send({.market = market, .kind = InputKind::kBookClear, .flags = Input::kLast});
}

void Backtest::OnOwnEvent(std::span<const Event> events, size_t at) {
  const Event& event = events[at];
  if (event.kind == EventKind::kTrade) {
    if (own_.contains(event.order_id)) OnOwnFill(events, at, event.order_id, /*is_maker=*/true);
    if (own_.contains(event.counter_order_id)) {
      OnOwnFill(events, at, event.counter_order_id, /*is_maker=*/false);
    }
    return;
  }
  if (applying_ != nullptr && event.kind == EventKind::kAccepted) {
    ++results_.counts.accepted;
    own_[event.order_id] = {.number = applying_->order, .remaining = event.quantity_remaining};
    own_ids_[applying_->order] = event.order_id;
    return Answer(InputKind::kOrderAccepted, applying_->order, event);
  }
  if (applying_ != nullptr && event.kind == EventKind::kRejected) {
    const bool is_new = applying_->kind == ActionKind::kNewOrder;
    ++(is_new ? results_.counts.refused : results_.counts.failed);
    return Send({.order = applying_->order,
                 .market = applying_->market,
                 .kind = is_new ? InputKind::kOrderRefused : InputKind::kRequestRefused,
                 .detail = static_cast<uint8_t>(RefusalOf(event.reject_reason()))});
  }
  const auto own = own_.find(event.order_id);
  if (own == own_.end()) return;
  if (event.kind == EventKind::kAmended) {
    own->second.remaining = event.quantity_remaining;
    Answer(InputKind::kOrderAmended, own->second.number, event);
  } else if (event.kind == EventKind::kCancelled) {
    Answer(InputKind::kOrderCancelled, own->second.number, event);
    End(event.order_id);
  }
}

void Backtest::OnOwnFill(std::span<const Event> events, size_t at, OrderId order, bool is_maker) {
  const Event& trade = events[at];
  OwnOrder& own = own_[order];
  const engine::Side side = is_maker ? trade.side : Opposite(trade.side);
  const engine::Money fee = ChargedFee(events, at, order) + FeeOf(trade, side, is_maker, own);
  own.remaining -= trade.quantity;
  Send({.price = trade.price,
        .quantity = trade.quantity,
        .order = own.number,
        .amount = fee.micros(),
        .market = trade.market,
        .kind = InputKind::kOrderFilled});
  results_.OnFill({.time = now_,
                   .market = trade.market,
                   .order = own.number,
                   .side = side,
                   .is_maker = is_maker,
                   .level = is_maker ? own.level : 0,
                   .price = trade.price,
                   .quantity = trade.quantity,
                   .fee = fee,
                   .twice_mid = TwiceMid(feed_.depth(), trade.market)});
  if (own.remaining.is_zero()) End(order);
}

engine::Money Backtest::FeeOf(const Event& trade, engine::Side side, bool is_maker, OwnOrder& own) {
  const auto fees = fees_.find(trade.market);
  if (fees == fees_.end()) return {};
  // Pairs are whole steps of a balance, so it makes no difference whether it closes some.
  const engine::FillMoney fill =
      fees->second.Fill(side, trade.quantity, trade.price, /*closed=*/Quantity(),
                        is_maker ? engine::FeeRole::kMaker : engine::FeeRole::kTaker, own.credit);
  own.credit = fill.credit;
  return fill.fee;
}

void Backtest::OnMissedTrade(const MarketSimulation::MissedTrade& missed) {
  if (!IsChosen(missed.trade.market)) return;
  Send({.venue_time = now_.nanos(),
        .price = missed.trade.price,
        .quantity = missed.quantity,
        .market = missed.trade.market,
        .kind = InputKind::kTrade,
        .side = Opposite(missed.trade.side)});
}

void Backtest::End(OrderId order) {
  const auto own = own_.find(order);
  own_ids_.erase(own->second.number);
  own_.erase(own);
}

void Backtest::Answer(InputKind kind, OrderNumber order, const Event& event) {
  Send({.price = event.price,
        .quantity = event.quantity_remaining,
        .order = order,
        .market = event.market,
        .kind = kind});
}

void Backtest::Send(const Input& input) { inputs_.Push(input).time = to_strategy_.ArrivalOf(now_); }

}  // namespace tools
