#include "engine/core/position_limits.h"

#include "engine/base/check.h"

namespace engine {

bool PositionLimits::Limited::Allows(int64_t position, Side side, Quantity more) const {
  const __int128 toward = side == Side::kBid ? position : -static_cast<__int128>(position);
  const __int128 worst = toward + open(side).units() + more.units();
  return worst <= static_cast<__int128>(limit.units());
}

const PositionLimits::Limited* PositionLimits::Find(AccountId account, MarketId market) const {
  const auto found = limits_.find({account, market});
  return found == limits_.end() ? nullptr : &found->second;
}

bool PositionLimits::HasAny(AccountId account) const {
  const auto first = limits_.lower_bound({account, MarketId()});
  return first != limits_.end() && first->first.first == account;
}

void PositionLimits::Set(AccountId account, MarketId market, Quantity limit) {
  CHECK(account != AccountId() && !limit.is_zero());
  const auto [place, is_added] = limits_.try_emplace({account, market});
  place->second.limit = limit;
  if (is_added) {
    changed_.push_back(place->first);
  } else {
    MarkChanged(place->first, place->second);
  }
}

void PositionLimits::Remove(AccountId account, MarketId market) {
  const auto found = limits_.find({account, market});
  if (found == limits_.end()) return;
  sum_.Subtract(found->second.in_sum_);
  limits_.erase(found);
}

void PositionLimits::Restore(const PositionLimitStatus& status) {
  CHECK(Find(status.account, status.market) == nullptr) << "account " << status.account;
  Set(status.account, status.market, status.limit);
  At(status.account, status.market).traded = status.traded;
}

void PositionLimits::AddOpen(AccountId account, MarketId market, Side side, Quantity quantity) {
  At(account, market).open_[side == Side::kBid ? 0 : 1] += quantity;
}

void PositionLimits::RemoveOpen(AccountId account, MarketId market, Side side, Quantity quantity) {
  Quantity& open = At(account, market).open_[side == Side::kBid ? 0 : 1];
  CHECK(quantity <= open) << "account " << account;
  open -= quantity;
}

void PositionLimits::CountTraded(AccountId account, MarketId market, Side side, Quantity quantity) {
  Limited& limited = At(account, market);
  const auto units = static_cast<int64_t>(quantity.units());
  limited.traded += side == Side::kBid ? units : -units;
  MarkChanged({account, market}, limited);
}

void PositionLimits::Visit(
    absl::FunctionRef<void(const PositionLimitStatus&, const Limited&)> visit) const {
  for (const auto& [key, limited] : limits_) visit(StatusOf(key, limited), limited);
}

const Digest& PositionLimits::Sum() const {
  for (const Key& key : changed_) {
    const Limited* const limited = Find(key.first, key.second);
    if (limited == nullptr || !limited->is_changed_) continue;
    DigestSum digest;
    AddPositionLimit(StatusOf(key, *limited), digest);
    sum_.Subtract(limited->in_sum_);
    sum_.Add(digest.value());
    limited->in_sum_ = digest.value();
    limited->is_changed_ = false;
  }
  changed_.clear();
  return sum_.value();
}

PositionLimitStatus PositionLimits::StatusOf(const Key& key, const Limited& limited) {
  return {
      .account = key.first, .market = key.second, .limit = limited.limit, .traded = limited.traded};
}

PositionLimits::Limited& PositionLimits::At(AccountId account, MarketId market) {
  const auto found = limits_.find({account, market});
  CHECK(found != limits_.end()) << "account " << account << " has no limit in market " << market;
  return found->second;
}

void PositionLimits::MarkChanged(const Key& key, const Limited& limited) const {
  if (limited.is_changed_) return;
  limited.is_changed_ = true;
  changed_.push_back(key);
}

}  // namespace engine
