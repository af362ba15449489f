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

bool AreEqual(std::span<const Event> a, std::span<const Event> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

void Renumbering::Insert(uint64_t recorded) {
  const size_t chunk = recorded >> kChunkBits;
  while (chunks_.size() <= chunk) chunks_.push_back(inserted_before_.size());
  inserted_before_.push_back(recorded);
}

uint64_t Renumbering::NumberOf(uint64_t recorded) const {
  const size_t chunk = recorded >> kChunkBits;
  if (chunk >= chunks_.size()) return recorded + inserted_before_.size();
  const auto begin = inserted_before_.begin() + static_cast<ptrdiff_t>(chunks_[chunk]);
  const auto end = chunk + 1 < chunks_.size()
                       ? inserted_before_.begin() + static_cast<ptrdiff_t>(chunks_[chunk + 1])
                       : inserted_before_.end();
  return recorded +
         static_cast<uint64_t>(std::upper_bound(begin, end, recorded) - inserted_before_.begin());
}

void MarketSimulation::ApplyRecorded(const journal::Record& record, Listener listener,
                                     absl::FunctionRef<void(const MissedTrade&)> missed) {
  Command command = replay::ToCommand(*record.row);
  CHECK_EQ(command.sequence.value(), next_recorded_);
  command.sequence = SequenceNumber(numbers_.NumberOf(next_recorded_));
  ++next_recorded_;
  if (engine::NamesAnOrder(command.kind) && command.order_id.value() < next_recorded_ &&
      command.order_id != OrderId()) {
    command.order_id = OrderId(numbers_.NumberOf(command.order_id.value()));
  }
  now_ = command.timestamp;
  const journal::Row row = replay::ToRow(command);
  const journal::Record renumbered{.row = &row, .attachment = record.attachment};
  const std::span<const Event> recorded = replay::AsEvents(recorded_driver_.Apply(renumbered));
  const std::span<const Event> simulated = replay::AsEvents(simulated_driver_.Apply(renumbered));
  const bool is_equal = !has_own_orders_ || AreEqual(recorded, simulated);
  if (!is_equal) {
    recorded_events_.assign(recorded.begin(), recorded.end());
    simulated_events_.assign(simulated.begin(), simulated.end());
  }
  listener(command, simulated);
  if (!is_equal) Correct(command, listener, missed);
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
  Insert(command, attachment, listener);
  return simulated_driver_.last_applied();
}

void MarketSimulation::Insert(Command command, engine::Bytes attachment, Listener listener) {
  numbers_.Insert(next_recorded_);
  command.sequence = simulated_driver_.last_applied().Next();
  Command nothing;
  nothing.kind = CommandKind::kAdvanceTime;
  nothing.sequence = command.sequence;
  nothing.timestamp = command.timestamp;
  const journal::Row nothing_row = replay::ToRow(nothing);
  recorded_driver_.Apply({.row = &nothing_row, .attachment = {}});
  const journal::Row row = replay::ToRow(command);
  listener(command,
           replay::AsEvents(simulated_driver_.Apply({.row = &row, .attachment = attachment})));
}

}  // namespace tools
