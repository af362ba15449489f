#include "engine/core/exchange.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/check.h"
#include "engine/core/order_rules.h"
#include "engine/core/state_digest.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/quantity.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

bool IsKnown(CommandKind kind) {
  return kind >= CommandKind::kDefineMarket && kind <= CommandKind::kAdvanceTime;
}

bool IsAllZero(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

// An event about `order`, as it stands.
Event& AppendAbout(EventBuffer& events, EventKind kind, const RestingOrder& order) {
  Event& event = events.Append(kind);
  event.order_id = order.id;
  event.price = order.price;
  event.quantity_remaining = order.quantity_remaining;
  event.account = order.account;
  event.market = order.market;
  event.side = order.side;
  return event;
}

// `order` ends: what remained of it is cancelled.
void AppendCancelled(EventBuffer& events, const RestingOrder& order, CancelReason reason) {
  Event& event = AppendAbout(events, EventKind::kCancelled, order);
  event.quantity = order.quantity_remaining;
  event.quantity_remaining = Quantity();
  event.detail = static_cast<uint8_t>(reason);
}

RestingOrder MakeOrder(const Command& command, Side side) {
  RestingOrder order;
  order.id = OrderIdOf(command.sequence);
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = command.quantity;
  order.account = command.account;
  order.market = command.market;
  order.side = side;
  return order;
}

}  // namespace

// The order that a command names, found to be live and the sender's.
struct Exchange::Addressed {
  Market* market = nullptr;
  ReferenceBook::Handle handle;

  const RestingOrder& order() const { return *handle; }
};

void Exchange::Apply(const Command& command, Bytes attachment, EventBuffer& events) {
  CHECK_EQ(command.sequence, last_applied_.Next()) << "(J1)";
  if (last_applied_ != SequenceNumber()) CHECK_GE(command.timestamp, now_);
  events.Begin(command.sequence);
  const RejectReason reason = Dispatch(command, attachment, events);
  if (reason != RejectReason::kNone) {
    CHECK(events.events().empty()) << "a refusal after an event (E4)";
    Event& event = events.Append(EventKind::kRejected);
    event.order_id = command.order_id;
    event.account = command.account;
    event.market = command.market;
    event.detail = static_cast<uint8_t>(reason);
  }
  last_applied_ = command.sequence;
  now_ = command.timestamp;
}

RejectReason Exchange::Dispatch(const Command& command, Bytes attachment, EventBuffer& events) {
  if (!IsKnown(command.kind)) return RejectReason::kUnknownCommand;
  if (!IsAllZero(command.reserved)) return RejectReason::kUnsupportedField;
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return DefineMarket(command, attachment, events);
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
  }
  return RejectReason::kUnknownCommand;
}

RejectReason Exchange::DefineMarket(const Command& command, Bytes attachment, EventBuffer& events) {
  auto definition = DecodeMarketDefinition(attachment);
  if (!definition.ok() || definition->id != command.market) {
    return RejectReason::kMalformedDefinition;
  }
  if (directory_.Find(definition->id) != nullptr) return RejectReason::kMarketAlreadyDefined;
  if (directory_.FindSymbol(definition->symbol) != nullptr) {
    return RejectReason::kSymbolAlreadyDefined;
  }
  auto market = std::make_unique<Market>();
  market->digest = DigestOfMarket(*definition);
  CHECK(directory_.Add(*std::move(definition)));
  market->definition = directory_.Find(command.market);
  markets_.emplace(command.market, std::move(market));
  events.Append(EventKind::kMarketDefined).market = command.market;
  return RejectReason::kNone;
}

RejectReason Exchange::NewOrder(const Command& command, EventBuffer& events) {
  Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  const RejectReason reason = CheckNewOrder(command, *market->definition);
  if (reason != RejectReason::kNone) return reason;

  RestingOrder order = MakeOrder(command, command.side);
  AppendAbout(events, EventKind::kAccepted, order).quantity = command.quantity;
  std::optional<Price> limit;
  if (command.type == OrderType::kLimit) limit = command.price;
  if (command.tif == TimeInForce::kFillOrKill &&
      !market->book.CanFill(order.side, limit, order.quantity_remaining)) {
    AppendCancelled(events, order, CancelReason::kFillOrKill);
    return RejectReason::kNone;
  }
  Trade(*market, order, limit, events);
  if (command.tif == TimeInForce::kGoodTillCancelled) {
    Rest(*market, order);
  } else if (!order.quantity_remaining.is_zero()) {
    CHECK(command.tif == TimeInForce::kImmediateOrCancel);
    AppendCancelled(events, order, CancelReason::kImmediateOrCancel);
  }
  return RejectReason::kNone;
}

RejectReason Exchange::Cancel(const Command& command, EventBuffer& events) {
  Addressed addressed;
  const RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  AppendCancelled(events, addressed.order(), CancelReason::kRequested);
  Remove(addressed);
  return RejectReason::kNone;
}

RejectReason Exchange::Reduce(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReduce(command, *addressed.market->definition);
  if (reason != RejectReason::kNone) return reason;

  if (command.quantity >= addressed.order().quantity_remaining) {
    AppendCancelled(events, addressed.order(), CancelReason::kReduced);
    Remove(addressed);
    return RejectReason::kNone;
  }
  addressed.market->book.Reduce(addressed.handle, command.quantity);
  AppendAbout(events, EventKind::kReduced, addressed.order()).quantity = command.quantity;
  return RejectReason::kNone;
}

RejectReason Exchange::Replace(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReplace(command, *addressed.market->definition);
  if (reason != RejectReason::kNone) return reason;

  RestingOrder order = MakeOrder(command, addressed.order().side);
  Remove(addressed);
  Event& event = AppendAbout(events, EventKind::kReplaced, order);
  event.counter_order_id = command.order_id;
  event.quantity = command.quantity;
  Trade(*addressed.market, order, order.price, events);
  Rest(*addressed.market, order);
  return RejectReason::kNone;
}

RejectReason Exchange::Amend(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  const RestingOrder& resting = addressed.order();
  reason = CheckAmend(command, *addressed.market->definition, resting);
  if (reason != RejectReason::kNone) return reason;

  const auto append_amended = [&](const RestingOrder& order, PriorityOutcome outcome) {
    Event& event = AppendAbout(events, EventKind::kAmended, order);
    event.quantity = command.quantity;
    event.detail = static_cast<uint8_t>(outcome);
  };
  if (command.price == resting.price && command.quantity < resting.quantity_total()) {
    addressed.market->book.Reduce(addressed.handle, resting.quantity_total() - command.quantity);
    append_amended(resting, PriorityOutcome::kKept);
    return RejectReason::kNone;
  }
  RestingOrder order = resting;
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = command.quantity - order.quantity_filled;
  Remove(addressed);
  append_amended(order, PriorityOutcome::kLost);
  Trade(*addressed.market, order, order.price, events);
  Rest(*addressed.market, order);
  return RejectReason::kNone;
}

Exchange::Market* Exchange::FindMarket(MarketId id) const {
  const auto found = markets_.find(id);
  return found == markets_.end() ? nullptr : found->second.get();
}

RejectReason Exchange::FindAddressed(const Command& command, Addressed& found) const {
  found.market = FindMarket(command.market);
  if (found.market == nullptr) return RejectReason::kUnknownMarket;
  const auto live = live_orders_.find(command.order_id);
  if (live == live_orders_.end()) return CheckAddressedOrder(command, nullptr);
  found.handle = live->second;
  return CheckAddressedOrder(command, &found.order());
}

// Trades what can trade of `taker`, whose quantities follow.
void Exchange::Trade(Market& market, RestingOrder& taker, std::optional<Price> limit,
                     EventBuffer& events) {
  const Quantity wanted = taker.quantity_remaining;
  taker.quantity_remaining =
      market.book.Match(taker.side, limit, wanted, [&](const RestingOrder& maker, Quantity traded) {
        Event& event = AppendAbout(events, EventKind::kTrade, maker);
        event.counter_order_id = taker.id;
        event.quantity = traded;
        if (maker.quantity_remaining.is_zero()) live_orders_.erase(maker.id);
      });
  taker.quantity_filled += wanted - taker.quantity_remaining;
}

// What remains of `order`, if anything, waits in the book.
void Exchange::Rest(Market& market, const RestingOrder& order) {
  if (order.quantity_remaining.is_zero()) return;
  live_orders_.emplace(order.id, market.book.Add(order));
}

void Exchange::Remove(const Addressed& addressed) {
  live_orders_.erase(addressed.order().id);
  addressed.market->book.Remove(addressed.handle);
}

void Exchange::VisitOrders(MarketId market, Side side,
                           absl::FunctionRef<void(const RestingOrder&)> visit) const {
  const Market* const found = FindMarket(market);
  if (found != nullptr) found->book.VisitOrders(side, visit);
}

Digest Exchange::StateDigest() const {
  DigestSum sum;
  for (const auto& [id, definition] : directory_.all()) {
    const Market& market = *FindMarket(id);
    sum.Add(market.digest);
    for (const Side side : {Side::kBid, Side::kAsk}) {
      market.book.VisitOrders(side, [&](const RestingOrder& o) { sum.Add(DigestOfOrder(o)); });
    }
  }
  return DigestOfState({.last_applied = last_applied_,
                        .now = now_,
                        .market_count = directory_.all().size(),
                        .live_order_count = live_orders_.size(),
                        .sum = sum.value()});
}

void Exchange::CheckInvariants() const {
  uint64_t order_count = 0;
  CHECK_EQ(directory_.all().size(), markets_.size());
  for (const auto& [id, definition] : directory_.all()) {
    const Market* const market = FindMarket(id);
    CHECK(market != nullptr) << "market " << id;
    CHECK(market->definition == &definition) << "market " << id;
    market->book.CheckInvariants();
    order_count += market->book.order_count();
    for (const Side side : {Side::kBid, Side::kAsk}) {
      market->book.VisitOrders(side, [&, id = id](const RestingOrder& order) {
        const auto live = live_orders_.find(order.id);
        CHECK(live != live_orders_.end()) << "order " << order.id << " is not in the index";
        CHECK(&*live->second == &order) << "order " << order.id << " is elsewhere";
        CHECK_EQ(order.market, id) << "order " << order.id;
        CHECK_LE(order.priority, last_applied_) << "order " << order.id;
        CHECK_LE(order.quantity_total(), kQuantityMax) << "order " << order.id;
      });
    }
  }
  CHECK_EQ(order_count, live_orders_.size());
}

}  // namespace engine
