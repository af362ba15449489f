// The fast path for accounts with limits: orders that count for the limits and are plainly within
// them. All others continue in exchange_ordinary.cc, which checks each limit.

#include <atomic>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_fast_path.h"
#include "engine/core/ordinary_words.h"

namespace engine {

// The order joins `level`, if its account's limits plainly allow it. A separate function, because
// it needs more registers.
ENGINE_OUT_OF_LINE void Exchange::RestIfGranted(const Command& command, EventBuffer& events,
                                                Slot level, const Market& market) {
  if (!IsReadyFor(command, events) ||
      !risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/false)) {
    return OrdinaryNewOrder(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  PlaceOnLevel<OrderMarks::kCounted>(command, events, level);
}

// Cancels an order that counts for its account's limits and has no other marks.
ENGINE_OUT_OF_LINE void Exchange::LeaveCounted(const Command& command, EventBuffer& events,
                                               OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kCounted) || !risk_.CountCancelFast(order.account)) {
    return OrdinaryCancel(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  if (!events.has_room() || OrderBook::IsAlone(order)) return Leave(command, events, place);
  LeaveOthers(events, order, place);
}

// As MoveFast, for an order that counts for its account's limits, if they plainly allow the amend.
ENGINE_OUT_OF_LINE void Exchange::MoveIfGranted(const Command& command, EventBuffer& events,
                                                Slot slot, const Market& market) {
  if (!IsPlain(storage_.order(slot), OrderMarks::kCounted)) return OrdinaryAmend(command, events);
  MoveIf(command, events, slot, market, market.ordinary_prices, [&] {
    return risk_.GrantIfPlainlyWithin(command, market.micros, /*rests_already=*/true);
  });
}

}  // namespace engine
