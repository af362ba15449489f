#include <cstdint>

#include "engine/core/live_orders.h"
#include "engine/core/order_events.h"
#include "engine/core/order_groups.h"
#include "engine/core/order_rules.h"
#include "engine/core/rules.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/event.h"

namespace engine {
namespace {

RejectReason OpenAccount(VenueState& venue, const Command& command, EventBuffer& events) {
  RETURN_IF_REFUSED(venue.ledger.Open(command.account));
  events.Append(EventKind::kAccountOpened).account = command.account;
  return RejectReason::kNone;
}

// Deposits or withdraws.
RejectReason MoveMoney(VenueState& venue, const Command& command, EventBuffer& events) {
  const bool is_deposit = command.kind == CommandKind::kDeposit;
  const Money amount = command.amount();
  RETURN_IF_REFUSED(is_deposit ? venue.ledger.Deposit(command.account, amount)
                               : venue.ledger.Withdraw(command.account, amount));
  AppendBalance(events,
                {.sequence = command.sequence, .owner = OwnerOf(command.account, MarketId())},
                is_deposit ? amount : -amount, Money(), venue.ledger.StateOf(command.account));
  return RejectReason::kNone;
}

RejectReason SetRiskLimits(VenueState& venue, const Command& command, Bytes attachment,
                           EventBuffer& events) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const auto limits = DecodeRiskLimits(attachment);
  if (!limits.ok()) return RejectReason::kMalformedLimits;
  uint64_t open_orders = 0;
  VisitOrdersOf(venue, command.account, [&](Slot slot) {
    ++open_orders;
    venue.order(slot).marks.Set(OrderMarks::kCounted);
  });
  venue.risk.SetLimits(command.account, *limits, open_orders);
  venue.UpdateFastPathTimes();
  events.Append(EventKind::kLimitsSet).account = command.account;
  return RejectReason::kNone;
}

// Suspends or resumes.
RejectReason SetStanding(VenueState& venue, const Command& command, EventBuffer& events) {
  const AccountId account = command.account;
  const AccountStanding standing = command.kind == CommandKind::kSuspendAccount
                                       ? AccountStanding::kSuspended
                                       : AccountStanding::kActive;
  if (!venue.ledger.IsOpen(account)) return RejectReason::kUnknownAccount;
  if (venue.risk.StandingOf(account) == standing) return RejectReason::kAccountStandingForbids;
  Event& event = events.Append(EventKind::kAccountStanding);
  event.account = account;
  event.detail = static_cast<uint8_t>(standing);
  if (standing == AccountStanding::kSuspended) {
    CancelSelected(venue, {.account = account}, CancelReason::kAccountSuspended, events);
  }
  venue.risk.SetStanding(account, standing);
  venue.UpdateFastPathTimes();
  return RejectReason::kNone;
}

RejectReason DefineGroup(VenueState& venue, const Command& command, EventBuffer& events) {
  RETURN_IF_REFUSED(venue.groups.Define({command.account, command.group()}, command.quantity,
                                        command.window_nanos(), command.timestamp));
  Event& event = events.Append(EventKind::kGroupDefined);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  event.quantity = command.quantity;
  return RejectReason::kNone;
}

RejectReason ResetGroup(VenueState& venue, const Command& command, EventBuffer& events) {
  RETURN_IF_REFUSED(venue.groups.Reset({command.account, command.group()}));
  Event& event = events.Append(EventKind::kGroupReset);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  return RejectReason::kNone;
}

RejectReason DeleteGroup(VenueState& venue, const Command& command, EventBuffer& events) {
  const OrderGroups::Key key = {command.account, command.group()};
  RETURN_IF_REFUSED(venue.groups.CheckDefined(key));
  Event& event = events.Append(EventKind::kGroupDeleted);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  CancelSelected(venue, {.account = command.account, .group = command.group()},
                 CancelReason::kGroupDeleted, events);
  venue.groups.Delete(key);
  return RejectReason::kNone;
}

RejectReason TriggerGroup(VenueState& venue, const Command& command, EventBuffer& events) {
  OrderGroups::Trip trip;
  RETURN_IF_REFUSED(
      venue.groups.Trigger({command.account, command.group()}, command.timestamp, trip));
  EndTripped(venue, trip, events);
  return RejectReason::kNone;
}

}  // namespace

RejectReason ApplyAccountCommand(VenueState& venue, const Command& command, Bytes attachment,
                                 EventBuffer& events) {
  switch (command.kind) {
    case CommandKind::kOpenAccount:
      return OpenAccount(venue, command, events);
    case CommandKind::kDeposit:
    case CommandKind::kWithdraw:
      return MoveMoney(venue, command, events);
    case CommandKind::kSetRiskLimits:
      return SetRiskLimits(venue, command, attachment, events);
    case CommandKind::kSuspendAccount:
    case CommandKind::kResumeAccount:
      return SetStanding(venue, command, events);
    case CommandKind::kDefineGroup:
      return DefineGroup(venue, command, events);
    case CommandKind::kResetGroup:
      return ResetGroup(venue, command, events);
    case CommandKind::kTriggerGroup:
      return TriggerGroup(venue, command, events);
    case CommandKind::kDeleteGroup:
      return DeleteGroup(venue, command, events);
    default:
      return RejectReason::kUnknownCommand;
  }
}

}  // namespace engine
