#include "engine/core/rules.h"

#include "engine/base/check.h"
#include "engine/core/live_orders.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/note_codec.h"

namespace engine {
namespace {

// Validates what does not depend on the kind of command.
RejectReason Check(const Command& command, ExchangeState state) {
  if (command.kind < CommandKind::kDefineMarket || command.kind > kLastCommandKind) {
    return RejectReason::kUnknownCommand;
  }
  if (command.kind == CommandKind::kNewOrder && !command.flags.is_defined()) {
    return RejectReason::kUnsupportedField;
  }
  return CheckExchangeState(command.kind, state);
}

// The commands that change nothing but the time.
RejectReason ApplyTimeCommand(const Command& command, Bytes attachment, EventBuffer& events) {
  if (command.kind == CommandKind::kAdvanceTime) {
    events.Append(EventKind::kTimeAdvanced);
    return RejectReason::kNone;
  }
  if (!DecodeNote(attachment).ok()) return RejectReason::kMalformedNote;
  Event& noted = events.Append(EventKind::kNoted);
  noted.account = command.account;
  noted.market = command.market;
  return RejectReason::kNone;
}

RejectReason Dispatch(VenueState& venue, const Command& command, Bytes attachment,
                      EventBuffer& events) {
  switch (InfoOf(command.kind).scope) {
    case Scope::kOrders:
      return ApplyOrderCommand(venue, command, events);
    case Scope::kTime:
      return ApplyTimeCommand(command, attachment, events);
    case Scope::kMarket:
    case Scope::kExchange:
      return ApplyMarketCommand(venue, command, attachment, events);
    case Scope::kAccount:
    case Scope::kGroup:
      return ApplyAccountCommand(venue, command, attachment, events);
    case Scope::kNone:
      break;
  }
  return RejectReason::kUnknownCommand;
}

}  // namespace

void ApplyRules(VenueState& venue, const Command& command, Bytes attachment, EventBuffer& events) {
  events.Begin(command.sequence);
  ExpireOrders(venue, events);
  const size_t before = events.size();
  RejectReason reason = Check(command, venue.state);
  if (reason == RejectReason::kNone) reason = Dispatch(venue, command, attachment, events);
  if (reason != RejectReason::kNone) {
    CHECK_EQ(events.size(), before) << "a refusal after an event (E4)";
    AppendRejected(events, command, reason);
  }
  if (venue.groups.has_fills()) TripGroups(venue, events);
}

void ApplyRules(VenueState& venue, const Command& command, EventBuffer& events) {
  ApplyRules(venue, command, {}, events);
}

}  // namespace engine
