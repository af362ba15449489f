// The commands that most commands are: an order without special terms for an open equity market,
// its cancel, its amend. A few comparisons tell them; whatever fails one, and whatever is to be
// refused, is asked question by question elsewhere (exchange_orders.cc).

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

// Valid side, no flags, no group; a limit order good till cancelled, or a limit or market order
// that is immediate or cancel: compared as one word, that of kind, side, type, time in force, flags
// and group.
bool HasOrdinaryTerms(const Command& command) {
  constexpr auto kWordOfTerms = [](OrderType type, TimeInForce tif) {
    return uint64_t{static_cast<uint16_t>(CommandKind::kNewOrder)} |
           uint64_t{static_cast<uint8_t>(type)} << 24 | uint64_t{static_cast<uint8_t>(tif)} << 32;
  };
  static_assert(offsetof(Command, kind) == 56 && offsetof(Command, side) == 58 &&
                offsetof(Command, type) == 59 && offsetof(Command, tif) == 60);
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&command) + offsetof(Command, kind),
              sizeof(word));
  const uint64_t terms = word & ~(uint64_t{0xff} << 16);
  if (!IsValid(command.side)) return false;
  if (terms == kWordOfTerms(OrderType::kLimit, TimeInForce::kGoodTillCancelled)) return true;
  return terms == kWordOfTerms(OrderType::kLimit, TimeInForce::kImmediateOrCancel) ||
         (terms == kWordOfTerms(OrderType::kMarket, TimeInForce::kImmediateOrCancel) &&
          command.price == Price());
}

}  // namespace

bool Exchange::ApplyOrdinary(const Command& command, EventBuffer& events) {
  if (!is_ordinary_) return false;
  if (command.kind == CommandKind::kNewOrder) return OrdinaryNewOrder(command, events);
  if (command.kind == CommandKind::kCancel) return OrdinaryCancel(command, events);
  return command.kind == CommandKind::kAmend && OrdinaryAmend(command, events);
}

inline bool Exchange::OrdinaryNewOrder(const Command& command, EventBuffer& events) {
  Market* const market = markets_.Find(command.market);
  if (market == nullptr || !market->is_ordinary || !HasOrdinaryTerms(command)) return false;
  const uint64_t price = market->prices.IndexOf(command.price.units());
  const bool is_limit = command.type == OrderType::kLimit;
  if ((price >= market->prices.size() && is_limit) ||
      !market->quantities.Has(static_cast<int64_t>(command.quantity.units()))) {
    return false;
  }

  const Slot slot = storage_.NewOrder();
  OrderSlot& order = storage_.order(slot);
  order.level = Slot();
  order.account = command.account;
  order.quantity_remaining = command.quantity;
  order.quantity_filled = Quantity();
  order.id = OrderIdOf(command.sequence);
  order.priority = command.sequence;
  order.price = command.price;
  order.market = command.market;
  order.side = command.side;
  order.tif = command.tif;
  order.flags = OrderFlags();
  order.marks = OrderMarks();
  AppendAbout(events, EventKind::kAccepted, order).quantity = command.quantity;
  const int64_t rank = RankOf(command.side, price);
  Enter<true>(*market,
              {.slot = slot,
               .rank = rank,
               .limit = is_limit ? LimitOf(rank) : kAnyRank,
               .may_trade = command.quantity,
               .tif = command.tif},
              events);
  return true;
}

inline bool Exchange::OrdinaryCancel(const Command& command, EventBuffer& events) {
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return false;
  const OrderSlot& order = storage_.order(slot);
  if (order.market != command.market || order.account != command.account) return false;
  AppendCancelled(events, order, CancelReason::kRequested);
  Remove(*markets_.Find(command.market), slot);
  return true;
}

inline bool Exchange::OrdinaryAmend(const Command& command, EventBuffer& events) {
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return false;
  const OrderSlot& order = storage_.order(slot);
  if (order.market != command.market || order.account != command.account) return false;
  Market& market = *markets_.Find(command.market);
  const uint64_t price = market.prices.IndexOf(command.price.units());
  const bool loses_priority =
      command.price != order.price || command.quantity >= order.quantity_total();
  if (!market.is_ordinary || order.tif != TimeInForce::kGoodTillCancelled ||
      order.flags != OrderFlags() || order.marks.has(OrderMarks::kExtras) ||
      price >= market.prices.size() ||
      !market.quantities.Has(static_cast<int64_t>(command.quantity.units())) ||
      command.quantity <= order.quantity_filled || !loses_priority) {
    return false;
  }
  const int64_t rank = RankOf(order.side, price);
  Arrival arrival{.slot = slot,
                  .rank = rank,
                  .limit = LimitOf(rank),
                  .may_trade = command.quantity - order.quantity_filled};
  AmendTo<true>(market, command, arrival, events);
  return true;
}

void Exchange::PrefetchIdentity(const Command& command) const {
  if (command.kind != CommandKind::kNewOrder) return index_.Prefetch(command.order_id);
  const Market* const market = markets_.Find(command.market);
  if (market == nullptr || !IsValid(command.side)) return;
  market->book.Prefetch(command.side, market->RankAt(command.side, command.price));
}

void Exchange::PrefetchOrder(const Command& command) const {
  if (command.kind == CommandKind::kNewOrder) return;
  storage_.Prefetch(index_.Find(command.order_id));
}

}  // namespace engine
