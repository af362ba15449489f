// What accounts, positions and groups have in the state digest, kept up to date: a walk over what
// changed since it was asked last instead of over everything.
//
//   Ledger ──────┐ TakeChanges    ┌ minus what was counted of it
//   RiskControl ─┼──────────────► ┤                              ─► sum
//   OrderGroups ─┘                └ plus what it is now
//
// Between two digests, 4,096 commands apart, at most that many accounts change of perhaps 10^5.
// Whether an entity is in the sum, and how, is state_digest's to say (engine/DESIGN.md, Digests).

#ifndef ENGINE_CORE_ACCOUNT_DIGEST_H_
#define ENGINE_CORE_ACCOUNT_DIGEST_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/core/account_index.h"
#include "engine/core/ledger.h"
#include "engine/core/order_groups.h"
#include "engine/core/risk_control.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange, for always the same three, of which it is the only one
// that takes the changes. Remembers 20 bytes an account and some 40 a position, from the first
// Update on.
class AccountDigest {
 public:
  // The sum of DigestSum over all accounts, positions, groups and fills of groups as they are now.
  // `now` is the time of the last command.
  const Digest& Update(const Ledger& ledger, const RiskControl& risk, const OrderGroups& groups,
                       Timestamp now);

 private:
  void UpdateAccount(AccountId id, const Ledger& ledger, const RiskControl& risk);
  void UpdatePosition(AccountId account, MarketId market, int64_t position);
  void UpdateGroup(const OrderGroups::Key& key, const OrderGroups::Group& group, Timestamp now);
  void Replace(Digest& counted, const Digest& digest);

  DigestSum sum_;

  // What is in the sum at present. For look-ups only.
  AccountIndex index_;
  std::vector<Digest> accounts_;
  absl::flat_hash_map<std::pair<AccountId, MarketId>, int64_t> positions_;
  absl::flat_hash_map<OrderGroups::Key, Digest> groups_;
};

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_DIGEST_H_
