// The part of accounts, positions and groups in the state digest, kept up to date: an update visits
// what changed since the last one instead of everything.
//
//   Ledger ──────┐ TakeChanges    ┌ minus its digest in the sum
//   RiskControl ─┼──────────────► ┤                             ─► sum
//   OrderGroups ─┘                └ plus its digest now
//
// Between two digests, 4,096 commands apart, few accounts change, of perhaps 10^5. state_digest
// decides whether and how an entity is in the sum (engine/DESIGN.md, Digests).

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
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"

namespace engine {

// What the state digest and a snapshot have of an account and of a group.
AccountStatus StatusOf(AccountId id, const Ledger& ledger, const RiskControl& risk);
GroupStatus StatusOf(const OrderGroups::Key& key, const OrderGroups::Group& group);

// Not thread-safe: owned by the exchange. REQUIRES: every Update gets the same three objects, and
// nothing else calls their TakeChanges. From the first Update on it takes 20 bytes for each account
// and some 40 for each position.
class AccountDigest {
 public:
  // The sum of DigestSum over all accounts, positions, groups and fills of groups as they are now.
  // `now` is the time of the last command.
  const Digest& Update(const Ledger& ledger, const RiskControl& risk, OrderGroups& groups,
                       Timestamp now);

 private:
  void UpdateAccount(AccountId id, const Ledger& ledger, const RiskControl& risk);
  void UpdatePosition(AccountId account, MarketId market, int64_t position);
  void RemoveGroup(const OrderGroups::Key& key);
  void UpdateGroup(const OrderGroups::Key& key, const OrderGroups::Group& group);
  void Replace(Digest& counted, const Digest& digest);

  DigestSum sum_;

  // What is in the sum now. The maps are never iterated.
  AccountIndex index_;
  std::vector<Digest> accounts_;
  absl::flat_hash_map<std::pair<AccountId, MarketId>, int64_t> positions_;
  absl::flat_hash_map<OrderGroups::Key, Digest> groups_;
};

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_DIGEST_H_
