// The state of an exchange: all that its commands read and change.
//
//   order ids ─► OrderIndex ─► slot ─► BookStorage ◄─ OrderBook, one per market ◄─ MarketTable
//   accounts  ─► Ledger (money, positions) · RiskControl, PositionLimits · OrderGroups
//             ─► AccountOrders (their live orders)
//   times     ─► ExpiryQueue
//
// Rules are functions on this state, in files named for what they decide: the commands in
// {order,market,account}_commands, a taker's trades in matching, their money in settlement, what
// else an order is registered with in live_orders. fast_path/ applies common commands faster.

#ifndef ENGINE_CORE_VENUE_STATE_H_
#define ENGINE_CORE_VENUE_STATE_H_

#include <utility>

#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/book_storage.h"
#include "engine/book/order_index.h"
#include "engine/book/order_slot.h"
#include "engine/core/account_digest.h"
#include "engine/core/account_orders.h"
#include "engine/core/expiry_queue.h"
#include "engine/core/ledger.h"
#include "engine/core/market.h"
#include "engine/core/market_table.h"
#include "engine/core/order_groups.h"
#include "engine/core/order_sum.h"
#include "engine/core/position_limits.h"
#include "engine/core/risk_control.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/state/state_digest.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/side.h"

namespace engine {

// Orders that few markets have, found by market, in the order of their ids.
using OrdersByMarket = absl::btree_set<std::pair<MarketId, OrderId>>;

// Owned by the exchange. Not thread-safe.
struct VenueState {
  SequenceNumber last_applied;
  Timestamp now;

  // What the fast path may assume; see UpdateFastPathTimes. Before the first time the exchange is
  // active and no order expires; before the second, no account is restricted either.
  Timestamp active_until = Timestamp::Max();
  Timestamp unlimited_until = Timestamp::Max();
  ExchangeState state = ExchangeState::kActive;
  FeeSchedule default_fees;

  OrderIndex index;
  mutable BookStorage storage;  // StateDigest marks the orders that it sums.
  MarketTable markets;
  MarketDirectory directory;  // Also the order in which markets are visited.
  mutable OrderSum order_sum;
  DigestSum market_sum;  // Of the markets' definitions and statuses.

  Ledger ledger;
  RiskControl risk;
  PositionLimits position_limits;
  mutable OrderGroups groups;  // StateDigest drops the fills that have left their windows.
  ExpiryQueue expiries;
  OrdersByMarket cancel_on_pause;  // The orders with that flag.
  OrdersByMarket day_orders;

  // See VisitOrdersOf.
  AccountOrders account_orders{index};
  bool files_orders = false;
  OrderId first_unfiled;

  mutable AccountDigest account_digest;

  OrderSlot& order(Slot slot) const { return storage.order(slot); }

  ExchangeStatus status() const {
    return {.state = state,
            .default_fees = default_fees,
            .held = ledger.held(),
            .fees_collected = ledger.fees_collected()};
  }

  // Visits the orders of one side of a market in priority order; none for an unknown market.
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const {
    const Market* const found = markets.Find(market);
    if (found == nullptr) return;
    found->book.VisitOrders(side, [&](Slot slot) { visit(storage.ValueOf(slot)); });
  }

  // Call it when `state`, the first expiry or whether an account is restricted has changed.
  void UpdateFastPathTimes() {
    active_until = state == ExchangeState::kActive ? expiries.first() : Timestamp::Min();
    unlimited_until = risk.restricts_any() ? Timestamp::Min() : active_until;
  }
};

}  // namespace engine

#endif  // ENGINE_CORE_VENUE_STATE_H_
