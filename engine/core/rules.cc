#include "engine/core/rules.h"

#include "engine/base/check.h"
#include "engine/core/account_commands.h"
#include "engine/core/live_orders.h"
#include "engine/core/market_commands.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_commands.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"

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

RejectReason Dispatch(VenueState& venue, const Command& command, Bytes attachment,
                      EventBuffer& events) {
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return DefineMarket(venue, command, attachment, events);
    case CommandKind::kNewOrder:
      return NewOrder(venue, command, events);
    case CommandKind::kCancel:
      return Cancel(venue, command, events);
    case CommandKind::kReduce:
      return Reduce(venue, command, events);
    case CommandKind::kReplace:
      return Replace(venue, command, events);
    case CommandKind::kAmend:
      return Amend(venue, command, events);
    case CommandKind::kAdvanceTime:
      events.Append(EventKind::kTimeAdvanced);
      return RejectReason::kNone;
    case CommandKind::kReduceTo:
      return ReduceTo(venue, command, events);
    case CommandKind::kMassCancel:
      return MassCancel(venue, command, events);
    case CommandKind::kOpenMarket:
    case CommandKind::kPauseMarket:
    case CommandKind::kCloseMarket:
    case CommandKind::kDetermineMarket:
    case CommandKind::kSettleMarket:
      return MoveMarket(venue, command, events);
    case CommandKind::kResumeExchange:
    case CommandKind::kPauseExchange:
    case CommandKind::kHaltExchange:
      MoveExchange(venue, command, events);
      return RejectReason::kNone;
    case CommandKind::kOpenAccount:
      return OpenAccount(venue, command, events);
    case CommandKind::kDeposit:
    case CommandKind::kWithdraw:
      return MoveMoney(venue, command, events);
    case CommandKind::kSetRiskLimits:
      return SetRiskLimits(venue, command, attachment, events);
    case CommandKind::kSetFees:
      return SetFees(venue, command, attachment, events);
    case CommandKind::kDefineGroup:
      return DefineGroup(venue, command, events);
    case CommandKind::kResetGroup:
      return ResetGroup(venue, command, events);
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
