// An exchange at a moment of a log, and what changed between two moments.
//
//   @from ─────────────────────── records ─────────────────────► @to
//   orders, money                 trades, why orders left        orders, money
//
// An order has entered if it rests at @to but not at @from, and has left if it rests at @from but
// not at @to. Orders that entered and left in between are only counted.

#ifndef REPLAY_COMPARE_MOMENTS_H_
#define REPLAY_COMPARE_MOMENTS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "journal/reader.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"

namespace replay {

// Regular value types, from here on.

// What an account has, by the exchange: reserved money changes without an event.
struct AccountMoney {
  bool is_open = false;  // Orders of accounts that were never opened may rest too.
  engine::Money balance;
  engine::Money reserved;
  std::map<engine::MarketId, int64_t> positions;  // YES contracts; never zero.

  engine::Money available() const { return balance - reserved; }

  friend bool operator==(const AccountMoney&, const AccountMoney&) = default;
};

template <typename Value>
struct Change {
  Value before;
  Value after;
};

struct LevelSize {
  engine::Quantity quantity;
  uint64_t orders = 0;  // Zero: there is no such level.

  friend bool operator==(const LevelSize&, const LevelSize&) = default;
};

struct LevelChange {
  engine::Side side = {};
  engine::Price price;
  Change<LevelSize> size;
};

struct LeftOrder {
  engine::RestingOrder order;             // As of @from.
  engine::OrderHistory::Status how = {};  // Filled, cancelled or replaced.
};

struct MarketChange {
  std::vector<LevelChange> levels;  // Asks, then bids; the highest price first.
  std::vector<engine::RestingOrder> entered;
  std::vector<LeftOrder> left;
  std::vector<Change<engine::RestingOrder>> amended;  // In remaining quantity, price or priority.
  uint64_t came_and_went = 0;
  uint64_t trades = 0;
  engine::Quantity volume;
};

struct MomentsDiff {
  uint64_t rejected = 0;
  // Only those that changed.
  std::map<engine::MarketId, MarketChange> markets;
  std::map<engine::AccountId, Change<AccountMoney>> accounts;
};

// Applies the records up to `to` to the machine of `start`, and calls `passed` with each. REQUIRES:
// `start` is at or before `from`; its machine is one of replay/engines.h. Errors: the reader's.
absl::StatusOr<MomentsDiff> CompareMoments(StartingPoint& start, journal::Reader& reader,
                                           engine::SequenceNumber from, engine::SequenceNumber to,
                                           absl::FunctionRef<void(engine::SequenceNumber)> passed);

// Adds the orders that rest, in one market or in all, to `depth`, as if they had just been
// accepted. Adds nothing if the machine is no exchange.
void SeedDepth(const Machine& machine, engine::MarketId market, engine::DepthView& depth);
void SeedDepth(const Machine& machine, engine::DepthView& depth);

// REQUIRES: the machine is one of replay/engines.h. BalanceOf() leaves out the positions, and takes
// the same time in any number of markets.
AccountMoney BalanceOf(const Machine& machine, engine::AccountId account);
AccountMoney MoneyOf(const Machine& machine, engine::AccountId account);

}  // namespace replay

#endif  // REPLAY_COMPARE_MOMENTS_H_
