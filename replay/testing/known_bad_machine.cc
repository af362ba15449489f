#include "replay/testing/known_bad_machine.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/time_in_force.h"
#include "replay/command_row.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::RestingOrder;

bool IsImmediateLimit(const Command& command) {
  return command.kind == CommandKind::kNewOrder && command.type == engine::OrderType::kLimit &&
         command.tif == engine::TimeInForce::kImmediateOrCancel;
}

int64_t TradeCount(const std::vector<Event>& events) {
  return std::ranges::count(events, EventKind::kTrade, &Event::kind);
}

}  // namespace

absl::StatusOr<KnownBadOptions> FindFault(absl::string_view name) {
  std::string names;
  for (size_t i = 0; i < kOwnFaultNames.size(); ++i) {
    if (kOwnFaultNames[i] == name) return KnownBadOptions{.own_fault = static_cast<OwnFault>(i)};
    absl::StrAppend(&names, kOwnFaultNames[i], ", ");
  }
  for (const engine::FaultText& text : engine::kFaults) {
    if (text.name == name) return KnownBadOptions{.fault = text.fault};
    absl::StrAppend(&names, text.name, ", ");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no fault '", name, "'; expected one of ", names));
}

bool KnownBadMachine::IsArmed(const Command& command) const {
  if (command.sequence.value() < options_.from) return false;
  return options_.account == engine::AccountId() || command.account == options_.account;
}

int64_t KnownBadMachine::TickOf(const Command& command) const {
  const engine::MarketDefinition* market = exchange_.markets().Find(command.market);
  if (market == nullptr || command.price < market->price_min || command.price > market->price_max) {
    return 0;
  }
  return market->TickAt(command.price).units();
}

Command KnownBadMachine::Spoil(const Command& command) const {
  Command spoilt = command;
  if (!IsImmediateLimit(command)) return spoilt;
  const int64_t better = command.side == engine::Side::kBid ? TickOf(command) : -TickOf(command);
  if (options_.own_fault == OwnFault::kThroughLimit) {
    spoilt.price = engine::Price::FromUnits(command.price.units() + better);
  } else if (options_.own_fault == OwnFault::kSweepStopsShort) {
    spoilt.price = engine::Price::FromUnits(command.price.units() - better);
  } else if (options_.own_fault == OwnFault::kImmediateRests && !command.flags.reduce_only()) {
    spoilt.tif = engine::TimeInForce::kGoodTillCancelled;
  }
  return spoilt;
}

void KnownBadMachine::Spoil(const Command& command, std::vector<Event>& events) const {
  switch (options_.own_fault) {
    case OwnFault::kTakerPriced:
      for (Event& event : events) {
        const bool has_limit = command.type == engine::OrderType::kLimit;
        if (event.kind == EventKind::kTrade && has_limit) event.price = command.price;
      }
      return;
    case OwnFault::kThroughLimit:
    case OwnFault::kSweepStopsShort:
      for (Event& event : events) {
        const bool is_own = event.order_id == engine::OrderIdOf(command.sequence);
        if (is_own && event.kind != EventKind::kTrade) event.price = command.price;
      }
      return;
    case OwnFault::kMakerForgotten:
      if (TradeCount(events) >= 3)
        std::erase_if(events, [](const Event& event) {
          return event.kind == EventKind::kTrade && event.index == 2;
        });
      return;
    case OwnFault::kEndsOnSweep:
      CHECK(TradeCount(events) < 3) << "planted: a sweep of three makers";
      return;
    default:
      return;
  }
}

// The events report that the order is cancelled.
bool KnownBadMachine::LeavePhantom(const Command& command, engine::EventBuffer& events) {
  if (options_.own_fault != OwnFault::kPhantomAfterCancel || command.kind != CommandKind::kCancel) {
    return false;
  }
  std::optional<RestingOrder> found;
  for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
    exchange_.VisitOrders(command.market, side, [&](const RestingOrder& order) {
      if (order.id == command.order_id && order.account == command.account) found = order;
    });
  }
  if (!found.has_value()) return false;
  Command nothing;
  nothing.sequence = command.sequence;
  nothing.timestamp = command.timestamp;
  nothing.kind = CommandKind::kAdvanceTime;
  exchange_.Apply(nothing, {}, own_events_);
  events.Begin(command.sequence);
  Event& event = events.Append(EventKind::kCancelled);
  event.order_id = found->id;
  event.price = found->price;
  event.quantity = found->quantity_remaining;
  event.account = found->account;
  event.market = found->market;
  event.side = found->side;
  event.detail = static_cast<uint8_t>(engine::CancelReason::kRequested);
  return true;
}

std::span<const Output> KnownBadMachine::Apply(ApplyKey, const journal::Record& record) {
  ApplyTo(record, events_.buffer());
  return events_.outputs();
}

void KnownBadMachine::ApplyTo(const journal::Record& record, engine::EventBuffer& events) {
  const Command command = ToCommand(*record.row);
  const bool is_armed = IsArmed(command);
  engine::fault_in_force = is_armed ? options_.fault : engine::Fault::kNone;
  if (!is_armed || options_.own_fault == OwnFault::kNone) {
    exchange_.Apply(command, record.attachment, events);
    return;
  }
  if (LeavePhantom(command, events)) return;
  exchange_.Apply(Spoil(command), record.attachment, own_events_);
  const auto emitted = own_events_.events();
  std::vector<Event> spoilt(emitted.begin(), emitted.end());
  Spoil(command, spoilt);
  events.Begin(command.sequence);
  for (const Event& event : spoilt) {
    Event& copy = events.Append(event.kind);
    const uint32_t index = copy.index;
    copy = event;
    copy.index = index;
  }
}

}  // namespace replay
