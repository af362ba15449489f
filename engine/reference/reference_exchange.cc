#include "engine/reference/reference_exchange.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/reference/reference_attachments.h"
#include "engine/reference/reference_exchange_arrival.h"

namespace engine {

void ReferenceExchange::Apply(const Command& command, Bytes attachment, EventBuffer& events) {
  CHECK_EQ(command.sequence, last_applied_.Next()) << "(J1)";
  if (last_applied_ != SequenceNumber()) CHECK_GE(command.timestamp, now_);
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  events_ = &events;
  groups_with_fills_.clear();
  events.Begin(command.sequence);
  ExpireOrders();
  const RejectReason reason = Dispatch(command, attachment);
  if (reason != RejectReason::kNone) {
    Event& event = events.Append(EventKind::kRejected);
    switch (command.kind) {
      case CommandKind::kCancel:
      case CommandKind::kReduce:
      case CommandKind::kReduceTo:
      case CommandKind::kReplace:
      case CommandKind::kAmend:
      case CommandKind::kSetExpiry:
      case CommandKind::kExecute:
        event.order_id = command.order_id;
        break;
      default:
        break;
    }
    event.account = command.account;
    event.market = command.market;
    event.detail = static_cast<uint8_t>(reason);
  }
  TripGroups();
}

RejectReason ReferenceExchange::CheckExchangeState(CommandKind kind) const {
  switch (kind) {
    case CommandKind::kResumeExchange:
    case CommandKind::kPauseExchange:
    case CommandKind::kHaltExchange:
    case CommandKind::kNote:
      return RejectReason::kNone;
    default:
      break;
  }
  if (state_ == ExchangeState::kHalted) return RejectReason::kExchangeHalted;
  if (state_ == ExchangeState::kActive) return RejectReason::kNone;
  const bool passes = kind == CommandKind::kCancel || kind == CommandKind::kMassCancel ||
                      kind == CommandKind::kAdvanceTime;
  return passes ? RejectReason::kNone : RejectReason::kExchangePaused;
}

RejectReason ReferenceExchange::Dispatch(const Command& command, Bytes attachment) {
  if (command.kind < CommandKind::kDefineMarket || command.kind > kLastCommandKind) {
    return RejectReason::kUnknownCommand;
  }
  if (command.kind == CommandKind::kNewOrder && !command.flags.is_defined()) {
    return RejectReason::kUnsupportedField;
  }
  REFUSE_IF(CheckExchangeState(command.kind));
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return DefineMarket(command, attachment);
    case CommandKind::kNewOrder:
      return NewOrder(command);
    case CommandKind::kCancel:
      return Cancel(command);
    case CommandKind::kReduce:
      return Reduce(command);
    case CommandKind::kReplace:
      return Replace(command);
    case CommandKind::kAmend:
      return Amend(command);
    case CommandKind::kAdvanceTime:
      events_->Append(EventKind::kTimeAdvanced);
      return RejectReason::kNone;
    case CommandKind::kReduceTo:
      return ReduceTo(command);
    case CommandKind::kMassCancel:
      return MassCancel(command);
    case CommandKind::kSetExpiry:
      return SetExpiry(command);
    case CommandKind::kExecute:
      return Execute(command);
    case CommandKind::kOpenMarket:
      return OpenMarket(command);
    case CommandKind::kPauseMarket:
      return PauseMarket(command);
    case CommandKind::kCloseMarket:
      return CloseMarket(command);
    case CommandKind::kDetermineMarket:
      return DetermineMarket(command);
    case CommandKind::kSettleMarket:
      return SettleMarket(command);
    case CommandKind::kResumeExchange:
      return SetExchangeState(ExchangeState::kActive);
    case CommandKind::kPauseExchange:
      return SetExchangeState(ExchangeState::kPaused);
    case CommandKind::kHaltExchange:
      return SetExchangeState(ExchangeState::kHalted);
    case CommandKind::kOpenAccount:
      return OpenAccount(command);
    case CommandKind::kDeposit:
      return Deposit(command);
    case CommandKind::kWithdraw:
      return Withdraw(command);
    case CommandKind::kSetRiskLimits:
      return SetRiskLimits(command, attachment);
    case CommandKind::kSuspendAccount:
      return SuspendAccount(command);
    case CommandKind::kResumeAccount:
      return ResumeAccount(command);
    case CommandKind::kSetPositionLimit:
      return SetPositionLimit(command);
    case CommandKind::kSetFees:
      return SetFees(command, attachment);
    case CommandKind::kDefineGroup:
      return DefineGroup(command);
    case CommandKind::kResetGroup:
      return ResetGroup(command);
    case CommandKind::kTriggerGroup:
      return TriggerGroup(command);
    case CommandKind::kDeleteGroup:
      return DeleteGroup(command);
    case CommandKind::kNote:
      return TakeNote(command, attachment);
  }
  return RejectReason::kUnknownCommand;
}

RejectReason ReferenceExchange::TakeNote(const Command& command, Bytes attachment) {
  if (!ReadReferenceNote(attachment).has_value()) return RejectReason::kMalformedNote;
  Event& event = events_->Append(EventKind::kNoted);
  event.account = command.account;
  event.market = command.market;
  return RejectReason::kNone;
}

void ReferenceExchange::ExpireOrders() {
  while (!expiries_.empty() && expiries_.begin()->first <= now_) {
    CancelResting(expiries_.begin()->second, CancelReason::kExpired);
  }
}

bool ReferenceExchange::IsWithin(const Group& group, Timestamp fill, Timestamp now) {
  return fill.nanos() > static_cast<__int128>(now.nanos()) - group.window_nanos;
}

void ReferenceExchange::ForgetOldFills(Group& group) const {
  while (!group.fills.empty() && !IsWithin(group, group.fills.front().first, now_)) {
    group.filled -= group.fills.front().second;
    group.fills.pop_front();
  }
}

void ReferenceExchange::TripGroups() {
  for (const GroupKey& key : groups_with_fills_) {
    Group& group = groups_.at(key);
    if (!group.is_tripped && group.filled >= group.limit) Trip(key, group);
  }
}

void ReferenceExchange::Trip(const GroupKey& key, Group& group) {
  group.is_tripped = true;
  Event& event = events_->Append(EventKind::kGroupTripped);
  event.account = key.first;
  event.order_id = OrderId(key.second.value());
  event.quantity = group.filled;
  CancelMembers(key, CancelReason::kGroupLimit);
}

void ReferenceExchange::CancelMembers(const GroupKey& key, CancelReason reason) {
  std::vector<OrderId> members;
  if (const auto found = orders_of_.find(key.first); found != orders_of_.end()) {
    for (const OrderId id : found->second) {
      if (orders_.at(id)->group == key.second) members.push_back(id);
    }
  }
  CancelEach(std::move(members), reason);
}

// Appends an event about `order` with its present values.
Event& ReferenceExchange::AppendAbout(EventKind kind, const RestingOrder& order) {
  Event& event = events_->Append(kind);
  event.order_id = order.id;
  event.price = order.price;
  event.quantity_remaining = order.quantity_remaining;
  event.account = order.account;
  event.market = order.market;
  event.side = order.side;
  return event;
}

void ReferenceExchange::AppendCancelled(const RestingOrder& order, CancelReason reason) {
  Event& event = AppendAbout(EventKind::kCancelled, order);
  event.quantity = order.quantity_remaining;
  event.quantity_remaining = Quantity();
  event.detail = static_cast<uint8_t>(reason);
}

void ReferenceExchange::CancelResting(OrderId id, CancelReason reason) {
  AppendCancelled(Leave(id), reason);
}

// Cancels in the order of the ids.
void ReferenceExchange::CancelEach(std::vector<OrderId> ids, CancelReason reason) {
  std::sort(ids.begin(), ids.end());
  for (const OrderId id : ids) CancelResting(id, reason);
}

void ReferenceExchange::CancelInMarket(const Market& market, CancelReason reason,
                                       absl::FunctionRef<bool(const RestingOrder&)> which) {
  std::vector<OrderId> ids;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    market.Walk(side, [&](const RestingOrder& order) {
      if (which(order)) ids.push_back(order.id);
      return true;
    });
  }
  CancelEach(std::move(ids), reason);
}

}  // namespace engine
