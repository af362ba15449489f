// What is done at once for accounts with limits: orders that count for them, and that plainly keep
// them. The rest goes on in exchange_ordinary.cc, which asks each limit.

#include <atomic>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_fast_path.h"
#include "engine/core/ordinary_words.h"

namespace engine {

// A step of its own, as PayAndRest.
ENGINE_OUT_OF_LINE void Exchange::RestIfGranted(const Command& command, EventBuffer& events,
                                                Slot level, const Market& market) {
  if (!IsReadyFor(command, events) ||
      !risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/false)) {
    return OrdinaryNewOrder(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  PlaceOnLevel<OrderMarks::kCounted>(command, events, level);
}

// The cancel of an order that counts for its account's limits, and of which nothing else is to be
// known.
ENGINE_OUT_OF_LINE void Exchange::LeaveCounted(const Command& command, EventBuffer& events,
                                               OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kCounted) || !risk_.CountCancelFast(order.account)) {
    return OrdinaryCancel(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  if (!events.has_room() || OrderBook::IsAlone(order)) return Leave(command, events, place);
  LeaveOthers(events, order, place);
}

// As MoveFast, of an order that counts for its account's limits, if these allow it.
ENGINE_OUT_OF_LINE void Exchange::MoveIfGranted(const Command& command, EventBuffer& events,
                                                Slot slot, const Market& market) {
  if (!IsPlain(storage_.order(slot), OrderMarks::kCounted)) return OrdinaryAmend(command, events);
  MoveIf(command, events, slot, market, market.ordinary_prices, [&] {
    return risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/true);
  });
}

}  // namespace engine
