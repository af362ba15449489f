#include "tools/client/order_link.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/types/ids.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/public_id.h"
#include "engine/wire/kalshi/queries.h"
#include "tools/client/order_calls.h"

namespace client {
namespace {

using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Timestamp;
using engine::kalshi::Count;
using engine::kalshi::OrderStatus;
using strategy::Action;
using strategy::ActionKind;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderNumber;
using strategy::Refusal;
namespace errors = engine::kalshi::errors;

// What a venue counts is never negative.
Quantity QuantityOf(Count count) { return std::max(count, Count()).ToQuantity(); }

// What remains of `total`; never below zero, even if the venue contradicts itself.
Quantity Rest(Quantity total, Quantity part) { return total < part ? Quantity() : total - part; }

bool IsSuccess(int status) { return status >= 200 && status < 300; }

}  // namespace

OrderLink::OrderLink(std::string run, const TickerTable& tickers, LinkHost& host)
    : run_(std::move(run)), tickers_(tickers), host_(host) {
  orders_.Prepare();
}

// ---- What the strategy does.

void OrderLink::Act(const Action& action, Timestamp /*now*/) {
  switch (action.kind) {
    case ActionKind::kNewOrder:
      return Create(action);
    case ActionKind::kAmend:
    case ActionKind::kCancel:
      return Request(action);
    default:
      CHECK(false) << "no action on an order: " << static_cast<int>(action.kind);
  }
}

void OrderLink::Create(const Action& action) {
  const absl::string_view ticker = tickers_.TickerOf(action.market);
  if (ticker.empty() || !IsSendable(action.tif)) return HearRefused(action, Refusal::kBadOrder);
  LinkedOrder& order = orders_.Add({.number = action.order,
                                    .market = action.market,
                                    .side = action.side,
                                    .can_rest = engine::Rests(action.tif),
                                    .price = action.price,
                                    .total = action.quantity});
  client_order_id_ = ClientOrderId(run_, action.order, std::move(client_order_id_));
  call_ = CreateCall(action, ticker, client_order_id_, std::move(call_));
  call_.id = order.create_call = ++last_call_;
  orders_.AddCall(call_.id, order);
  host_.Start(call_);
}

void OrderLink::Request(const Action& action) {
  LinkedOrder* const order = orders_.Find(action.order);
  if (order == nullptr) return HearRefused(action, Refusal::kUnknownOrder);
  if (!order->is_live) return;  // The answer, its end, is on its way to the strategy.
  order->asked = action;
  if (order->id.empty()) {
    order->request = RequestState::kWaiting;
  } else {
    SendRequest(*order);
  }
}

void OrderLink::SendRequest(LinkedOrder& order) {
  order.request = RequestState::kSent;
  call_ = order.asked.kind == ActionKind::kAmend
              ? AmendCall(order.asked, tickers_.TickerOf(order.market), order.id, std::move(call_))
              : CancelCall(order.id, std::move(call_));
  call_.id = order.request_call = ++last_call_;
  orders_.AddCall(call_.id, order);
  host_.Start(call_);
}

// ---- What the venue replies.

bool OrderLink::OnReply(const CallReply& reply, Timestamp now) {
  if ((reply.id & kCallBit) == 0) return false;
  LinkedOrder* const order = orders_.TakeCall(reply.id);
  if (order == nullptr) return true;
  if (reply.id == order->create_call) {
    order->create_call = 0;
    OnCreateReply(*order, reply, now);
    orders_.Prepare();  // For the next, which is to leave soon.
  } else if (reply.id == order->request_call) {
    order->request_call = 0;
    // Otherwise the end of the order was its answer.
    if (order->is_live && order->request == RequestState::kSent) {
      OnRequestReply(*order, reply, now);
    }
  }
  return true;
}

void OrderLink::OnCreateReply(LinkedOrder& order, const CallReply& reply, Timestamp now) {
  if (!order.is_live) return;
  if (IsSuccess(reply.status)) {
    const absl::StatusOr<engine::kalshi::ReadOrderReply> created = reader_.OrderReply(reply.body);
    if (created.ok()) LearnId(order, created->order_id);
    if (!created.ok() || order.id.empty()) return Lose(order, /*is_create=*/true);
    HearAccepted(order);
    const Quantity filled = QuantityOf(created->fill_count);
    order.counted = std::max(order.counted, filled);
    if (QuantityOf(created->remaining_count).is_zero()) {
      order.has_ended = true;
      if (!order.end_at.has_value()) order.end_at = filled;
    }
    return Settle(order, now);
  }
  const engine::kalshi::ReadError error = reader_.Error(reply.body);
  if (IsUnclear(reply.status) || order.is_accepted ||
      error.code == errors::kOrderAlreadyExists.code) {
    return Lose(order, /*is_create=*/true);
  }
  if (error.code == errors::kFillOrKill.code) {  // Accepted and cancelled, as in a backtest.
    HearAccepted(order);
    order.has_ended = true;
    order.end_at = Quantity();
    return Settle(order, now);
  }
  HearRefused({.order = order.number, .market = order.market, .kind = ActionKind::kNewOrder},
              RefusalOf(reply.status, error));
  End(order);
}

void OrderLink::OnRequestReply(LinkedOrder& order, const CallReply& reply, Timestamp now) {
  if (IsSuccess(reply.status)) {
    const bool is_amend = order.asked.kind == ActionKind::kAmend;
    if (!(is_amend ? OnAmended(order, reply.body) : OnCancelled(order, reply.body))) {
      return Lose(order, /*is_create=*/false);
    }
  } else if (IsUnclear(reply.status)) {
    return Lose(order, /*is_create=*/false);
  } else {
    const Refusal refusal = RefusalOf(reply.status, reader_.Error(reply.body));
    if (refusal == Refusal::kUnknownOrder) {
      order.request = RequestState::kNotFound;
    } else {
      OnRequestRefused(order, refusal);
    }
  }
  Settle(order, now);
}

void OrderLink::OnRequestRefused(LinkedOrder& order, Refusal refusal) {
  order.request = RequestState::kNone;
  if (!order.is_orphan) HearRefused(order.asked, refusal);
}

bool OrderLink::OnAmended(LinkedOrder& order, absl::string_view body) {
  const absl::StatusOr<engine::kalshi::ReadOrderReply> amended = reader_.OrderReply(body);
  if (!amended.ok()) return false;
  const Quantity total = order.asked.quantity;
  const Quantity remaining = QuantityOf(amended->remaining_count);
  if (remaining.is_zero()) {
    order.has_ended = true;  // It traded, or was cancelled: the count of its fills says which.
  } else {
    order.counted = std::max(order.counted, Rest(total, remaining));
  }
  HearAmended(order, order.asked.price, total);
  return true;
}

bool OrderLink::OnCancelled(LinkedOrder& order, absl::string_view body) {
  const absl::StatusOr<engine::kalshi::ReadCancelReply> cancelled = reader_.CancelReply(body);
  if (!cancelled.ok()) return false;
  order.request = RequestState::kNone;
  order.has_ended = true;
  if (!order.end_at.has_value()) {
    order.end_at = Rest(order.total, QuantityOf(cancelled->reduced_by));
  }
  return true;
}

bool OrderLink::OnCallFailed(uint64_t id, bool may_have_arrived, Timestamp now) {
  if ((id & kCallBit) == 0) return false;
  LinkedOrder* const order = orders_.TakeCall(id);
  if (order == nullptr || !order->is_live) return true;
  const bool is_create = id == order->create_call;
  const bool is_request = id == order->request_call && order->request == RequestState::kSent;
  if (!is_create && !is_request) return true;
  (is_create ? order->create_call : order->request_call) = 0;
  if (may_have_arrived || (is_create && order->is_accepted)) {
    Lose(*order, is_create);
  } else if (is_create) {
    HearRefused({.order = order->number, .market = order->market, .kind = ActionKind::kNewOrder},
                Refusal::kNotSent);
    End(*order);
  } else {
    OnRequestRefused(*order, Refusal::kNotSent);
    Settle(*order, now);
  }
  return true;
}

void OrderLink::Lose(LinkedOrder& order, bool is_create) {
  is_unclear_ = true;
  if (!is_create) order.request = RequestState::kLost;
}

// ---- What the feed says.

void OrderLink::OnFill(absl::string_view ticker, const engine::kalshi::FeedFill& fill,
                       Timestamp venue_time, Timestamp now) {
  LinkedOrder* const order = OrderOf(fill.client_order_id, fill.order_id);
  if (order == nullptr || tickers_.TickerOf(order->market) != ticker) return;
  const OrderFill heard = {.price = fill.price,
                           .quantity = QuantityOf(fill.count),
                           .fee = fill.fee,
                           .venue_time = venue_time};
  LearnId(*order, fill.order_id);
  if (heard.quantity.is_zero()) return;
  if (!order->AddTrade(engine::DigestOf(engine::AsBytes(fill.trade_id)))) return;
  if (!order->is_live) {
    is_unclear_ = true;  // The strategy does not count it: only the venue knows its position.
    if (!order->has_ended) {
      FindAgain(*order, order->price, std::max(heard.quantity, Rest(order->total, order->filled)));
    }
    HearFills(*order, {heard});
    return Settle(*order, now);
  }
  HearAccepted(*order);
  if (order->has_open_amend() && order->known_fills() + heard.quantity >= order->total) {
    order->held.push_back(heard);
  } else {
    HearFills(*order, {heard});
  }
  Settle(*order, now);
}

void OrderLink::OnUserOrder(absl::string_view ticker, const engine::kalshi::FeedOrder& message,
                            Timestamp now) {
  LinkedOrder* const order = OrderOf(message.client_order_id, message.order_id);
  if (order == nullptr || tickers_.TickerOf(order->market) != ticker) return;
  LearnId(*order, message.order_id);
  const Quantity filled = QuantityOf(message.fill_count);
  const Quantity remaining = QuantityOf(message.remaining_count);
  const bool is_resting = message.status == OrderStatus::kResting;
  if (!order->is_live && filled > order->filled) is_unclear_ = true;
  // Not a message from before that end: it counts all fills.
  if (!order->is_live && !order->has_ended && is_resting && !remaining.is_zero() &&
      filled >= order->filled) {
    FindAgain(*order, message.price, filled + remaining - order->filled);
  }
  if (is_resting) {
    order->terms = {.price = message.price, .total = filled + remaining};
  } else {
    order->has_ended = true;
    order->end_at = filled;
  }
  if (!order->is_live) return;
  HearAccepted(*order);
  order->counted = std::max(order->counted, filled);
  Settle(*order, now);
}

LinkedOrder* OrderLink::OrderOf(absl::string_view client_order_id, absl::string_view order_id) {
  LinkedOrder* const order = orders_.Find(NumberOf(run_, client_order_id));
  return order != nullptr ? order : orders_.FindId(order_id);
}

void OrderLink::LearnId(LinkedOrder& order, absl::string_view id) {
  if (!order.id.empty() || !engine::kalshi::IsUuid(id) || orders_.FindId(id) != nullptr) return;
  orders_.SetId(order, id);
  if (order.is_live && order.can_rest) host_.OnOrderLive(id);
  if (order.request == RequestState::kWaiting) SendRequest(order);
}

void OrderLink::Settle(LinkedOrder& order, Timestamp now) {
  if (!order.is_live) return;
  const bool is_complete = order.end_at.has_value() && order.known_fills() >= *order.end_at;
  if (is_complete || !order.has_open_amend()) HearFills(order, std::exchange(order.held, {}));
  if (is_complete && order.filled < order.total) {
    host_.Hear(InputOf(order, InputKind::kOrderCancelled));
    return End(order);
  }
  if (order.filled >= order.total && (is_complete || !order.has_open_amend())) return End(order);
  Watch(order, now);
}

bool OrderLink::Waits(const LinkedOrder& order) {
  const bool is_idle = order.request == RequestState::kNone;
  const bool has_other_terms =
      is_idle && order.terms.has_value() && order.terms != order.heard_terms();
  return order.has_ended || has_other_terms || order.counted > order.known_fills() ||
         order.request == RequestState::kNotFound || (order.is_orphan && is_idle);
}

void OrderLink::Watch(LinkedOrder& order, Timestamp now) {
  if (!Waits(order)) {
    order.deadline = Timestamp::Max();
  } else if (order.deadline == Timestamp::Max()) {
    order.deadline = Timestamp::FromNanos(now.nanos() + kPatienceNanos);
    deadlines_.push_back({.at = order.deadline, .order = order.number});
  }
}

void OrderLink::End(LinkedOrder& order) {
  order.request = RequestState::kNone;
  order.deadline = Timestamp::Max();
  if (!order.id.empty()) host_.OnOrderEnded(order.id);
  orders_.End(order);
}

void OrderLink::FindAgain(LinkedOrder& order, Price price, Quantity remaining) {
  orders_.Revive(order);
  order.is_orphan = true;
  order.price = price;
  order.total = order.filled + remaining;
  HearFound(order);
}

void OrderLink::OnTime(Timestamp now) {
  while (!deadlines_.empty() && deadlines_.front().at <= now) {
    const Deadline deadline = deadlines_.front();
    deadlines_.pop_front();
    LinkedOrder* const order = orders_.Find(deadline.order);
    if (order == nullptr || order->deadline != deadline.at) continue;
    order->deadline = Timestamp::Max();
    if (!Waits(*order)) continue;
    if (order->is_orphan && order->request == RequestState::kNone && !order->has_ended &&
        !order->id.empty()) {
      order->asked = {.order = order->number, .kind = ActionKind::kCancel};
      SendRequest(*order);
    } else {
      is_unclear_ = true;
    }
  }
}

Timestamp OrderLink::next_time() const {
  return deadlines_.empty() ? Timestamp::Max() : deadlines_.front().at;
}

// ---- Reconciliation.

void OrderLink::BeginReconciling() {
  is_unclear_ = true;
  ClearLists();
  orders_.DropCalls();
  believe_at_ = Timestamp::Max();
  for (LinkedOrder& order : orders_.all()) {
    if (order.request != RequestState::kNone) order.request = RequestState::kLost;
    const std::optional<OrderTerms> terms = std::exchange(order.terms, {});
    if (order.is_live && order.has_open_amend() &&
        terms == OrderTerms{.price = order.asked.price, .total = order.asked.quantity}) {
      HearAmended(order, terms->price, terms->total);
    }
  }
}

void OrderLink::OnOrder(const engine::kalshi::Order& listed) {
  const bool is_resting = listed.status == OrderStatus::kResting;
  const OrderNumber number = NumberOf(run_, listed.client_order_id);
  const MarketId market = tickers_.Find(listed.ticker);
  if (number == OrderNumber() || market == MarketId()) {
    if (is_resting) foreign_.emplace(listed.order_id);
    return;
  }
  LinkedOrder* order = orders_.Find(number);
  if (order == nullptr) {
    if (!is_resting) return;
    // Of a part of the run that is not remembered.
    order = &orders_.Add({.number = number, .market = market, .side = listed.side});
    orders_.End(*order);
  }
  LearnId(*order, listed.order_id);
  // An order that moved from page to page: the later state of the two.
  if (order->listed.has_value() && !order->listed->is_resting) return;
  order->listed = {.is_resting = is_resting,
                   .price = listed.price,
                   .filled = QuantityOf(listed.fill_count),
                   .remaining = QuantityOf(listed.remaining_count)};
}

void OrderLink::OnListedFill(const engine::kalshi::Fill& fill) {
  listed_fills_.push_back({.order_id = std::string(fill.order_id),
                           .trade = engine::DigestOf(engine::AsBytes(fill.fill_id)),
                           .fill = {.price = fill.price,
                                    .quantity = QuantityOf(fill.count),
                                    .fee = fill.fee,
                                    .venue_time = fill.time}});
}

bool OrderLink::EndReconciling(Timestamp now) {
  AddListedFills();
  if (believe_at_ == Timestamp::Max()) {
    believe_at_ = Timestamp::FromNanos(now.nanos() + kPatienceNanos);
  }
  for (const LinkedOrder& order : orders_.all()) {
    if (!IsNewerThanLists(order) && !(now < believe_at_ && HasOtherTerms(order))) continue;
    ClearLists();
    return false;
  }
  foreign_count_ = foreign_.size();
  for (LinkedOrder& order : orders_.all()) {
    if (order.is_live) {
      ReconcileLive(order, now);
    } else if (order.listed.has_value()) {
      ReconcileEnded(order, now);
    }
  }
  ClearLists();
  is_unclear_ = false;
  return true;
}

void OrderLink::AddListedFills() {
  std::stable_sort(listed_fills_.begin(), listed_fills_.end(),
                   [](const ListedFill& a, const ListedFill& b) {
                     return a.fill.venue_time < b.fill.venue_time;
                   });
  for (const ListedFill& listed : listed_fills_) {
    LinkedOrder* const order = orders_.FindId(listed.order_id);
    if (order != nullptr && order->AddTrade(listed.trade)) {
      order->listed_fills.push_back(listed.fill);
    }
  }
}

bool OrderLink::IsNewerThanLists(const LinkedOrder& order) const {
  if (!order.listed.has_value()) return order.is_live && !order.id.empty();
  const Quantity known = order.known_fills();
  if (known < order.listed->filled) return true;
  if (!order.is_live || !order.listed->is_resting) return false;  // That was its last state.
  return order.has_ended || known < order.counted || known > order.listed->terms().total;
}

bool OrderLink::HasOtherTerms(const LinkedOrder& order) const {
  if (!order.is_live || !order.listed.has_value() || !order.listed->is_resting) return false;
  // A message since it began may be newer than the list.
  if (order.terms.has_value()) return order.listed->terms() != *order.terms;
  return !order.has_open_amend() && order.listed->terms() != order.heard_terms();
}

void OrderLink::ClearLists() {
  for (LinkedOrder& order : orders_.all()) {
    order.listed.reset();
    order.trades.resize(order.trades.size() - order.listed_fills.size());
    order.listed_fills.clear();
  }
  listed_fills_.clear();
  foreign_.clear();
}

void OrderLink::ReconcileLive(LinkedOrder& order, Timestamp now) {
  if (!order.listed.has_value()) {
    HearRefused({.order = order.number, .market = order.market, .kind = ActionKind::kNewOrder},
                Refusal::kNotSent);
    return End(order);
  }
  const ListedOrder& listed = *order.listed;
  const Quantity known = order.known_fills();
  // With fills that the strategy has yet to hear.
  const Quantity total = std::max(listed.terms().total, known);
  const bool is_open = listed.is_resting && order.filled < total;
  const bool is_asked = order.request == RequestState::kWaiting ||  // Since it began.
                        order.request == RequestState::kSent;
  if (is_open && !is_asked) {
    order.request = RequestState::kNone;
    order.price = listed.price;
    order.total = total;
    HearFound(order);
  }
  HearAccepted(order);
  order.held.insert(order.held.end(), order.listed_fills.begin(), order.listed_fills.end());
  order.listed_fills.clear();
  order.counted = known;
  if (!is_open) {
    order.has_ended = true;
    order.end_at = known;
  }
  Settle(order, now);
}

void OrderLink::ReconcileEnded(LinkedOrder& order, Timestamp now) {
  const ListedOrder& listed = *order.listed;
  if (!listed.is_resting) order.has_ended = true;
  if (!order.has_ended && !listed.remaining.is_zero() && listed.filled >= order.filled) {
    const Quantity total = std::max(listed.terms().total, order.known_fills());
    FindAgain(order, listed.price, total - order.filled);
  }
  HearFills(order, std::exchange(order.listed_fills, {}));
  Settle(order, now);
}

// ---- What the strategy hears.

Input OrderLink::InputOf(const LinkedOrder& order, InputKind kind) const {
  return {.order = order.number, .market = order.market, .kind = kind, .side = order.side};
}

void OrderLink::HearAccepted(LinkedOrder& order) {
  if (std::exchange(order.is_accepted, true)) return;
  host_.Hear(InputOf(order, InputKind::kOrderAccepted));
}

void OrderLink::HearFills(LinkedOrder& order, std::vector<OrderFill> fills) {
  std::stable_sort(fills.begin(), fills.end(), [](const OrderFill& a, const OrderFill& b) {
    return a.venue_time < b.venue_time;
  });
  Quantity filled = order.filled;
  for (const OrderFill& fill : fills) filled += fill.quantity;
  if (order.is_live && filled > order.total) {
    // It has become larger: by its amend, or by another client of the account.
    if (order.has_open_amend() && filled <= order.asked.quantity) {
      HearAmended(order, order.asked.price, order.asked.quantity);
    } else {
      HearAmended(order, order.price, filled);
    }
  }
  for (const OrderFill& fill : fills) HearFill(order, fill);
}

void OrderLink::HearFill(LinkedOrder& order, const OrderFill& fill) {
  order.filled += fill.quantity;
  order.deadline = Timestamp::Max();  // What it waits for is coming.
  Input input = InputOf(order, InputKind::kOrderFilled);
  input.price = fill.price;
  input.quantity = fill.quantity;
  input.amount = fill.fee.micros();
  input.venue_time = fill.venue_time.nanos();
  host_.Hear(input);
}

void OrderLink::HearAmended(LinkedOrder& order, Price price, Quantity total) {
  if (order.asked.kind == ActionKind::kAmend) order.request = RequestState::kNone;
  order.price = price;
  order.total = total;
  Input input = InputOf(order, InputKind::kOrderAmended);
  input.price = price;
  input.quantity = Rest(total, order.filled);
  host_.Hear(input);
}

void OrderLink::HearFound(LinkedOrder& order) {
  order.is_accepted = true;
  Input input = InputOf(order, InputKind::kOrderFound);
  input.price = order.price;
  input.quantity = Rest(order.total, order.filled);
  input.amount = static_cast<int64_t>(order.filled.units());
  host_.Hear(input);
}

void OrderLink::HearRefused(const Action& action, Refusal refusal) {
  const bool is_new = action.kind == ActionKind::kNewOrder;
  host_.Hear({.order = action.order,
              .market = action.market,
              .kind = is_new ? InputKind::kOrderRefused : InputKind::kRequestRefused,
              .side = action.side,
              .detail = static_cast<uint8_t>(refusal)});
}

}  // namespace client
