// The commands that most commands are, where nothing else has to be called or made: an order that
// joins a level or begins one, a cancel of one that waits, an amend that moves one from level to
// level or lowers its quantity, the cancel of one that has gone. What is not so easy goes on in
// exchange_ordinary.cc.
//
// Each step ends in the next and comes back to none, so that nothing is saved and restored.

#include <atomic>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
#include "engine/core/ordinary_words.h"
#include "engine/messages/event.h"
#include "engine/types/order_type.h"

namespace engine {

void Exchange::ApplyAtOnce(const Command& command, EventBuffer& events) {
  const Timestamp timestamp = command.timestamp;
  if (command.sequence != last_applied_.Next() || timestamp < now_ || timestamp >= ordinary_until_)
      [[unlikely]] {
    return ApplyWithLimits(command, events);
  }
  last_applied_ = command.sequence;
  now_ = timestamp;
  if (command.kind == CommandKind::kNewOrder) return RestAtOnce<Limits::kNone>(command, events);
  if (command.kind == CommandKind::kCancel) return LeaveAtOnce(command, events);
  if (command.kind == CommandKind::kAmend) return MoveAtOnce(command, events);
  events.Begin(command.sequence);
  ApplyAny(command, events);
}

// The same where accounts have limits.
ENGINE_OUT_OF_LINE void Exchange::ApplyWithLimits(const Command& command, EventBuffer& events) {
  if (command.sequence != last_applied_.Next() || command.timestamp < now_ ||
      command.timestamp >= active_until_) [[unlikely]] {
    return ApplyWithCare(command, events);
  }
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  if (command.kind == CommandKind::kNewOrder) return RestAtOnce<Limits::kSome>(command, events);
  if (command.kind == CommandKind::kCancel) return LeaveAtOnce(command, events);
  if (command.kind == CommandKind::kAmend) return MoveAtOnce(command, events);
  events.Begin(command.sequence);
  ApplyAny(command, events);
}

// Whether there are a free order, a page and room for the order that `command` enters.
ENGINE_ALWAYS_INLINE bool Exchange::IsReadyFor(const Command& command,
                                               const EventBuffer& events) const {
  return storage_.has_free_order() && index_.HasPageFor(OrderIdOf(command.sequence)) &&
         events.has_room();
}

// REQUIRES: IsReadyFor(command, events).
template <uint8_t marks>
ENGINE_ALWAYS_INLINE void Exchange::RestOn(const Command& command, EventBuffer& events,
                                           Slot level) {
  events.BeginOne();
  Event& event = events.AppendUnsetInRoom();
  const Slot slot = storage_.TakeFreeOrder();
  const SlotMemory memory = storage_.memory();
  const SequenceNumber sequence = last_applied_;
  WriteArrival(event, memory.order(slot), command, sequence, marks);
  index_.InsertInPage(OrderIdOf(sequence), slot);
  OrderBook::Append(memory, slot, level, command.quantity);
}

template <Exchange::Limits limits>
ENGINE_OUT_OF_LINE void Exchange::RestAtOnce(const Command& command, EventBuffer& events) {
  Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr || !HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled)) {
    return OrdinaryNewOrder(command, events);
  }
  const uint64_t price = market->prices.IndexOf(command.price.units());
  if (price >= market->ordinary_prices) {
    // Only where there is money, open prices are not ordinary.
    if constexpr (limits == Limits::kNone) {
      return RestWithMoney(command, events, price, *market);
    } else {
      return OrdinaryNewOrder(command, events);
    }
  }
  if (!market->Allows(command.quantity)) return OrdinaryNewOrder(command, events);
  const int64_t rank = RankOf(command.side, price);
  // Where its own side has a level, nothing of the other is as good (E2).
  const Slot level = market->book.LevelAt(command.side, rank);
  if constexpr (limits == Limits::kSome) {
    if (level == Slot()) return OrdinaryNewOrder(command, events);
    RestIfGranted(command, events, level, *market);
  } else {
    if (level == Slot()) return RestOnNewLevel(command, *market, rank, events);
    if (!IsReadyFor(command, events)) [[unlikely]]
      return RestAnywhere(command, *market, rank, events);
    RestOn(command, events, level);
  }
}

// A step of its own, as PayAndRest.
ENGINE_OUT_OF_LINE void Exchange::RestIfGranted(const Command& command, EventBuffer& events,
                                                Slot level, const Market& market) {
  if (!IsReadyFor(command, events) ||
      !risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/false)) {
    return OrdinaryNewOrder(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  RestOn<OrderMarks::kCounted>(command, events, level);
}

// The level is new, or far away, or the order crosses.
ENGINE_OUT_OF_LINE void Exchange::RestOnNewLevel(const Command& command, Market& market,
                                                 int64_t rank, EventBuffer& events) {
  if (market.book.Crosses(command.side, LimitOf(rank))) {
    return Take(command, market, LimitOf(rank), events);
  }
  if (!IsReadyFor(command, events)) [[unlikely]]
    return RestAnywhere(command, market, rank, events);
  RestOn(command, events, market.book.LevelFor(command.side, rank));
}

// The order joins the market's level, if that is all there is to do and its account can pay.
ENGINE_OUT_OF_LINE void Exchange::RestWithMoney(const Command& command, EventBuffer& events,
                                                uint64_t price, Market& market) {
  if (price >= market.open_prices || !market.Allows(command.quantity)) {
    return OrdinaryNewOrder(command, events);
  }
  const int64_t rank = RankOf(command.side, price);
  const Slot level = market.book.LevelAt(command.side, rank);
  if (level == Slot()) return RestOnNewLevelIfPaid(command, events, rank, market);
  RestIfPaid(command, events, level, market);
}

// Writes down what the order that `command` enters requires, where it will rest. REQUIRES:
// IsReadyFor(command, events).
ENGINE_ALWAYS_INLINE void Exchange::NoteRequired(const Command& command, const Market& market) {
  const Money required = market.money.Requirement(command.side, command.quantity, command.price,
                                                  FeeRole::kMaker, Money());
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  storage_.required(storage_.next_free_order()) = required;
}

// Reserves that, if the account can plainly pay.
ENGINE_ALWAYS_INLINE bool Exchange::ReserveAtOnce(const Command& command, Ledger::Party party,
                                                  const Market& market) {
  if (!party.is_known() || !party.Covers(market.money.RequirementBound(command.quantity)))
      [[unlikely]] {
    return false;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  ledger_.Require(party, command.side, storage_.required(storage_.next_free_order()));
  return true;
}

ENGINE_OUT_OF_LINE void Exchange::RestIfPaid(const Command& command, EventBuffer& events,
                                             Slot level, const Market& market) {
  if (!IsReadyFor(command, events) || !market.money.IsEveryday(command.quantity)) {
    return OrdinaryNewOrder(command, events);
  }
  NoteRequired(command, market);
  PayAndRest(command, events, level, market);
}

// A step of its own: what is asked, and who can pay it, need no register at the same time.
ENGINE_OUT_OF_LINE void Exchange::PayAndRest(const Command& command, EventBuffer& events,
                                             Slot level, const Market& market) {
  const Ledger::Party party = ledger_.FindPartyAtOnce(command.account, command.market);
  if (!party.is_known()) return PayAndRestElsewhere(command, events, level, market);
  if (!ReserveAtOnce(command, party, market)) return OrdinaryNewOrder(command, events);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  RestOn<OrderMarks::kMoney>(command, events, level);
}

// The same where the account is not found at once.
ENGINE_OUT_OF_LINE void Exchange::PayAndRestElsewhere(const Command& command, EventBuffer& events,
                                                      Slot level, const Market& market) {
  const Ledger::Party party = ledger_.FindParty(command.account, command.market);
  if (!ReserveAtOnce(command, party, market)) return OrdinaryNewOrder(command, events);
  RestOn<OrderMarks::kMoney>(command, events, level);
}

// As RestOnNewLevel.
ENGINE_OUT_OF_LINE void Exchange::RestOnNewLevelIfPaid(const Command& command, EventBuffer& events,
                                                       int64_t rank, Market& market) {
  if (market.book.Crosses(command.side, LimitOf(rank)) || !IsReadyFor(command, events)) {
    return OrdinaryNewOrder(command, events);
  }
  NoteRequired(command, market);
  const Ledger::Party party = ledger_.FindParty(command.account, command.market);
  if (!ReserveAtOnce(command, party, market)) return OrdinaryNewOrder(command, events);
  RestOn<OrderMarks::kMoney>(command, events, market.book.LevelFor(command.side, rank));
}

// The cancel of an order that has nothing to undo any more and is not alone with its level. The
// index has it in `place`. REQUIRES: there is room.
ENGINE_ALWAYS_INLINE void Exchange::LeaveOthers(EventBuffer& events, OrderSlot& order,
                                                Slot& place) {
  OrderBook::UnlinkFromOthers(storage_.memory(), order);
  // What has been read is read again behind this: to keep it would cost more registers than may be
  // used without saving them.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  events.BeginOne();
  WriteCancelled(events.AppendUnsetInRoom(), order, last_applied_);
  storage_.FreeOrder(order, place);
  place = Slot();
}

ENGINE_ALWAYS_INLINE void Exchange::LeaveAtOnce(const Command& command, EventBuffer& events) {
  Slot& place = index_.PlaceOf(command.order_id);
  const Slot slot = place;
  OrderSlot& order = storage_.order(slot);
  if (order.id != command.order_id) return RefuseIfNotLive(command, events);
  if (OwnerOf(order) != OwnerOf(command)) return OrdinaryCancel(command, events);
  if (order.marks.any()) return LeaveWithMoney(command, events, order, place);
  if (!events.has_room() || OrderBook::IsAlone(order)) return Leave(command, events, place);
  LeaveOthers(events, order, place);
}

// The cancel of an order for which something is reserved, and which owes and is owed nothing else.
ENGINE_OUT_OF_LINE void Exchange::LeaveWithMoney(const Command& command, EventBuffer& events,
                                                 OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kMoney)) {
    return LeaveCounted(command, events, order, place);
  }
  if (!events.has_room() || OrderBook::IsAlone(order)) {
    return LeaveLevelWithMoney(command, events, order, place);
  }
  const Ledger::Party party = ledger_.FindPartyAtOnce(order.account, order.market);
  if (!party.is_known()) return OrdinaryCancel(command, events);
  if (!ledger_.ReleaseAtOnce(party, order.side, storage_.required(place))) {
    return OrdinaryCancel(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  LeaveOthers(events, order, place);
}

// The same of one that is alone with its level.
ENGINE_OUT_OF_LINE void Exchange::LeaveLevelWithMoney(const Command& command, EventBuffer& events,
                                                      const OrderSlot& order, Slot place) {
  const Ledger::Party party = ledger_.FindPartyAtOnce(order.account, order.market);
  if (!party.is_known()) return OrdinaryCancel(command, events);
  ledger_.Release(party, order.side, storage_.required(place));
  Leave(command, events, place);
}

// The cancel of an order that counts for its account's limits, and of which nothing else is to be
// known.
ENGINE_OUT_OF_LINE void Exchange::LeaveCounted(const Command& command, EventBuffer& events,
                                               OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kCounted) || !risk_.CountLeavingAtOnce(order.account)) {
    return OrdinaryCancel(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  if (!events.has_room() || OrderBook::IsAlone(order)) return Leave(command, events, place);
  LeaveOthers(events, order, place);
}

// The level of its own side to which the amend moves `order`, from others to others, if it names
// one of the first `allowed` prices; else nowhere. Nowhere as well if it may keep its place.
ENGINE_ALWAYS_INLINE Slot Exchange::LevelToMoveTo(const Command& command, const OrderSlot& order,
                                                  const Market& market, uint64_t allowed) {
  const uint64_t price = market.prices.IndexOf(command.price.units());
  if (price >= allowed || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled || OrderBook::IsAlone(order)) {
    return Slot();
  }
  if (command.price == order.price && command.quantity <= order.quantity_total()) return Slot();
  return market.book.LevelAt(order.side, RankOf(order.side, price));
}

// An amend by which an order leaves others to join others, or keeps its place.
ENGINE_OUT_OF_LINE void Exchange::MoveAtOnce(const Command& command, EventBuffer& events) {
  const Slot slot = index_.PlaceOf(command.order_id);
  const OrderSlot& order = storage_.order(slot);
  if (order.id != command.order_id) return RefuseIfNotLive(command, events);
  const Market* const market = markets_.FindSmall(command.market);
  if (OwnerOf(order) != OwnerOf(command) || market == nullptr) {
    return OrdinaryAmend(command, events);
  }
  if (!IsPlain(order)) return MoveWithMoney(command, events, slot, *market);
  if (command.price == order.price && command.quantity < order.quantity_total()) {
    return StayWithLess(command, events, slot, *market);
  }
  const Slot level = LevelToMoveTo(command, order, *market, market->ordinary_prices);
  if (level == Slot() || !events.has_room()) return OrdinaryAmend(command, events);
  MoveToOthers(command, events, slot, level);
}

// The amend lowers the order's quantity, and it keeps its place.
ENGINE_OUT_OF_LINE void Exchange::StayWithLess(const Command& command, EventBuffer& events,
                                               Slot slot, const Market& market) {
  OrderSlot& order = storage_.order(slot);
  if (!market.is_ordinary() || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled || !events.has_room()) {
    return OrdinaryAmend(command, events);
  }
  LowerInPlace(command, events, order);
}

// REQUIRES: it is for more, and has traded less; there is room.
ENGINE_ALWAYS_INLINE void Exchange::LowerInPlace(const Command& command, EventBuffer& events,
                                                 OrderSlot& order) {
  const Quantity remains = command.quantity - order.quantity_filled;
  storage_.level(order.level).quantity -= order.quantity_remaining - remains;
  order.quantity_remaining = remains;
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kKept);
}

// As MoveAtOnce, of an order that reserves money, if its account can pay.
ENGINE_OUT_OF_LINE void Exchange::MoveWithMoney(const Command& command, EventBuffer& events,
                                                Slot slot, const Market& market) {
  OrderSlot& order = storage_.order(slot);
  if (!IsPlain(order, OrderMarks::kMoney)) return MoveIfGranted(command, events, slot, market);
  if (command.price == order.price && command.quantity < order.quantity_total()) {
    if (market.open_prices == 0 || !market.Allows(command.quantity) ||
        command.quantity <= order.quantity_filled || !events.has_room() ||
        !ReserveAmended(command, slot, market)) {
      return OrdinaryAmend(command, events);
    }
    return LowerInPlace(command, events, order);
  }
  const Slot level = LevelToMoveTo(command, order, market, market.open_prices);
  if (level == Slot() || !events.has_room() || !ReserveAmended(command, slot, market)) {
    return OrdinaryAmend(command, events);
  }
  MoveToOthers(command, events, slot, level);
}

// As MoveAtOnce, of an order that counts for its account's limits, if these allow it.
ENGINE_OUT_OF_LINE void Exchange::MoveIfGranted(const Command& command, EventBuffer& events,
                                                Slot slot, const Market& market) {
  OrderSlot& order = storage_.order(slot);
  if (!IsPlain(order, OrderMarks::kCounted)) return OrdinaryAmend(command, events);
  if (command.price == order.price && command.quantity < order.quantity_total()) {
    if (!market.is_ordinary() || !market.Allows(command.quantity) ||
        command.quantity <= order.quantity_filled || !events.has_room() ||

        !risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/true)) {
      return OrdinaryAmend(command, events);
    }
    return LowerInPlace(command, events, order);
  }
  const Slot level = LevelToMoveTo(command, order, market, market.ordinary_prices);
  if (level == Slot() || !events.has_room() ||
      !risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/true)) {
    return OrdinaryAmend(command, events);
  }
  MoveToOthers(command, events, slot, level);
}

// Reserves for the order in `slot`, which is as it was, what the amend makes of it, if its account
// can plainly pay.
ENGINE_OUT_OF_LINE bool Exchange::ReserveAmended(const Command& command, Slot slot,
                                                 const Market& market) {
  const OrderSlot& order = storage_.order(slot);
  const Quantity remains = command.quantity - order.quantity_filled;
  const Money required =
      market.money.Requirement(order.side, remains, command.price, FeeRole::kMaker, Money());
  const Ledger::Party party = ledger_.FindParty(order.account, order.market);
  if (!party.is_known() || !party.Covers(market.money.RequirementBound(remains))) return false;
  ledger_.Require(party, order.side, required - storage_.required(slot));
  storage_.required(slot) = required;
  return true;
}

// REQUIRES: it is not alone with its level; there is room.
ENGINE_OUT_OF_LINE void Exchange::MoveToOthers(const Command& command, EventBuffer& events,
                                               Slot slot, Slot level) {
  const SlotMemory memory = storage_.memory();
  OrderSlot& order = memory.order(slot);
  OrderBook::UnlinkFromOthers(memory, order);
  const Quantity remains = command.quantity - order.quantity_filled;
  order.price = command.price;
  order.quantity_remaining = remains;
  order.priority = command.sequence;
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kLost);
  OrderBook::Append(memory, slot, level, remains);
}

// The order that the command names is not live: it has just traded, or its cancel came twice. In a
// fast market that is what most cancels find.
ENGINE_OUT_OF_LINE void Exchange::RefuseIfNotLive(const Command& command, EventBuffer& events) {
  const Market* const market = markets_.FindSmall(command.market);
  const uint64_t id = command.order_id.value();
  events.Begin(command.sequence);
  if (market == nullptr || !market->is_ordinary() || id == 0 || id >= command.sequence.value()) {
    return ApplyAny(command, events);
  }
  Write(events.AppendUnset(), EventKind::kRejected,
        {.sequence = command.sequence,
         .order = command.order_id,
         .counter_order = OrderId(),
         .price = Price(),
         .owner = OwnerOf(command),
         .side = Side()},
        Quantity(), Quantity(), static_cast<uint8_t>(RejectReason::kOrderNotLive));
}

// ---- Ahead of time. Nothing here branches on what the commands to come are: that cannot be
// foretold, and a wrong guess here would cost what it saves there.

ENGINE_OUT_OF_LINE void Exchange::ForeseeFar(const Command* coming) const {
  if (markets_.are_many()) markets_.Prefetch(coming[kIdentityAhead].market);
  if (!storage_.is_far()) return;
  PrefetchOrder(coming[kOrderAhead]);
  PrefetchNeighbours(coming[kNeighboursAhead]);
}

ENGINE_ALWAYS_INLINE void Exchange::PrefetchOrder(const Command& command) const {
  storage_.memory().Prefetch(index_.PlaceOf(command.order_id));
  if (!markets_.are_many()) return;  // The levels of few are close already.
  const Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(command.side, market->RankAt(command.side, command.price));
}

// The order that is named, or, where none is, the level that will be joined.
ENGINE_ALWAYS_INLINE void Exchange::PrefetchNeighbours(const Command& command) const {
  const SlotMemory memory = storage_.memory();
  const Slot slot = index_.PlaceOf(command.order_id);
  const OrderSlot& order = memory.order(slot);
  memory.Prefetch(order.links.next);
  memory.Prefetch(order.links.prev);
  if (!markets_.are_many()) return;
  const Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(order.side, market->RankAt(order.side, order.price));
  // Of two, as a choice between them would be a branch.
  const Slot* const levels[] = {
      &order.level,
      market->book.PlaceAhead(command.side, market->RankAt(command.side, command.price))};
  memory.Prefetch(*levels[slot == Slot()]);
}

}  // namespace engine
