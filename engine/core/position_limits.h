// What accounts may hold in markets, and what counts against it.
//
//   account, market ─► limit
//                  ├─► quantity of its resting bids, of its resting asks
//                  └─► traded: bought less sold, in a market without money (else the ledger knows)
//
// A bid is within the limit if position + resting bids + bid <= limit, an ask if
// resting asks + ask − position <= limit. Few accounts have one: nothing is kept for the others,
// and an order that counts has the mark kPositionLimited. The rule is in engine/RULES.md, 10.

#ifndef ENGINE_CORE_POSITION_LIMITS_H_
#define ENGINE_CORE_POSITION_LIMITS_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "engine/base/digest.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class PositionLimits {
 public:
  struct Limited {
    Quantity limit;      // Not zero.
    int64_t traded = 0;  // Bought less sold since the limit was set; zero where there is money.

    // The remaining quantity of the account's resting orders of `side` in the market.
    Quantity open(Side side) const { return open_[side == Side::kBid ? 0 : 1]; }

    // Whether `position` stays within the limit if all open orders of `side` trade, `more` of
    // quantity on that side included, and none of the other side.
    bool Allows(int64_t position, Side side, Quantity more) const;

   private:
    friend class PositionLimits;
    std::array<Quantity, 2> open_ = {};
    mutable Digest in_sum_;           // What Sum() has added for it.
    mutable bool is_changed_ = true;  // Sum() will add it again.
  };

  // Whether any account has a limit.
  bool any() const { return !limits_.empty(); }
  // Null if the account has no limit there. Valid until a limit is set.
  const Limited* Find(AccountId account, MarketId market) const;
  // Whether the account has a limit in any market.
  bool HasAny(AccountId account) const;

  // Sets a limit; a limit that exists keeps its counts. REQUIRES: the limit is 1 to
  // kPositionLimitMax. Remove forgets the counts; it does nothing if there is no limit.
  void Set(AccountId account, MarketId market, Quantity limit);
  void Remove(AccountId account, MarketId market);

  // Restores a limit of a snapshot, without open orders. REQUIRES: there is none.
  void Restore(const PositionLimitStatus& status);

  // All of these REQUIRE a limit. An order of `side` now rests with `quantity`, or no longer does.
  void AddOpen(AccountId account, MarketId market, Side side, Quantity quantity);
  void RemoveOpen(AccountId account, MarketId market, Side side, Quantity quantity);
  // The account bought or sold in a market without money.
  void CountTraded(AccountId account, MarketId market, Side side, Quantity quantity);

  // Visits all limits, by account, then market.
  void Visit(absl::FunctionRef<void(const PositionLimitStatus&, const Limited&)> visit) const;

  // The sum of their digests. Takes time in proportion to the limits that changed since the last
  // call.
  const Digest& Sum() const;

 private:
  using Key = std::pair<AccountId, MarketId>;

  static PositionLimitStatus StatusOf(const Key& key, const Limited& limited);
  Limited& At(AccountId account, MarketId market);
  void MarkChanged(const Key& key, const Limited& limited) const;

  absl::btree_map<Key, Limited> limits_;
  mutable DigestSum sum_;
  mutable std::vector<Key> changed_;
};

}  // namespace engine

#endif  // ENGINE_CORE_POSITION_LIMITS_H_
