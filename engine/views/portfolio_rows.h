// What an account's portfolio consists of: orders, fills, positions, settlements, groups, cash.
//
// Quantities and prices are counts of the market's units, positions of YES contracts, below zero of
// NO contracts. What a fill costs is what its side pays: quantity × price for a bid, quantity × (1
// dollar − price) for an ask. Money is of binary markets; in equity markets it is zero.

#ifndef ENGINE_VIEWS_PORTFOLIO_ROWS_H_
#define ENGINE_VIEWS_PORTFOLIO_ROWS_H_

#include <cstdint>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

enum class OrderStatus : uint8_t {
  kLive = 1,
  kFilled = 2,
  kCancelled = 3,
  kReplaced = 4,  // By the order `replaced_by`.
};

// What changed an order last.
enum class OrderUpdate : uint8_t {
  kEntered = 1,
  kTraded = 2,
  kReduced = 3,  // And lives on.
  kAmended = 4,
  kCancelled = 5,  // For the reason of its own.
  kReplaced = 6,
};

// Regular value types, from here on.
struct PortfolioOrder {
  OrderId id;
  OrderId replaced_by;  // Zero unless it was replaced.
  OrderId replaces;     // The order that it replaced; zero for others.
  ClientOrderId client_order_id;
  Price price;       // Its limit, of a market order zero.
  Quantity initial;  // Of an amended order the amended total, the filled part included.
  Quantity filled;
  Quantity remaining;  // Zero once it has ended.
  Money taker_cost;    // Of the fills in which it was the taker.
  Money maker_cost;
  Money taker_fees;
  Money maker_fees;
  Timestamp created_at;
  Timestamp updated_at;
  Timestamp expires_at;  // Timestamp() unless it is good till a time.
  AccountId account;
  MarketId market;
  GroupId group;
  OrderFlags flags;  // Its self-trade prevention among them.
  Side side = {};
  OrderType type = {};
  TimeInForce tif = {};
  OrderStatus status = {};
  CancelReason cancel_reason = {};  // kNone unless it was cancelled.
  OrderUpdate last_update = {};

  friend bool operator==(const PortfolioOrder&, const PortfolioOrder&) = default;
};

// An account's part of a trade.
struct PortfolioFill {
  SequenceNumber sequence;  // With `index`, what identifies the trade: those of its event.
  uint32_t index = 0;
  AccountId account;
  OrderId order;
  MarketId market;
  Side side = {};
  bool is_taker = false;
  Price price;
  Quantity quantity;
  Money fee;
  Timestamp time;
  int64_t position_after = 0;

  friend bool operator==(const PortfolioFill&, const PortfolioFill&) = default;
};

// What an account has and had in a market, and how many orders it has there.
//
// The position is kept at the average cost of its contracts. A fill that closes contracts realises
// what their pairs pay, less the cost of both legs; the settlement realises what it pays, less the
// cost. Fees are apart. So for each account, to the micro-dollar:
//
//   balance = deposits − withdrawals + the sum over markets of realised_pnl − cost_basis − fees
struct PortfolioPosition {
  AccountId account;
  MarketId market;
  int64_t position = 0;
  Money cost_basis;    // What the open position has cost, without fees.
  Money realised_pnl;  // Without fees.
  Money fees;          // Of its fills and of the settlement.
  Money open_fees;     // Of them those of the open position, which leave it as its cost does.
  Money traded;        // The cost of all fills, of those that open and of those that close.
  Quantity volume;     // Of all fills.
  uint64_t open_orders = 0;
  Timestamp updated_at;  // Of its position or its orders.
  bool is_settled = false;

  friend bool operator==(const PortfolioPosition&, const PortfolioPosition&) = default;
};

// A position that was settled.
struct PortfolioSettlement {
  AccountId account;
  MarketId market;
  Price value;           // Of one YES contract.
  int64_t position = 0;  // Before it.
  Money cost;            // Of that position.
  Money revenue;         // What it was paid, before the fee.
  Money fee;             // Of the settlement: what rounding took.
  Money fees;            // Of the market in all, with `fee`.
  Timestamp time;

  // Of each leg; one of the two is zero.
  Quantity yes_quantity() const {
    return Quantity::FromUnits(static_cast<uint64_t>(position > 0 ? position : 0));
  }
  Quantity no_quantity() const {
    return Quantity::FromUnits(static_cast<uint64_t>(position < 0 ? -position : 0));
  }
  Money yes_cost() const { return position > 0 ? cost : Money(); }
  Money no_cost() const { return position < 0 ? cost : Money(); }

  friend bool operator==(const PortfolioSettlement&, const PortfolioSettlement&) = default;
};

struct PortfolioGroup {
  GroupId id;
  Quantity limit;
  int64_t window_nanos = 0;
  bool is_tripped = false;
  Timestamp defined_at;  // The first time.
  Timestamp updated_at;  // When it was defined again, tripped or reset.

  friend bool operator==(const PortfolioGroup&, const PortfolioGroup&) = default;
};

struct PortfolioCash {
  Money balance;
  Money reserved;  // As of the last event about the account's money.
  Timestamp updated_at;

  friend bool operator==(const PortfolioCash&, const PortfolioCash&) = default;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_PORTFOLIO_ROWS_H_
