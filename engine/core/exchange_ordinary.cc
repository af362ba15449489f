// The commands that most commands are: an order without special terms for an open equity market,
// its cancel, its amend. Three circles, each for what the one within it does not do:
//
//   at once     a limit order that only joins a level, a cancel that only leaves one: nothing is
//               made, nothing else is called, and it is all in this file
//   ordinary    may trade, make and empty levels, use up a page or a block
//   any         has special terms, or is refused: asked question by question (exchange_orders.cc)

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

// Kind, side, type, time in force, flags and group of a command, as one word.
ENGINE_ALWAYS_INLINE uint64_t WordOf(const Command& command) {
  static_assert(offsetof(Command, kind) == 56 && offsetof(Command, side) == 58 &&
                offsetof(Command, type) == 59 && offsetof(Command, tif) == 60);
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&command) + offsetof(Command, kind),
              sizeof(word));
  return word;
}

// Of a new order without flags and group.
constexpr uint64_t WordOf(Side side, OrderType type, TimeInForce tif) {
  return uint64_t{static_cast<uint16_t>(CommandKind::kNewOrder)} |
         uint64_t{static_cast<uint8_t>(side)} << 16 | uint64_t{static_cast<uint8_t>(type)} << 24 |
         uint64_t{static_cast<uint8_t>(tif)} << 32;
}

// Whether the command is a new order, a bid or an ask, of these terms, without flags and group.
ENGINE_ALWAYS_INLINE bool HasTerms(const Command& command, OrderType type, TimeInForce tif) {
  const uint64_t bid = WordOf(Side::kBid, type, tif);
  const uint64_t ask = WordOf(Side::kAsk, type, tif);
  const uint64_t above =
      WordOf(command) - bid;  // Zero or, as the side is counted, ask - bid = 2^16.
  return (above & ~(ask - bid)) == 0;
}

// Account and market of a command or an order, as one word.
template <typename T>
ENGINE_ALWAYS_INLINE uint64_t OwnerOf(const T& of) {
  static_assert(offsetof(T, market) == offsetof(T, account) + sizeof(AccountId));
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&of) + offsetof(T, account), sizeof(word));
  return word;
}
template <typename T>
ENGINE_ALWAYS_INLINE void SetOwner(T& of, uint64_t owner) {
  std::memcpy(reinterpret_cast<char*>(&of) + offsetof(T, account), &owner, sizeof(owner));
}

// Index (the first), kind, side and detail of an event, written as one word.
ENGINE_ALWAYS_INLINE void SetWhat(Event& event, EventKind kind, Side side, CancelReason reason) {
  static_assert(offsetof(Event, index) == 56 && offsetof(Event, kind) == 60 &&
                offsetof(Event, side) == 62 && offsetof(Event, detail) == 63);
  const uint64_t word = uint64_t{static_cast<uint16_t>(kind)} << 32 |
                        uint64_t{static_cast<uint8_t>(side)} << 48 |
                        uint64_t{static_cast<uint8_t>(reason)} << 56;
  std::memcpy(reinterpret_cast<char*>(&event) + offsetof(Event, index), &word, sizeof(word));
}

// Side and time in force of an order without flags and marks, written as one word.
ENGINE_ALWAYS_INLINE void SetWhat(OrderSlot& order, Side side, TimeInForce tif) {
  static_assert(offsetof(OrderSlot, side) == 60 && offsetof(OrderSlot, tif) == 61 &&
                sizeof(OrderSlot) == 64);
  const uint32_t word = uint32_t{static_cast<uint8_t>(side)} | uint32_t{static_cast<uint8_t>(tif)}
                                                                   << 8;
  std::memcpy(reinterpret_cast<char*>(&order) + offsetof(OrderSlot, side), &word, sizeof(word));
}

// What an ordinary order and its event have of its command. Read once: the compiler cannot know
// that neither is written over the command.
struct Terms {
  explicit Terms(const Command& command)
      : sequence(command.sequence),
        price(command.price),
        quantity(command.quantity),
        owner(OwnerOf(command)),
        side(command.side) {}

  SequenceNumber sequence;
  Price price;
  Quantity quantity;
  uint64_t owner;
  Side side;
};

// All but links and level.
ENGINE_ALWAYS_INLINE void Fill(OrderSlot& order, const Terms& terms, TimeInForce tif) {
  SetOwner(order, terms.owner);
  order.price = terms.price;
  order.quantity_remaining = terms.quantity;
  order.quantity_filled = Quantity();
  order.id = OrderIdOf(terms.sequence);
  order.priority = terms.sequence;
  SetWhat(order, terms.side, tif);
}

ENGINE_ALWAYS_INLINE bool HasQuantity(const Market& market, const Command& command) {
  return market.quantities.Has(static_cast<int64_t>(command.quantity.units()));
}

}  // namespace

// Each step ends in the next and comes back to none, so that nothing is saved and restored.
void Exchange::Apply(const Command& command, Bytes attachment, EventBuffer& events) {
  if (command.sequence != last_applied_.Next() || command.timestamp < now_ ||
      command.timestamp >= ordinary_until_) [[unlikely]] {
    return ApplyWithCare(command, attachment, events);
  }
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  if (command.kind == CommandKind::kNewOrder) return RestAtOnce(command, events);
  if (command.kind == CommandKind::kCancel) return LeaveAtOnce(command, events);
  events.Begin(command.sequence);
  if (command.kind == CommandKind::kAmend) return OrdinaryAmend(command, events);
  ApplyAny(command, attachment, events);
}

ENGINE_OUT_OF_LINE void Exchange::ApplyWithCare(const Command& command, Bytes attachment,
                                                EventBuffer& events) {
  CHECK_EQ(command.sequence, last_applied_.Next()) << "(J1)";
  if (last_applied_ != SequenceNumber()) CHECK_GE(command.timestamp, now_);
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  events.Begin(command.sequence);
  ExpireOrders(command.timestamp, events);
  if (state_ == ExchangeState::kActive && events.is_empty()) {
    if (command.kind == CommandKind::kNewOrder) return OrdinaryNewOrder(command, events);
    if (command.kind == CommandKind::kCancel) return OrdinaryCancel(command, events);
    if (command.kind == CommandKind::kAmend) return OrdinaryAmend(command, events);
  }
  ApplyAny(command, attachment, events);
}

// ---- At once

ENGINE_OUT_OF_LINE void Exchange::RestAtOnce(const Command& command, EventBuffer& events) {
  Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr || !HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled)) {
    return OrdinaryNewOrder(command, events);
  }
  const uint64_t price = market->prices.IndexOf(command.price.units());
  if (price >= market->ordinary_prices || !HasQuantity(*market, command)) {
    return OrdinaryNewOrder(command, events);
  }
  const int64_t rank = RankOf(command.side, price);
  const Slot level = market->book.LevelAt(command.side, rank);
  const OrderId id = OrderIdOf(command.sequence);
  if (market->book.Crosses(command.side, LimitOf(rank)) || level == Slot() ||
      !storage_.has_free_order() || !index_.HasPageFor(id) || !events.has_room()) {
    events.Begin(command.sequence);
    return Arrive(command, *market, LimitOf(rank), events);
  }

  const Terms terms(command);
  events.BeginOne();
  Event& event = events.AppendUnset();
  event.sequence = terms.sequence;
  event.order_id = id;
  event.counter_order_id = OrderId();
  event.price = terms.price;
  event.quantity = terms.quantity;
  event.quantity_remaining = terms.quantity;
  SetOwner(event, terms.owner);
  SetWhat(event, EventKind::kAccepted, terms.side, CancelReason::kNone);

  const Slot slot = storage_.TakeFreeOrder();
  const SlotMemory memory = storage_.memory();
  Fill(memory.order(slot), terms, TimeInForce::kGoodTillCancelled);
  index_.InsertInPage(id, slot);
  OrderBook::Append(memory, slot, level);
}

ENGINE_OUT_OF_LINE void Exchange::LeaveAtOnce(const Command& command, EventBuffer& events) {
  Slot& place = index_.PlaceOf(command.order_id);
  const Slot slot = place;
  const SlotMemory memory = storage_.memory();
  const OrderSlot& order = memory.order(slot);
  const uint64_t owner = OwnerOf(command);
  if (slot == Slot() || order.id != command.order_id || OwnerOf(order) != owner ||
      order.marks.any()) {
    return OrdinaryCancel(command, events);
  }
  if (!events.has_room() || !OrderBook::CanUnlinkFromOthers(memory, order)) {
    return Leave(command, slot, events);
  }

  events.BeginOne();
  Event& event = events.AppendUnset();
  event.sequence = command.sequence;
  event.order_id = command.order_id;
  event.counter_order_id = OrderId();
  event.price = order.price;
  event.quantity = order.quantity_remaining;
  event.quantity_remaining = Quantity();
  SetOwner(event, owner);
  SetWhat(event, EventKind::kCancelled, order.side, CancelReason::kRequested);

  place = Slot();
  OrderBook::UnlinkFromOthers(memory, slot);
  storage_.FreeOrder(memory, slot);
}

// ---- Ordinary

ENGINE_OUT_OF_LINE void Exchange::OrdinaryNewOrder(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  Market* const market = markets_.Find(command.market);
  if (market == nullptr || !market->is_ordinary()) return ApplyAny(command, {}, events);
  int64_t limit = kAnyRank;
  bool is_ordinary = false;
  if (HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled) ||
      HasTerms(command, OrderType::kLimit, TimeInForce::kImmediateOrCancel)) {
    const uint64_t price = market->prices.IndexOf(command.price.units());
    is_ordinary = price < market->prices.size();
    limit = LimitOf(RankOf(command.side, price));
  } else if (HasTerms(command, OrderType::kMarket, TimeInForce::kImmediateOrCancel)) {
    is_ordinary = command.price == Price();
  }
  if (!is_ordinary || !HasQuantity(*market, command)) return ApplyAny(command, {}, events);
  using Rests = RiskControl::Wish::Rests;
  if (!PassesLimits(command, *market, engine::Rests(command.tif) ? Rests::kYes : Rests::kNo)) {
    return ApplyAny(command, {}, events);
  }
  Arrive(command, *market, limit, events);
}

// An order that nothing refuses. `limit` is kAnyRank, or that of its price.
ENGINE_OUT_OF_LINE void Exchange::Arrive(const Command& command, Market& market, int64_t limit,
                                         EventBuffer& events) {
  const Slot slot = storage_.NewOrder();
  Fill(storage_.order(slot), Terms(command), command.tif);
  AppendAbout(events, EventKind::kAccepted, storage_.order(slot)).quantity = command.quantity;
  Enter<true>(market,
              {.slot = slot,
               .rank = LimitOf(limit),
               .limit = limit,
               .may_trade = command.quantity,
               .tif = command.tif},
              events);
  if (groups_.has_fills()) TripGroups(events);
}

// If so, the wish is counted as granted. REQUIRES: nothing else can refuse it.
ENGINE_ALWAYS_INLINE bool Exchange::PassesLimits(const Command& command, const Market& market,
                                                 RiskControl::Wish::Rests rests) {
  if (!risk_.has_limits()) return true;
  const MarketDefinition& definition = *market.definition;
  const bool is_limit = command.type == OrderType::kLimit || command.kind == CommandKind::kAmend;
  if (risk_.Check({.account = command.account,
                   .market = definition,
                   .quantity = command.quantity,
                   .price = is_limit ? command.price : definition.price_max,
                   .now = command.timestamp,
                   .rests = rests}) != RejectReason::kNone) {
    return false;
  }
  risk_.Count(command.account, command.timestamp);
  return true;
}

ENGINE_OUT_OF_LINE void Exchange::OrdinaryCancel(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return RefuseIfNotLive(command, events);
  const OrderSlot& order = storage_.order(slot);
  if (OwnerOf(order) != OwnerOf(command)) return ApplyAny(command, {}, events);
  AppendCancelled(events, order, CancelReason::kRequested);
  Remove(*markets_.Find(command.market), slot);
}

// The cancel of an order without marks.
ENGINE_OUT_OF_LINE void Exchange::Leave(const Command& command, Slot slot, EventBuffer& events) {
  events.Begin(command.sequence);
  AppendCancelled(events, storage_.order(slot), CancelReason::kRequested);
  index_.Erase(command.order_id);
  const Slot empty = OrderBook::Unlink(storage_.memory(), slot);
  storage_.FreeOrder(slot);
  if (empty != Slot()) markets_.Find(command.market)->book.RemoveLevel(empty);
}

// The order that the command names is not live: it has just traded, or its cancel came twice. In a
// fast market that is what most cancels find.
ENGINE_ALWAYS_INLINE void Exchange::RefuseIfNotLive(const Command& command, EventBuffer& events) {
  const Market* const market = markets_.FindSmall(command.market);
  const uint64_t id = command.order_id.value();
  if (market == nullptr || !market->is_ordinary() || id == 0 || id >= command.sequence.value()) {
    return ApplyAny(command, {}, events);
  }
  AppendRejected(events, command, RejectReason::kOrderNotLive);
}

// In an open market, of an order that is good till cancelled.
ENGINE_OUT_OF_LINE void Exchange::OrdinaryAmend(const Command& command, EventBuffer& events) {
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return RefuseIfNotLive(command, events);
  OrderSlot& order = storage_.order(slot);
  if (OwnerOf(order) != OwnerOf(command)) return ApplyAny(command, {}, events);
  Market& market = *markets_.Find(command.market);
  const uint64_t price = market.prices.IndexOf(command.price.units());
  ChangesNow(slot);
  if (!market.is_ordinary() || order.tif != TimeInForce::kGoodTillCancelled ||
      order.flags != OrderFlags() || order.marks.has(OrderMarks::kExtras) ||
      price >= market.prices.size() || !HasQuantity(market, command) ||
      command.quantity <= order.quantity_filled ||
      !PassesLimits(command, market, RiskControl::Wish::Rests::kAlready)) {
    return ApplyAny(command, {}, events);
  }
  if (command.price == order.price && command.quantity < order.quantity_total()) {
    return AmendInPlace(market, command, slot, events);
  }
  const int64_t rank = RankOf(order.side, price);
  Arrival arrival{.slot = slot,
                  .rank = rank,
                  .limit = LimitOf(rank),
                  .may_trade = command.quantity - order.quantity_filled};
  AmendTo<true>(market, command, arrival, events);
  if (groups_.has_fills()) TripGroups(events);
}

// ---- Ahead of time

void Exchange::PrefetchIdentity(const Command& command) const {
  if (command.kind != CommandKind::kNewOrder) return index_.Prefetch(command.order_id);
  const Market* const market = markets_.Find(command.market);
  if (market == nullptr || !IsValid(command.side)) return;
  market->book.Prefetch(command.side, market->RankAt(command.side, command.price));
}

void Exchange::PrefetchOrder(const Command& command) const {
  if (command.kind == CommandKind::kNewOrder) return;
  storage_.memory().Prefetch(index_.Find(command.order_id));
}

}  // namespace engine
