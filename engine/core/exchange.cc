#include "engine/core/exchange.h"

#include "engine/base/check.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"

namespace engine {
namespace {

bool IsKnown(CommandKind kind) {
  return kind >= CommandKind::kDefineMarket && kind <= kLastCommandKind;
}

}  // namespace

void Exchange::ApplyAny(const Command& command, EventBuffer& events) {
  const size_t before = events.size();
  RejectReason reason = Check(command);
  if (reason == RejectReason::kNone) reason = Dispatch(command, events);
  if (reason != RejectReason::kNone) {
    CHECK_EQ(events.size(), before) << "a refusal after an event (E4)";
    AppendRejected(events, command, reason);
  }
  if (groups_.has_fills()) TripGroups(events);
}

void Exchange::NoteWhatIsOrdinary() {
  active_until_ = state_ == ExchangeState::kActive ? expiries_.first() : Timestamp::Min();
  ordinary_until_ = risk_.has_limits() ? Timestamp::Min() : active_until_;
}

// Validates what does not depend on the kind of command.
RejectReason Exchange::Check(const Command& command) const {
  if (!IsKnown(command.kind)) return RejectReason::kUnknownCommand;
  if (command.kind == CommandKind::kNewOrder && !command.flags.is_defined()) {
    return RejectReason::kUnsupportedField;
  }
  return CheckExchangeState(command.kind, state_);
}

RejectReason Exchange::Dispatch(const Command& command, EventBuffer& events) {
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return DefineMarket(command, events);
    case CommandKind::kNewOrder:
      return NewOrder(command, events);
    case CommandKind::kCancel:
      return Cancel(command, events);
    case CommandKind::kReduce:
      return Reduce(command, events);
    case CommandKind::kReplace:
      return Replace(command, events);
    case CommandKind::kAmend:
      return Amend(command, events);
    case CommandKind::kAdvanceTime:
      events.Append(EventKind::kTimeAdvanced);
      return RejectReason::kNone;
    case CommandKind::kReduceTo:
      return ReduceTo(command, events);
    case CommandKind::kMassCancel:
      return MassCancel(command, events);
    case CommandKind::kOpenMarket:
    case CommandKind::kPauseMarket:
    case CommandKind::kCloseMarket:
    case CommandKind::kDetermineMarket:
    case CommandKind::kSettleMarket:
      return MoveMarket(command, events);
    case CommandKind::kResumeExchange:
    case CommandKind::kPauseExchange:
    case CommandKind::kHaltExchange:
      MoveExchange(command, events);
      return RejectReason::kNone;
    case CommandKind::kOpenAccount:
      return OpenAccount(command, events);
    case CommandKind::kDeposit:
    case CommandKind::kWithdraw:
      return MoveMoney(command, events);
    case CommandKind::kSetRiskLimits:
      return SetRiskLimits(command, events);
    case CommandKind::kSetFees:
      return SetFees(command, events);
    case CommandKind::kDefineGroup:
      return DefineGroup(command, events);
    case CommandKind::kResetGroup:
      return ResetGroup(command, events);
  }
  return RejectReason::kUnknownCommand;
}

}  // namespace engine
