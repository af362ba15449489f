#include "engine/core/account_digest.h"

namespace engine {

AccountStatus StatusOf(AccountId id, const Ledger& ledger, const RiskControl& risk) {
  AccountStatus status = {.account = id};
  if (ledger.IsOpen(id)) {
    status.is_open = true;
    status.balance = ledger.StateOf(id).balance;
    status.standing = risk.StandingOf(id);
  }
  if (const auto counts = risk.Find(id); counts.has_value()) {
    status.limits = counts->limits;
    status.rate_second = counts->second;
    status.rate_count = counts->commands;
  }
  return status;
}

GroupStatus StatusOf(const OrderGroups::Key& key, const OrderGroups::Group& group) {
  return {.account = key.first,
          .group = key.second,
          .limit = group.limit,
          .window_nanos = group.window_nanos,
          .is_tripped = group.is_tripped};
}

const Digest& AccountDigest::Update(const Ledger& ledger, const RiskControl& risk,
                                    OrderGroups& groups, Timestamp now) {
  const auto update_account = [&](AccountId id) { UpdateAccount(id, ledger, risk); };
  ledger.TakeChanges(update_account, [&](AccountId account, MarketId market) {
    UpdatePosition(account, market, ledger.PositionOf(account, market));
  });
  risk.TakeChanges(update_account);
  groups.TakeChanges(
      now, [&](const OrderGroups::Key& key) { RemoveGroup(key); },
      [&](const OrderGroups::Key& key, const OrderGroups::Group& group) {
        UpdateGroup(key, group);
      });
  return sum_.value();
}

void AccountDigest::UpdateAccount(AccountId id, const Ledger& ledger, const RiskControl& risk) {
  DigestSum digest;
  AddAccountStatus(StatusOf(id, ledger, risk), digest);
  const uint32_t place = index_.FindOrAdd(id);
  if (place == accounts_.size()) accounts_.emplace_back();
  Replace(accounts_[place], digest.value());
}

void AccountDigest::UpdatePosition(AccountId account, MarketId market, int64_t position) {
  DigestSum before;
  DigestSum after;
  int64_t& counted = positions_[{account, market}];
  AddPosition(account, market, counted, before);
  AddPosition(account, market, position, after);
  sum_.Subtract(before.value());
  sum_.Add(after.value());
  counted = position;
  if (position == 0) positions_.erase({account, market});
}

void AccountDigest::RemoveGroup(const OrderGroups::Key& key) {
  const auto counted = groups_.find(key);
  if (counted == groups_.end()) return;
  sum_.Subtract(counted->second);
  groups_.erase(counted);
}

void AccountDigest::UpdateGroup(const OrderGroups::Key& key, const OrderGroups::Group& group) {
  DigestSum digest;
  AddGroupStatus(StatusOf(key, group), digest);
  OrderGroups::AddFills(key, group, digest);
  Replace(groups_[key], digest.value());
}

void AccountDigest::Replace(Digest& counted, const Digest& digest) {
  sum_.Subtract(counted);
  sum_.Add(digest);
  counted = digest;
}

}  // namespace engine
