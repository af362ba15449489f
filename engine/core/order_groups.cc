#include "engine/core/order_groups.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/state/state_digest.h"

namespace engine {

RejectReason OrderGroups::Define(const Key& key, Quantity limit, int64_t window_nanos,
                                 Timestamp now) {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  if (key.second == GroupId() || limit.is_zero() || window_nanos <= 0) {
    return RejectReason::kMalformedGroup;
  }
  Group& group = groups_[key];
  Forget(key, group,
         now);  // By the old window: a longer one does not bring back what it has dropped.
  group.limit = limit;
  group.window_nanos = window_nanos;
  Forget(key, group, now);
  MarkChanged(key, group);
  return RejectReason::kNone;
}

RejectReason OrderGroups::Reset(const Key& key) {
  const RejectReason reason = CheckDefined(key);
  if (reason != RejectReason::kNone) return reason;
  Group& group = Find(key);
  group.fills.clear();
  group.traded = Quantity();
  group.ended = DigestSum();
  group.is_tripped = false;
  MarkChanged(key, group);
  return RejectReason::kNone;
}

RejectReason OrderGroups::Trigger(const Key& key, Timestamp now, Trip& trip) {
  const RejectReason reason = CheckDefined(key);
  if (reason != RejectReason::kNone) return reason;
  Group& group = Find(key);
  Forget(key, group, now);
  trip = MakeTrip(key, group);
  return RejectReason::kNone;
}

RejectReason OrderGroups::CheckDefined(const Key& key) const {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  return groups_.contains(key) ? RejectReason::kNone : RejectReason::kUnknownGroup;
}

void OrderGroups::Delete(const Key& key) {
  const Group& group = Find(key);
  CHECK(group.orders.empty() && !group.is_touched) << "group " << key.second;
  if (group.is_listed) leaving_.erase({group.listed, key});
  if (remembers_changes_) deleted_.push_back(key);
  groups_.erase(key);
}

RejectReason OrderGroups::CheckGroup(const Key& key) const {
  const auto found = groups_.find(key);
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  return found->second.is_tripped ? RejectReason::kGroupTripped : RejectReason::kNone;
}

void OrderGroups::AddOrder(const Key& key, OrderId order) { Find(key).orders.insert(order); }

void OrderGroups::RemoveOrder(const Key& key, OrderId order) { Find(key).orders.erase(order); }

void OrderGroups::VisitOrders(AccountId account, GroupId group,
                              absl::FunctionRef<void(OrderId)> visit) const {
  const auto visit_group_of = [&](AccountId owner) {
    const auto found = groups_.find({owner, group});
    if (found == groups_.end()) return;
    for (const OrderId order : found->second.orders) visit(order);
  };
  if (account != AccountId()) return visit_group_of(account);
  // From account to account, past the other groups of each.
  for (auto at = groups_.begin(); at != groups_.end();) {
    const AccountId owner = at->first.first;
    visit_group_of(owner);
    at = groups_.upper_bound({owner, kGroupIdMax});
  }
}

void OrderGroups::AddFill(const Key& key, Timestamp time, Quantity quantity) {
  Group& group = Find(key);
  Forget(key, group, time);
  AddFill(key, group, {.time = time, .quantity = quantity});
  MarkChanged(key, group);
  if (group.is_touched) return;
  group.is_touched = true;
  touched_.push_back(key);
}

std::vector<OrderGroups::Trip> OrderGroups::TakeTrips() {
  std::vector<Trip> trips;
  std::sort(touched_.begin(), touched_.end());
  for (const Key& key : touched_) {
    Group& group = Find(key);
    group.is_touched = false;
    if (group.is_tripped || group.traded < group.limit) continue;
    trips.push_back(MakeTrip(key, group));
  }
  touched_.clear();
  return trips;
}

OrderGroups::Trip OrderGroups::MakeTrip(const Key& key, Group& group) {
  group.is_tripped = true;
  MarkChanged(key, group);
  return {.key = key, .traded = group.traded, .orders = {group.orders.begin(), group.orders.end()}};
}

void OrderGroups::Restore(const Key& key, Quantity limit, int64_t window_nanos, bool is_tripped) {
  const auto [place, is_new] = groups_.try_emplace(key);
  CHECK(is_new) << "group " << key.second << " of account " << key.first;
  place->second.limit = limit;
  place->second.window_nanos = window_nanos;
  place->second.is_tripped = is_tripped;
  MarkChanged(key, place->second);
}

void OrderGroups::RestoreFill(const Key& key, const Fill& fill) {
  Group& group = Find(key);
  AddFill(key, group, fill);
  MarkChanged(key, group);
}

void OrderGroups::AddFill(const Key& key, Group& group, const Fill& fill) {
  group.traded += fill.quantity;
  if (!group.fills.empty()) {
    Fill& newest = group.fills.back();
    if (newest.time == fill.time) {
      newest.quantity += fill.quantity;
      return;
    }
    AddGroupFill(key.first, key.second, newest.time, newest.quantity, group.ended);
  }
  group.fills.push_back(fill);
}

void OrderGroups::AddFills(const Key& key, const Group& group, DigestSum& sum) {
  sum.Add(group.ended.value());
  if (group.fills.empty()) return;
  const Fill& newest = group.fills.back();
  AddGroupFill(key.first, key.second, newest.time, newest.quantity, sum);
}

bool OrderGroups::IsWithin(const Group& group, const Fill& fill, Timestamp now) {
  return static_cast<__int128>(fill.time.nanos()) >
         static_cast<__int128>(now.nanos()) - group.window_nanos;
}

void OrderGroups::Forget(const Key& key, Group& group, Timestamp now) {
  while (!group.fills.empty() && !IsWithin(group, group.fills.front(), now)) {
    const Fill oldest = group.fills.front();
    group.fills.pop_front();
    group.traded -= oldest.quantity;
    if (group.fills.empty()) return;  // It was the newest, too.
    DigestSum left;
    AddGroupFill(key.first, key.second, oldest.time, oldest.quantity, left);
    group.ended.Subtract(left.value());
  }
}

void OrderGroups::MarkChanged(const Key& key, Group& group) {
  if (!remembers_changes_ || group.is_changed) return;
  group.is_changed = true;
  changed_.push_back(key);
}

void OrderGroups::TakeChanges(Timestamp now, absl::FunctionRef<void(const Key&)> deleted,
                              absl::FunctionRef<void(const Key&, const Group&)> changed) {
  if (!remembers_changes_) {
    remembers_changes_ = true;
    for (auto& [key, group] : groups_) MarkChanged(key, group);
  }
  for (auto at = leaving_.begin(); at != leaving_.end() && at->first <= now; ++at) {
    MarkChanged(at->second, Find(at->second));
  }
  for (const Key& key : deleted_) deleted(key);
  deleted_.clear();
  for (const Key& key : changed_) {
    const auto found = groups_.find(key);
    if (found == groups_.end() || !found->second.is_changed) continue;
    Group& group = found->second;
    Forget(key, group, now);
    List(key, group);
    changed(key, group);
    group.is_changed = false;
  }
  changed_.clear();
}

// Lists the group by the time when its oldest fill leaves, if it has any.
void OrderGroups::List(const Key& key, Group& group) {
  if (group.is_listed) leaving_.erase({group.listed, key});
  group.is_listed = !group.fills.empty();
  if (!group.is_listed) return;
  int64_t leaves = 0;  // Time ends before it leaves if this overflows.
  if (__builtin_add_overflow(group.fills.front().time.nanos(), group.window_nanos, &leaves)) {
    leaves = Timestamp::Max().nanos();
  }
  group.listed = Timestamp::FromNanos(leaves);
  leaving_.emplace(group.listed, key);
}

OrderGroups::Group& OrderGroups::Find(const Key& key) {
  const auto found = groups_.find(key);
  CHECK(found != groups_.end()) << "group " << key.second << " of account " << key.first;
  return found->second;
}

}  // namespace engine
