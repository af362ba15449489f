#include "tools/backtest/market_simulation.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace tools {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::OrderId;
using engine::Quantity;
using engine::SequenceNumber;
using engine::Timestamp;

// What rests of the order that arrives with the command, after it. Zero if none arrives.
struct Arrival {
  OrderId order = {};
  Quantity rests = {};
};

Arrival ArrivalIn(std::span<const Event> events) {
  Arrival arrival;
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::kAccepted:
      case EventKind::kReplaced:
      case EventKind::kAmended:
        arrival = {.order = event.order_id, .rests = event.quantity_remaining};
        break;
      case EventKind::kTrade:
        if (event.counter_order_id == arrival.order && arrival.order != OrderId()) {
          arrival.rests -= event.quantity;
        }
        break;
      case EventKind::kCancelled:
        if (event.order_id == arrival.order) arrival.rests = {};
        break;
      default:
        break;
    }
  }
  return arrival;
}

// The event with which an order joins a queue; null if none does.
const Event* ArrivalEventIn(std::span<const Event> events) {
  for (const Event& event : events) {
    const bool is_it =
        event.kind == EventKind::kAccepted || event.kind == EventKind::kReplaced ||
        (event.kind == EventKind::kAmended && event.priority() != engine::PriorityOutcome::kKept);
    if (is_it) return &event;
  }
  return nullptr;
}

// In the place of `command`.
Command AdvanceTime(const Command& command) {
  Command nothing;
  nothing.kind = CommandKind::kAdvanceTime;
  nothing.sequence = command.sequence;
  nothing.timestamp = command.timestamp;
  return nothing;
}

Command CommandFor(CommandKind kind, OrderId order, engine::MarketId market, Timestamp time) {
  Command command;
  command.kind = kind;
  command.timestamp = time;
  command.order_id = order;
  command.market = market;
  return command;
}

Quantity SumOf(const std::vector<MirroredBooks::Take>& takes) {
  Quantity sum;
  for (const MirroredBooks::Take& take : takes) sum += take.quantity;
  return sum;
}

bool AreEqual(std::span<const Event> a, std::span<const Event> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

void MarketSimulation::ApplyRecorded(const journal::Record& record, Listener listener,
                                     absl::FunctionRef<void(const MissedTrade&)> missed) {
  Command command = replay::ToCommand(*record.row);
  CHECK_EQ(command.sequence.value(), next_recorded_);
  const bool is_mirrored = mirrored_.Has(command.market);
  if (is_mirrored) Expire(command.timestamp, listener);
  command.sequence = SequenceNumber(numbers_.NumberOf(next_recorded_));
  ++next_recorded_;
  if (engine::NamesAnOrder(command.kind) && command.order_id.value() < next_recorded_ &&
      command.order_id != OrderId()) {
    command.order_id = OrderId(numbers_.NumberOf(command.order_id.value()));
  }
  now_ = command.timestamp;
  const journal::Record renumbered{.row = &replay::AsRow(command), .attachment = record.attachment};
  const std::span<const Event> recorded = replay::AsEvents(recorded_driver_.Apply(renumbered));
  if (is_mirrored && has_own_orders_) {
    recorded_events_.assign(recorded.begin(), recorded.end());
    return ApplyMirrored(command, record.attachment, listener, missed);
  }
  const std::span<const Event> simulated = replay::AsEvents(simulated_driver_.Apply(renumbered));
  See(command, simulated, listener);
  if (!has_own_orders_ || is_mirrored || AreEqual(recorded, simulated)) return;
  recorded_events_.assign(recorded.begin(), recorded.end());
  simulated_events_.assign(simulated.begin(), simulated.end());
  Correct(command, listener, missed);
}

std::span<const Event> MarketSimulation::ApplySimulated(const Command& command,
                                                        engine::Bytes attachment) {
  return replay::AsEvents(
      simulated_driver_.Apply({.row = &replay::AsRow(command), .attachment = attachment}));
}

void MarketSimulation::See(const Command& command, std::span<const Event> events,
                           Listener listener) {
  if (command.kind == CommandKind::kDefineMarket) {
    const engine::MarketDefinition* const market = markets().Find(command.market);
    if (market != nullptr && market->mirrored) mirrored_.Define(market->id);
  }
  if (!mirrored_.empty()) mirrored_.OnEvents(command, events);
  listener(command, events);
}

void MarketSimulation::Correct(const Command& command, Listener listener,
                               absl::FunctionRef<void(const MissedTrade&)> missed) {
  const auto correct = [&](CommandKind kind, OrderId order, engine::AccountId account,
                           Quantity quantity) {
    Command correction;
    correction.kind = kind;
    correction.timestamp = now_;
    correction.order_id = order;
    correction.quantity = quantity;
    correction.market = command.market;
    correction.account = account;
    ++corrections_;
    Insert(correction, {}, listener);
  };
  if (impact_ == Impact::kNone) {
    for (const Event& trade : recorded_events_) {
      if (trade.kind != EventKind::kTrade) continue;
      Quantity found;
      for (const Event& other : simulated_events_) {
        const bool is_it = other.kind == EventKind::kTrade && other.order_id == trade.order_id;
        if (is_it) found += other.quantity;
      }
      if (found >= trade.quantity) continue;
      const Quantity quantity = trade.quantity - found;
      missed({.trade = trade, .quantity = quantity});
      correct(CommandKind::kReduce, trade.order_id, trade.account, quantity);
    }
  }
  const Arrival recorded = ArrivalIn(recorded_events_);
  const Arrival simulated = ArrivalIn(simulated_events_);
  if (simulated.order == OrderId() || simulated.rests <= recorded.rests) return;
  correct(recorded.rests.is_zero() ? CommandKind::kCancel : CommandKind::kReduceTo, simulated.order,
          command.account, recorded.rests);
}

SequenceNumber MarketSimulation::ApplyOwn(Command command, engine::Bytes attachment,
                                          Listener listener) {
  const bool makes_an_order = command.kind == CommandKind::kNewOrder;
  has_own_orders_ |= makes_an_order;
  now_ = std::max(now_, command.timestamp);
  command.timestamp = now_;
  if (mirrored_.Has(command.market)) {
    Expire(now_, listener);
    return ApplyOwnMirrored(command, attachment, listener);
  }
  Insert(command, attachment, listener);
  return simulated_driver_.last_applied();
}

void MarketSimulation::Insert(Command command, engine::Bytes attachment, Listener listener) {
  const std::span<const Event> events = Step(command, attachment);
  See(command, events, listener);
}

std::span<const Event> MarketSimulation::Step(Command& command, engine::Bytes attachment) {
  numbers_.Insert(next_recorded_);
  command.sequence = simulated_driver_.last_applied().Next();
  const Command nothing = AdvanceTime(command);
  recorded_driver_.Apply({.row = &replay::AsRow(nothing), .attachment = {}});
  return ApplySimulated(command, attachment);
}

// ---- Mirrored markets.

void MarketSimulation::Expire(Timestamp now, Listener listener) {
  if (!has_own_orders_ || simulated_.NextTimer() > now) return;
  Command nothing;
  nothing.kind = CommandKind::kAdvanceTime;
  nothing.timestamp = now;
  Insert(nothing, {}, listener);
}

void MarketSimulation::ApplyMirrored(Command command, engine::Bytes attachment, Listener listener,
                                     absl::FunctionRef<void(const MissedTrade&)> missed) {
  if (command.kind == CommandKind::kExecute) {
    const auto trade = std::ranges::find(recorded_events_, EventKind::kTrade, &Event::kind);
    if (trade != recorded_events_.end()) return ApplyExecute(command, *trade, listener, missed);
  }
  if (command.kind == CommandKind::kReduceTo) {
    command.quantity += mirrored_.PassedOver(command.order_id);
  }
  const std::span<const Event> simulated = ApplySimulated(command, attachment);
  simulated_events_.assign(simulated.begin(), simulated.end());
  if (const Event* const arrival = ArrivalEventIn(simulated_events_); arrival != nullptr) {
    const OrderId taker = arrival->order_id;
    const Takes takes = mirrored_.ExtrasBefore({.market = command.market,
                                                .side = Opposite(arrival->side),
                                                .price = arrival->price,
                                                .quantity = arrival->quantity_remaining},
                                               taker);
    Match(command, taker, takes);
  }
  See(command, simulated_events_, listener);
  EndAsRecorded(listener);
}

void MarketSimulation::ApplyExecute(Command command, const Event& trade, Listener listener,
                                    absl::FunctionRef<void(const MissedTrade&)> missed) {
  const bool is_print = command.order_id == OrderId();
  const engine::DepthView::Place* const named = mirrored_.depth().FindOrder(command.order_id);
  MirroredBooks::Taker taker{.market = command.market,
                             .side = trade.side,
                             .price = named == nullptr ? trade.price : named->level->price,
                             .quantity = command.quantity};
  Takes takes;
  if (IsValid(trade.side)) {
    takes =
        is_print ? mirrored_.ExtrasWithin(taker) : mirrored_.ExtrasBefore(taker, command.order_id);
  }
  Quantity most = command.quantity;
  if (!is_print) most = named == nullptr ? Quantity() : std::min(most, named->quantity_remaining);
  Quantity traded = most;
  if (impact_ == Impact::kDisplace) {
    traded = std::min(traded, command.quantity - SumOf(takes));
  }
  const Quantity recorded = command.quantity;
  const engine::MarketId market = command.market;
  command.quantity = traded;
  if (traded.is_zero()) command = AdvanceTime(command);
  See(command, ApplySimulated(command, {}), listener);
  if (!is_print && traded < most) mirrored_.AddPassedOver(trade.order_id, most - traded);
  if (impact_ == Impact::kNone && traded < recorded) {
    missed({.trade = trade, .quantity = recorded - traded});
  }
  for (const MirroredBooks::Take& take : takes) {
    Insert(ExecuteOf(take, market), {}, listener);
  }
  EndAsRecorded(listener);
}

void MarketSimulation::EndAsRecorded(Listener listener) {
  // Those of the events are not valid once a command is inserted.
  for (const Event& event : recorded_events_) {
    if (event.kind != EventKind::kCancelled && event.kind != EventKind::kReplaced) continue;
    const OrderId ended =
        event.kind == EventKind::kReplaced ? event.counter_order_id : event.order_id;
    if (!mirrored_.Has(event.market) || mirrored_.depth().FindOrder(ended) == nullptr) continue;
    Insert(CommandFor(CommandKind::kCancel, ended, event.market, now_), {}, listener);
  }
}

SequenceNumber MarketSimulation::ApplyOwnMirrored(Command command, engine::Bytes attachment,
                                                  Listener listener) {
  command.account = engine::AccountId();  // The only one there.
  const bool is_new = command.kind == CommandKind::kNewOrder;
  const engine::TimeInForce tif = command.tif;
  const engine::OrderFlags* const flags =
      is_new ? &command.flags : mirrored_.FlagsOfOwn(command.order_id);
  const bool can_take = is_new || (command.kind == CommandKind::kAmend && flags != nullptr);
  MirroredBooks::Taker taker{
      .market = command.market, .price = command.price, .quantity = command.quantity};
  if (can_take) {
    taker.side = Opposite(is_new ? command.side
                                 : mirrored_.depth().FindOrder(command.order_id)->level->side);
    if (flags->post_only() && !mirrored_.OthersWithin(taker).empty()) {
      return RefuseOwn(command, engine::RejectReason::kPostOnlyWouldCross, listener);
    }
  }
  const engine::OrderFlags kept = can_take ? *flags : engine::OrderFlags();
  if (is_new && IsValid(tif) && !Rests(tif)) command.tif = engine::TimeInForce::kGoodTillCancelled;
  const std::span<const Event> events = Step(command, attachment);
  const SequenceNumber sequence = command.sequence;
  simulated_events_.assign(events.begin(), events.end());
  const Event* const arrival = ArrivalEventIn(simulated_events_);
  if (arrival == nullptr) {
    See(command, simulated_events_, listener);
    return sequence;
  }
  const OrderId own = arrival->order_id;
  taker.quantity = arrival->quantity_remaining;
  Takes takes = mirrored_.OthersWithin(taker);
  if (is_new && tif == engine::TimeInForce::kFillOrKill && SumOf(takes) < taker.quantity) {
    takes.clear();
  }
  Match(command, own, takes);
  Quantity remains = taker.quantity - SumOf(takes);
  if (is_new && !Rests(tif) && !remains.is_zero()) {
    Command cancel = CommandFor(CommandKind::kCancel, own, command.market, now_);
    for (const Event& event : Step(cancel, {})) AddToEvents(command, event);
    remains = {};
  }
  See(command, simulated_events_, listener);
  if (!remains.is_zero()) mirrored_.AddOwn(own, kept);
  return sequence;
}

SequenceNumber MarketSimulation::RefuseOwn(const Command& command, engine::RejectReason reason,
                                           Listener listener) {
  Command nothing = AdvanceTime(command);
  const std::span<const Event> events = Step(nothing, {});
  simulated_events_.assign(events.begin(), events.end());
  Event refused;
  refused.order_id = command.order_id;
  refused.account = command.account;
  refused.market = command.market;
  refused.kind = EventKind::kRejected;
  refused.detail = static_cast<uint8_t>(reason);
  AddToEvents(nothing, refused);
  See(nothing, simulated_events_, listener);
  return nothing.sequence;
}

Command MarketSimulation::ExecuteOf(const MirroredBooks::Take& take,
                                    engine::MarketId market) const {
  Command execute = CommandFor(CommandKind::kExecute, take.maker, market, now_);
  execute.price = take.price;
  execute.quantity = take.quantity;
  return execute;
}

void MarketSimulation::Match(const Command& command, OrderId taker, const Takes& takes) {
  for (const MirroredBooks::Take& take : takes) {
    Command execute = ExecuteOf(take, command.market);
    Event trade = Step(execute, {}).front();
    CHECK(trade.kind == EventKind::kTrade) << "order " << take.maker << " does not trade";
    trade.counter_order_id = taker;
    AddToEvents(command, trade);
    execute.order_id = taker;
    Step(execute, {});
  }
}

void MarketSimulation::AddToEvents(const Command& command, Event event) {
  event.sequence = command.sequence;
  event.index = static_cast<uint32_t>(simulated_events_.size());
  simulated_events_.push_back(event);
}

}  // namespace tools
