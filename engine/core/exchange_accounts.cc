// Account commands: money, limits, groups.

#include "engine/core/exchange.h"
#include "engine/core/order_events.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/event.h"

namespace engine {

RejectReason Exchange::OpenAccount(const Command& command, EventBuffer& events) {
  const RejectReason reason = ledger_.Open(command.account);
  if (reason != RejectReason::kNone) return reason;
  events.Append(EventKind::kAccountOpened).account = command.account;
  return RejectReason::kNone;
}

RejectReason Exchange::MoveMoney(const Command& command, EventBuffer& events) {
  const bool is_deposit = command.kind == CommandKind::kDeposit;
  const Money amount = command.amount();
  const RejectReason reason = is_deposit ? ledger_.Deposit(command.account, amount)
                                         : ledger_.Withdraw(command.account, amount);
  if (reason != RejectReason::kNone) return reason;
  AppendBalance(events, command.account, is_deposit ? amount : -amount, Money(),
                ledger_.StateOf(command.account));
  return RejectReason::kNone;
}

RejectReason Exchange::SetRiskLimits(const Command& command, EventBuffer& events) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const auto limits = DecodeRiskLimits(attachment_);
  if (!limits.ok()) return RejectReason::kMalformedLimits;
  uint64_t open_orders = 0;
  VisitAllSlots([&](Slot slot) {
    OrderSlot& order = storage_.order(slot);
    if (order.account != command.account) return;
    ++open_orders;
    order.marks.Set(OrderMarks::kCounted);
  });
  risk_.SetLimits(command.account, *limits, open_orders);
  NoteWhatIsOrdinary();
  events.Append(EventKind::kLimitsSet).account = command.account;
  return RejectReason::kNone;
}

RejectReason Exchange::DefineGroup(const Command& command, EventBuffer& events) {
  const RejectReason reason = groups_.Define({command.account, command.group}, command.quantity,
                                             command.window_nanos(), command.timestamp);
  if (reason != RejectReason::kNone) return reason;
  Event& event = events.Append(EventKind::kGroupDefined);
  event.account = command.account;
  event.order_id = OrderId(command.group.value());
  event.quantity = command.quantity;
  return RejectReason::kNone;
}

RejectReason Exchange::ResetGroup(const Command& command, EventBuffer& events) {
  const RejectReason reason = groups_.Reset({command.account, command.group});
  if (reason != RejectReason::kNone) return reason;
  Event& event = events.Append(EventKind::kGroupReset);
  event.account = command.account;
  event.order_id = OrderId(command.group.value());
  return RejectReason::kNone;
}

}  // namespace engine
