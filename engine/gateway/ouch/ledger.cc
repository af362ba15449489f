#include "engine/gateway/ouch/ledger.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "engine/base/check.h"
#include "engine/gateway/ouch/units.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/wire/ouch/codec.h"
#include "engine/wire/soup/login.h"

namespace engine {
namespace {

constexpr absl::string_view kMayLoseTail = "V";

// The same for both sides of a trade, and for no two trades.
uint64_t MatchNumberOf(const Event& trade) {
  constexpr int kIndexBits = 24;
  return trade.sequence.value() << kIndexBits | trade.index;
}

}  // namespace

OuchLedger::OuchLedger(const std::vector<OuchLogin>& logins, const MarketDirectory& markets)
    : markets_(markets) {
  absl::flat_hash_map<std::string, size_t> firms;
  for (const OuchLogin& login : logins) {
    by_user_.emplace(absl::AsciiStrToUpper(login.user), accounts_.size());
    const size_t firm = firms.emplace(login.firm, firms.size()).first->second;
    accounts_.push_back({.login = &login, .firm = firm, .stream = nullptr, .is_touched = false});
  }
  tokens_.resize(firms.size());
}

// ---- What requests depend on.

bool OuchLedger::IsUsed(size_t login, const ouch::Token& token) const {
  return tokens_[accounts_[login].firm].contains(token);
}

bool OuchLedger::HasRoomForToken(size_t login) const {
  return tokens_[accounts_[login].firm].size() < kTokensMax;
}

const OuchOrder* OuchLedger::Find(OrderId id) const {
  const auto found = orders_.find(id);
  return found == orders_.end() ? nullptr : &found->second;
}

const OuchOrder* OuchLedger::Find(size_t login, const ouch::Token& token) const {
  const Tokens& tokens = tokens_[accounts_[login].firm];
  const auto found = tokens.find(token);
  const OuchOrder* const order = found == tokens.end() ? nullptr : Find(found->second);
  return order == nullptr || order->login != login ? nullptr : order;
}

OuchOrder* OuchLedger::FindOrder(OrderId id) {
  const auto found = orders_.find(id);
  return found == orders_.end() ? nullptr : &found->second;
}

void OuchLedger::Use(const ouch::Token& token, size_t login, OrderId order) {
  tokens_[accounts_[login].firm][token] = order;
}

void OuchLedger::Remove(OrderId id) {
  const auto found = orders_.find(id);
  Use(found->second.terms.token, found->second.login);
  orders_.erase(found);
}

// ---- Records.

void OuchLedger::OnApplied(const Command& command, Bytes attachment,
                           std::span<const Event> events) {
  command_ = &command;
  record_ = DecodeOuchRecord(attachment);
  asker_.reset();
  request_.reset();
  if (record_.has_value()) {
    const auto asker = by_user_.find(absl::AsciiStrToUpper(record_->user));
    if (asker != by_user_.end()) asker_ = asker->second;
    if (record_->what == OuchRecord::What::kRequest && asker_.has_value()) {
      auto request = ouch::ParseInbound(AsBytes(record_->more));
      if (request.ok()) request_ = *request;
    }
  } else if (orders_.empty()) {
    return;
  }
  for (const Event& event : events) On(event);
  for (const size_t login : touched_) {
    Account& account = accounts_[login];
    account.is_touched = false;
    held_.push_back({.sequence = command.sequence,
                     .login = login,
                     .stream = account.stream,
                     .end = account.stream->end()});
  }
  touched_.clear();
}

void OuchLedger::Release(SequenceNumber sequence, absl::FunctionRef<void(size_t login)> wake) {
  for (; !held_.empty() && held_.front().sequence <= sequence; held_.pop_front()) {
    held_.front().stream->Release(held_.front().end);
    wake(held_.front().login);
  }
}

void OuchLedger::On(const Event& event) {
  switch (event.kind) {
    case EventKind::kAccepted:
      return OnAccepted(event);
    case EventKind::kTrade:
      Execute(event.order_id, event, 'A');
      return Execute(event.counter_order_id, event, 'R');
    case EventKind::kCancelled:
      return OnCancelled(event);
    case EventKind::kReduced:
      return OnReduced(event);
    case EventKind::kReplaced:
      return OnReplaced(event);
    case EventKind::kAmended:
      return OnAmended(event);
    case EventKind::kRejected:
      return OnRejected(event);
    case EventKind::kNoted:
      return OnNoted();
    default:
      return;
  }
}

template <typename Request>
const Request* OuchLedger::RequestAs() const {
  return request_.has_value() ? std::get_if<Request>(&*request_) : nullptr;
}

void OuchLedger::OnAccepted(const Event& event) {
  const auto* const request = RequestAs<ouch::EnterOrder>();
  const MarketDefinition* const market = markets_.Find(event.market);
  if (request == nullptr || market == nullptr || !day_.has_value()) return;
  OuchOrder order = {.id = event.order_id,
                     .login = *asker_,
                     .market = market,
                     .terms = *request,
                     .executed = 0,
                     .remaining = request->shares};
  order.terms.firm = ouch::FieldOf<ouch::Firm>(accounts_[*asker_].login->firm);
  const ouch::EnterOrder& terms = order.terms;
  Send(order.login, ouch::Accepted{.token = terms.token,
                                   .side = terms.side,
                                   .shares = terms.shares,
                                   .stock = terms.stock,
                                   .price = terms.price,
                                   .time_in_force = terms.time_in_force,
                                   .firm = terms.firm,
                                   .display = terms.display,
                                   .order_reference = event.order_id.value(),
                                   .capacity = terms.capacity,
                                   .intermarket_sweep = terms.intermarket_sweep,
                                   .minimum_quantity = terms.minimum_quantity,
                                   .cross_type = terms.cross_type,
                                   .order_state = 'L',
                                   .bbo_weight = ' '});
  Use(terms.token, order.login, order.id);
  orders_.emplace(order.id, order);
}

void OuchLedger::OnReplaced(const Event& event) {
  const OuchOrder* const found = FindOrder(event.counter_order_id);
  if (found == nullptr) return;
  OuchOrder order = *found;
  Remove(found->id);
  const auto* const request = RequestAs<ouch::ReplaceOrder>();
  if (request == nullptr) return SendCancelled(order, order.remaining, 'S');
  const ouch::Token previous = order.terms.token;
  order.id = event.order_id;
  order.remaining = ToOuchShares(event.quantity, *order.market);
  ouch::EnterOrder& terms = order.terms;
  terms.token = request->replacement_token;
  terms.price = request->price;
  terms.time_in_force = request->time_in_force;
  terms.display = request->display;
  terms.intermarket_sweep = request->intermarket_sweep;
  terms.minimum_quantity = request->minimum_quantity;
  Send(order.login, ouch::Replaced{.replacement_token = terms.token,
                                   .side = terms.side,
                                   .shares = order.remaining,
                                   .stock = terms.stock,
                                   .price = terms.price,
                                   .time_in_force = terms.time_in_force,
                                   .firm = terms.firm,
                                   .display = terms.display,
                                   .order_reference = event.order_id.value(),
                                   .capacity = terms.capacity,
                                   .intermarket_sweep = terms.intermarket_sweep,
                                   .minimum_quantity = terms.minimum_quantity,
                                   .cross_type = terms.cross_type,
                                   .order_state = 'L',
                                   .previous_token = previous,
                                   .bbo_weight = ' '});
  Use(terms.token, order.login, order.id);
  orders_.emplace(order.id, order);
}

void OuchLedger::Execute(OrderId id, const Event& trade, char liquidity) {
  OuchOrder* const order = FindOrder(id);
  if (order == nullptr) return;
  const uint32_t shares = ToOuchShares(trade.quantity, *order->market);
  Send(order->login, ouch::Executed{.token = order->terms.token,
                                    .shares = shares,
                                    .price = ToOuchPrice(trade.price, *order->market),
                                    .liquidity = liquidity,
                                    .match_number = MatchNumberOf(trade)});
  order->executed += shares;
  order->remaining -= std::min(shares, order->remaining);
  if (order->remaining == 0) Remove(id);
}

void OuchLedger::OnCancelled(const Event& event) {
  const OuchOrder* const order = FindOrder(event.order_id);
  if (order == nullptr) return;
  char reason = OuchLetterOf(event.cancel_reason());
  const bool is_on_request = event.cancel_reason() == CancelReason::kRequested ||
                             event.cancel_reason() == CancelReason::kReduced;
  if (is_on_request && request_.has_value()) reason = 'U';
  if (is_on_request && record_.has_value() && record_->what == OuchRecord::What::kDayEnd) {
    reason = 'T';
  }
  const uint32_t shares = ToOuchShares(event.quantity, *order->market);
  if (event.cancel_reason() == CancelReason::kSelfTrade) {
    Send(order->login, ouch::SelfTradeCancelled{
                           .token = order->terms.token,
                           .decrement = shares,
                           .reason = reason,
                           .quantity_prevented = shares,
                           .price = order->terms.price,
                           .liquidity = event.order_id == OrderIdOf(event.sequence) ? 'R' : 'A'});
  } else {
    SendCancelled(*order, shares, reason);
  }
  Remove(event.order_id);
}

void OuchLedger::OnReduced(const Event& event) {
  OuchOrder* const order = FindOrder(event.order_id);
  if (order == nullptr) return;
  order->remaining = ToOuchShares(event.quantity_remaining, *order->market);
  if (const auto* const request = RequestAs<ouch::ModifyOrder>(); request != nullptr) {
    order->terms.side = request->side;
    return SendModified(*order);
  }
  SendCancelled(*order, ToOuchShares(event.quantity, *order->market),
                request_.has_value() ? 'U' : 'S');
}

// By another client of the account.
void OuchLedger::OnAmended(const Event& event) {
  OuchOrder* const order = FindOrder(event.order_id);
  if (order == nullptr) return;
  const uint32_t before = order->remaining;
  order->remaining = ToOuchShares(event.quantity_remaining, *order->market);
  if (order->remaining < before) SendCancelled(*order, before - order->remaining, 'S');
  const uint32_t price = ToOuchPrice(event.price, *order->market);
  if (price == order->terms.price) return;
  order->terms.price = price;
  Send(order->login, ouch::PriorityUpdate{.token = order->terms.token,
                                          .price = price,
                                          .display = order->terms.display,
                                          .order_reference = order->id.value()});
}

void OuchLedger::OnRejected(const Event& event) {
  if (const auto* const enter = RequestAs<ouch::EnterOrder>(); enter != nullptr) {
    return Reject(*asker_, enter->token, OuchRefusalOf(event.reject_reason()));
  }
  if (const auto* const cancel = RequestAs<ouch::CancelOrder>(); cancel != nullptr) {
    if (Find(*asker_, cancel->token) == nullptr) return;  // It has expired just before.
    return Send(*asker_, ouch::CancelRejected{.token = cancel->token});
  }
  const auto* const replace = RequestAs<ouch::ReplaceOrder>();
  if (replace == nullptr || event.reject_reason() != RejectReason::kExchangeHalted) return;
  Send(*asker_, ouch::Rejected{.token = replace->replacement_token,
                               .reason = static_cast<char>(OuchRefusal::kHalted)});
}

void OuchLedger::OnNoted() {
  if (!record_.has_value()) return;
  if (record_->what == OuchRecord::What::kDay && record_->more.size() > kSoupSessionBytes) {
    return BeginDay(record_->more);
  }
  if (!asker_.has_value()) return;
  if (const auto* const request = RequestAs<ouch::ModifyOrder>(); request != nullptr) {
    const OuchOrder* const order = Find(*asker_, request->token);
    if (order == nullptr) return;
    FindOrder(order->id)->terms.side = request->side;
    return SendModified(*order);
  }
  ouch::Token token;
  if (record_->what != OuchRecord::What::kRefusal || record_->more.size() != token.size() + 1)
    return;
  std::memcpy(token.data(), record_->more.data(), token.size());
  Reject(*asker_, token, static_cast<OuchRefusal>(record_->more.back()));
}

// The orders and tokens of a date stay, if it has another session.
void OuchLedger::BeginDay(absl::string_view more) {
  const int64_t now = command_->timestamp.nanos();
  for (size_t login = 0; login < accounts_.size() && day_.has_value(); ++login) {
    Send(login, ouch::SystemEvent{.event = 'E'});
    OuchStream& ended = *accounts_[login].stream;
    ended.End();
    held_.push_back({.sequence = command_->sequence,
                     .login = login,
                     .stream = accounts_[login].stream,
                     .end = ended.end()});
  }
  const OuchDay day = {.session = std::string(more.substr(0, kSoupSessionBytes)),
                       .midnight = Timestamp::FromNanos(now - now % OuchDay::kNanos),
                       .may_lose_tail = more.substr(kSoupSessionBytes) == kMayLoseTail};
  if (!day_.has_value() || day_->midnight != day.midnight) {
    orders_.clear();
    for (Tokens& tokens : tokens_) tokens.clear();
  }
  day_ = day;
  for (size_t login = 0; login < accounts_.size(); ++login) {
    accounts_[login].stream = std::make_shared<OuchStream>();
    Send(login, ouch::SystemEvent{.event = 'S'});
  }
}

// ---- Messages.

void OuchLedger::Reject(size_t login, const ouch::Token& token, OuchRefusal why) {
  Use(token, login);
  Send(login, ouch::Rejected{.token = token, .reason = static_cast<char>(why)});
}

void OuchLedger::SendModified(const OuchOrder& order) {
  Send(order.login,
       ouch::Modified{
           .token = order.terms.token, .side = order.terms.side, .shares = order.remaining});
}

void OuchLedger::SendCancelled(const OuchOrder& order, uint32_t shares, char reason) {
  Send(order.login,
       ouch::Cancelled{.token = order.terms.token, .decrement = shares, .reason = reason});
}

template <typename Message>
void OuchLedger::Send(size_t login, Message message) {
  if (!day_.has_value()) return;
  message.timestamp_ns =
      static_cast<uint64_t>(command_->timestamp.nanos() - day_->midnight.nanos());
  Account& account = accounts_[login];
  account.stream->Append(ouch::BytesOf(message));
  if (!std::exchange(account.is_touched, true)) touched_.push_back(login);
}

}  // namespace engine
