// Where a live order is registered besides its book, and how it leaves: the index, the digest's
// sum, its account's open orders, its group, the expiries, the money reserved for it.
//
// An order's marks (order_slot.h) name what it has of these; most orders have none.

#ifndef ENGINE_CORE_LIVE_ORDERS_H_
#define ENGINE_CORE_LIVE_ORDERS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "engine/base/inline.h"
#include "engine/base/timestamp.h"
#include "engine/book/order_slot.h"
#include "engine/core/venue_state.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"

namespace engine {

// Visits all live orders, the oldest first.
void VisitLiveOrders(const VenueState& venue, absl::FunctionRef<void(Slot)> visit);

// Copies `order` to a new slot, in which it will rest if it does.
Slot StoreOrder(VenueState& venue, const RestingOrder& order);

// Registers a resting order with the risk counts, its group and the expiries, and marks it.
void Register(VenueState& venue, const Market& market, Slot slot);
// The opposite, for an order with marks that leaves.
void UndoRegister(VenueState& venue, Slot slot);

// Files the orders that have rested since the last call with their accounts, once VisitOrdersOf has
// been called.
void FileOrders(VenueState& venue);

// Makes the order in `slot` known by its id. REQUIRES: it is that of the command being applied.
ENGINE_ALWAYS_INLINE void AddToIndex(VenueState& venue, OrderId id, Slot slot) {
  if (!venue.index.HasRoomFor(id)) [[unlikely]]
    FileOrders(venue);
  venue.index.Insert(id, slot);
}

// Visits the live orders of one account, not zero, the oldest first. The first call after an order
// has rested files the orders of all accounts, which takes time in proportion to them; from then on
// they are filed some at a time, and a call takes time in proportion to the account's own.
void VisitOrdersOf(VenueState& venue, AccountId account, absl::FunctionRef<void(Slot)> visit);

// Ends `slot` in the index and wherever it is registered. The book, the reserved money and the
// slot itself are the caller's.
ENGINE_ALWAYS_INLINE void Unregister(VenueState& venue, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  if (order.marks.any()) [[unlikely]]
    UndoRegister(venue, slot);
  venue.index.Erase(order.id);
}

// Subtracts the order from the digest's sum, as it was before it traded `traded`. REQUIRES: it is
// in the sum.
void SubtractFromSum(VenueState& venue, Slot slot, Quantity traded);

// Takes the order out of the digest's sum. Call it before the order changes or leaves.
ENGINE_ALWAYS_INLINE void TakeFromSum(VenueState& venue, Slot slot) {
  if (venue.order(slot).marks.has(OrderMarks::kSummed)) {
    SubtractFromSum(venue, slot, Quantity());
  }
}

// What rounding owes the order.
Money CreditOf(const VenueState& venue, Slot slot);
void SetCredit(VenueState& venue, Slot slot, Money credit);

// Gives the resting order another expiry time; of zero, none. REQUIRES: it is good till a time or
// till it is cancelled.
void SetExpiry(VenueState& venue, Slot slot, Timestamp expires_at);

// What `resting` requires when `quantity` of it remains; pairs are not subtracted.
Money Requirement(const VenueState& venue, const Market& market, Slot resting, Quantity quantity);

// Reserves what the resting order requires, and releases it. REQUIRES: its market has money.
void ReserveMoney(VenueState& venue, const Market& market, Slot slot);
void ReleaseMoney(VenueState& venue, Slot slot);
// The money and the position limit of a resting order whose quantity is set, and the opposite
// before it changes or leaves. REQUIRES: the order is registered.
inline constexpr uint8_t kReservingMarks = OrderMarks::kMoney | OrderMarks::kPositionLimited;
void ReserveMarked(VenueState& venue, const Market& market, Slot slot);
void ReleaseMarked(VenueState& venue, Slot slot);
inline void Reserve(VenueState& venue, const Market& market, Slot slot) {
  if (venue.order(slot).marks.has(kReservingMarks)) ReserveMarked(venue, market, slot);
}
inline void Release(VenueState& venue, Slot slot) {
  if (venue.order(slot).marks.has(kReservingMarks)) ReleaseMarked(venue, slot);
}

// A resting order traded: brings the digest's sum and the position limit up to date. REQUIRES: its
// quantities include the trade.
inline constexpr uint8_t kFillMarks = OrderMarks::kSummed | OrderMarks::kPositionLimited;
void CountMarkedFill(VenueState& venue, Slot slot, Quantity traded);

// The position that a limit of the account counts there: its contracts, or what it has traded.
int64_t LimitedPosition(const VenueState& venue, AccountId account, const Market& market);

// Takes the order out of the book, releases its money and frees its slot.
void RemoveOrder(VenueState& venue, Market& market, Slot slot);

// Emits that the order is cancelled, and removes it. REQUIRES: the order rests.
void CancelById(VenueState& venue, OrderId id, CancelReason reason, EventBuffer& events);

// Live orders by what they have in common. A field that is zero allows any order.
struct OrderSelection {
  AccountId account = {};
  MarketId market = {};
  GroupId group = {};
  Side side = {};
};
// Cancels the selected orders, in the order of their ids. Returns how many. Visits the orders of
// the group, the account or the market, whichever is the first that is given.
uint64_t CancelSelected(VenueState& venue, const OrderSelection& selection, CancelReason reason,
                        EventBuffer& events);

// Cancels the orders of `market` that are among `orders`, in the order of their ids.
void CancelAmong(VenueState& venue, const OrdersByMarket& orders, MarketId market,
                 CancelReason reason, EventBuffer& events);

// Cancels the orders whose time has come.
void ExpireOrders(VenueState& venue, EventBuffer& events);

// Counts a fill of the order for its group, if it has one.
void CountGroupFill(VenueState& venue, Slot slot, Quantity traded);

// Reports that a group has tripped and cancels its orders.
void EndTripped(VenueState& venue, const OrderGroups::Trip& trip, EventBuffer& events);

// Trips the groups that reached their limits and cancels their orders.
void TripGroups(VenueState& venue, EventBuffer& events);

}  // namespace engine

#endif  // ENGINE_CORE_LIVE_ORDERS_H_
