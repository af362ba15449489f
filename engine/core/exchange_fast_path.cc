// The fast path: the most frequent commands, if nothing else has to be called or allocated: an
// order that joins or begins a level, a cancel of an order that rests, an amend that moves an order
// from level to level or lowers its quantity, a cancel of an order that is no longer live. Accounts
// with limits continue in exchange_fast_path_limits.cc, markets with money in
// exchange_fast_path_money.cc, and all other cases in exchange_ordinary.cc.
//
// Each step ends with a call of the next and never returns to the one before, so that no registers
// are saved and restored.

#include "engine/core/exchange_fast_path.h"

#include <atomic>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/ordinary_words.h"
#include "engine/messages/event.h"
#include "engine/types/order_type.h"

namespace engine {

void Exchange::ApplyFast(const Command& command, EventBuffer& events) {
  const Timestamp timestamp = command.timestamp;
  if (command.sequence != last_applied_.Next() || timestamp < now_ || timestamp >= ordinary_until_)
      [[unlikely]] {
    return ApplyWithLimits(command, events);
  }
  last_applied_ = command.sequence;
  now_ = timestamp;
  if (command.kind == CommandKind::kNewOrder) return RestFast<Limits::kNone>(command, events);
  if (command.kind == CommandKind::kCancel) return CancelFast(command, events);
  if (command.kind == CommandKind::kAmend) return MoveFast(command, events);
  events.Begin(command.sequence);
  ApplyAny(command, events);
}

// The same if an account has limits. Passes on to the slow path unless the exchange is active and
// no order expires.
ENGINE_OUT_OF_LINE void Exchange::ApplyWithLimits(const Command& command, EventBuffer& events) {
  if (command.sequence != last_applied_.Next() || command.timestamp < now_ ||
      command.timestamp >= active_until_) [[unlikely]] {
    return ApplySlowPath(command, events);
  }
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  if (command.kind == CommandKind::kNewOrder) return RestFast<Limits::kSome>(command, events);
  if (command.kind == CommandKind::kCancel) return CancelFast(command, events);
  if (command.kind == CommandKind::kAmend) return MoveFast(command, events);
  events.Begin(command.sequence);
  ApplyAny(command, events);
}

template <Exchange::Limits limits>
ENGINE_OUT_OF_LINE void Exchange::RestFast(const Command& command, EventBuffer& events) {
  Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr || !HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled)) {
    return OrdinaryNewOrder(command, events);
  }
  const uint64_t price = market->prices.IndexOf(command.price.units());
  if (price >= market->ordinary_prices) {
    // A price that is open but not ordinary is one of a market with money.
    if constexpr (limits == Limits::kNone) {
      return RestWithMoney(command, events, price, *market);
    } else {
      return OrdinaryNewOrder(command, events);
    }
  }
  if (!market->Allows(command.quantity)) return OrdinaryNewOrder(command, events);
  const int64_t rank = RankOf(command.side, price);
  // If its own side has a level at this price, the order does not cross (E2).
  const Slot level = market->book.LevelAt(command.side, rank);
  if constexpr (limits == Limits::kSome) {
    if (level == Slot()) return OrdinaryNewOrder(command, events);
    RestIfGranted(command, events, level, *market);
  } else {
    if (level == Slot()) return RestOnNewLevel(command, *market, rank, events);
    if (!IsReadyFor(command, events)) [[unlikely]]
      return RestAnywhere(command, *market, rank, events);
    PlaceOnLevel(command, events, level);
  }
}

// The order's level is new or not near, or the order crosses.
ENGINE_OUT_OF_LINE void Exchange::RestOnNewLevel(const Command& command, Market& market,
                                                 int64_t rank, EventBuffer& events) {
  if (market.book.Crosses(command.side, LimitOf(rank))) {
    return Take(command, market, LimitOf(rank), events);
  }
  BeginLevelAndRest(command, market, rank, events);
}

// A separate function, because it needs more registers.
ENGINE_OUT_OF_LINE void Exchange::BeginLevelAndRest(const Command& command, Market& market,
                                                    int64_t rank, EventBuffer& events) {
  if (!IsReadyFor(command, events) || !storage_.has_free_level() ||
      !market.book.IsNear(command.side, rank)) [[unlikely]] {
    return RestAnywhere(command, market, rank, events);
  }
  const Slot level = storage_.TakeFreeLevel();
  market.book.BeginLevel(storage_.memory(), level, command.side, rank);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  PlaceOnLevel(command, events, level);
}

ENGINE_ALWAYS_INLINE void Exchange::CancelFast(const Command& command, EventBuffer& events) {
  Slot& place = index_.PlaceOf(command.order_id);
  const Slot slot = place;
  OrderSlot& order = storage_.order(slot);
  if (order.id != command.order_id) return RefuseIfNotLive(command, events);
  if (OwnerOf(order) != OwnerOf(command)) return OrdinaryCancel(command, events);
  if (order.marks.any()) return LeaveWithMoney(command, events, order, place);
  if (!events.has_room() || OrderBook::IsAlone(order)) return Leave(command, events, place);
  LeaveOthers(events, order, place);
}

// An amend that moves an order from one level to another, both with other orders, or lowers it in
// place: as MoveIf, but in two steps, each of which needs fewer registers.
ENGINE_OUT_OF_LINE void Exchange::MoveFast(const Command& command, EventBuffer& events) {
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

// Applies an amend that lowers the order's quantity: the order keeps its place.
ENGINE_OUT_OF_LINE void Exchange::StayWithLess(const Command& command, EventBuffer& events,
                                               Slot slot, const Market& market) {
  OrderSlot& order = storage_.order(slot);
  if (!market.is_ordinary() || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled || !events.has_room()) {
    return OrdinaryAmend(command, events);
  }
  LowerInPlace(command, events, order);
}

// Moves the order to the end of `level`. REQUIRES: it is not alone on its level; `events` has room.
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

// The order that the command names is not live: it has just traded, or it is cancelled twice. In a
// fast market most cancels end here.
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

}  // namespace engine
