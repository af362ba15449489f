#include "engine/core/testing/reference_exchange.h"

#include <algorithm>
#include <tuple>

#include "engine/base/check.h"
#include "engine/core/testing/reference_exchange_arrival.h"

namespace engine {

void ReferenceExchange::Apply(const Command& command, Bytes attachment, EventBuffer& events) {
  CHECK_EQ(command.sequence, last_applied_.Next()) << "(J1)";
  if (last_applied_ != SequenceNumber()) CHECK_GE(command.timestamp, now_);
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  events_ = &events;
  groups_with_fills_.clear();
  events.Begin(command.sequence);
  ForgetOldFills();
  ExpireOrders();
  const RejectReason reason = Dispatch(command, attachment);
  if (reason != RejectReason::kNone) {
    Event& event = events.Append(EventKind::kRejected);
    event.order_id = command.order_id;
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
    case CommandKind::kSetFees:
      return SetFees(command, attachment);
    case CommandKind::kDefineGroup:
      return DefineGroup(command);
    case CommandKind::kResetGroup:
      return ResetGroup(command);
  }
  return RejectReason::kUnknownCommand;
}

void ReferenceExchange::ExpireOrders() {
  std::vector<std::pair<Timestamp, OrderId>> expired;
  for (const auto& [id, order] : orders_) {
    if (order.tif == TimeInForce::kGoodTillTime && order.expires_at <= now_) {
      expired.emplace_back(order.expires_at, id);
    }
  }
  std::sort(expired.begin(), expired.end());
  for (const auto& [time, id] : expired) CancelResting(id, CancelReason::kExpired);
}

// What has left a group's window is forgotten for good, even if the window grows later.
void ReferenceExchange::ForgetOldFills() {
  for (auto& [key, group] : groups_) {
    const __int128 start = static_cast<__int128>(now_.nanos()) - group.window_nanos;
    std::erase_if(group.fills, [&](const auto& fill) { return fill.first.nanos() <= start; });
  }
}

void ReferenceExchange::TripGroups() {
  for (const GroupKey& key : groups_with_fills_) {
    Group& group = groups_.at(key);
    Quantity sum;
    for (const auto& [time, quantity] : group.fills) sum += quantity;
    if (group.is_tripped || sum < group.limit) continue;
    group.is_tripped = true;
    Event& event = events_->Append(EventKind::kGroupTripped);
    event.account = key.first;
    event.order_id = OrderId(key.second.value());
    event.quantity = sum;
    CancelAll(CancelReason::kGroupLimit, [&](const RestingOrder& order) {
      return order.account == key.first && order.group == key.second;
    });
  }
}

// An event about `order`, as it stands.
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
  AppendCancelled(orders_.at(id), reason);
  orders_.erase(id);
}

uint64_t ReferenceExchange::CancelAll(CancelReason reason,
                                      absl::FunctionRef<bool(const RestingOrder&)> which) {
  std::vector<OrderId> ids;
  for (const auto& [id, order] : orders_) {
    if (which(order)) ids.push_back(id);
  }
  for (const OrderId id : ids) CancelResting(id, reason);
  return ids.size();
}

}  // namespace engine
