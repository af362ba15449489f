// The digest of the exchange's logical state: the same for every engine in the same state, in any
// representation. Specified, byte for byte, in engine/DESIGN.md, section Digests.
//
//   order ────► digest ─┐
//   market ───► digest ─┼─► sum modulo 2^128 ─┐
//   account, ─► digest ─┘                     ├─► digest of the state
//   position…      sequence, time, counts ────┘
//
// It is a sum over a set, so an engine may update it entity by entity instead of visiting them all.
// The Add functions decide whether an entity is in the sum ("counts"): only if it differs from what
// it was before any command concerned it.

#ifndef ENGINE_STATE_STATE_DIGEST_H_
#define ENGINE_STATE_STATE_DIGEST_H_

#include <cstdint>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/resting_order.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"

namespace engine {

// A regular value type.
struct StateSummary {
  SequenceNumber last_applied;
  Timestamp now;
  uint64_t market_count = 0;
  uint64_t live_order_count = 0;
  Digest sum;  // DigestSum over all live orders, all markets, and what the functions below add.
};

Digest DigestOfOrder(const RestingOrder& order);
Digest DigestOfMarket(const MarketDefinition& definition);
Digest DigestOfState(const StateSummary& state);

// The state of a market. Counts unless it is open and its fees are FeeSchedule().
struct MarketStatus {
  MarketId market = {};
  MarketState state = MarketState::kOpen;
  Price settlement_value = {};  // Zero before it is determined.
  FeeSchedule fees = {};
};
void AddMarketStatus(const MarketStatus& status, DigestSum& sum);
void SubtractMarketStatus(const MarketStatus& status, DigestSum& sum);

// Counts if it is open or its limits differ from RiskLimits(); its standing counts if it is not
// active. rate_second and rate_count: the last second (of log time, rounded down) with commands
// that the rate limit counts, and how many. Both are zero until a command counts after the limits
// were set, and without a rate limit.
struct AccountStatus {
  AccountId account = {};
  bool is_open = false;
  Money balance = {};
  RiskLimits limits = {};
  int64_t rate_second = 0;
  uint64_t rate_count = 0;
  AccountStanding standing = AccountStanding::kActive;
};
void AddAccountStatus(const AccountStatus& status, DigestSum& sum);

// Counts if it is not zero.
void AddPosition(AccountId account, MarketId market, int64_t position, DigestSum& sum);

// An account's position limit in a market. Counts if the limit is not zero. `traded`: what the
// account has bought there less what it has sold, since it has a limit; zero in a market with
// money, whose positions count on their own.
struct PositionLimitStatus {
  AccountId account = {};
  MarketId market = {};
  Quantity limit = {};
  int64_t traded = 0;
};
void AddPositionLimit(const PositionLimitStatus& status, DigestSum& sum);

// Counts once it is defined.
struct GroupStatus {
  AccountId account = {};
  GroupId group = {};
  Quantity limit = {};
  int64_t window_nanos = 0;
  bool is_tripped = false;
};
void AddGroupStatus(const GroupStatus& status, DigestSum& sum);

// What the orders of a group traded at one time that is still within the group's window at the time
// of the last command; a trade between two orders of the group counts twice.
void AddGroupFill(AccountId account, GroupId group, Timestamp time, Quantity quantity,
                  DigestSum& sum);

// Counts where it differs from ExchangeStatus(): state, default fees and totals each on their own.
struct ExchangeStatus {
  ExchangeState state = ExchangeState::kActive;
  FeeSchedule default_fees = {};
  Money held = {};  // Deposits less withdrawals; counts together with fees_collected.
  Money fees_collected = {};
};
void AddExchangeStatus(const ExchangeStatus& status, DigestSum& sum);

}  // namespace engine

#endif  // ENGINE_STATE_STATE_DIGEST_H_
