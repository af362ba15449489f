#include "engine/core/order_groups.h"

#include <algorithm>

#include "engine/base/check.h"

namespace engine {

RejectReason OrderGroups::Define(const Key& key, Quantity limit, int64_t window_nanos,
                                 Timestamp now) {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  if (key.second == GroupId() || limit.is_zero() || window_nanos <= 0) {
    return RejectReason::kMalformedGroup;
  }
  Group& group = groups_[key];
  Forget(group, now);  // By the old window: a longer one does not bring back what it has dropped.
  group.limit = limit;
  group.window_nanos = window_nanos;
  Forget(group, now);
  MarkChanged(key, group);
  return RejectReason::kNone;
}

RejectReason OrderGroups::Reset(const Key& key) {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  const auto found = groups_.find(key);
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  found->second.fills.clear();
  found->second.traded = Quantity();
  found->second.is_tripped = false;
  MarkChanged(key, found->second);
  return RejectReason::kNone;
}

RejectReason OrderGroups::CheckGroup(const Key& key) const {
  const auto found = groups_.find(key);
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  return found->second.is_tripped ? RejectReason::kGroupTripped : RejectReason::kNone;
}

void OrderGroups::AddOrder(const Key& key, OrderId order) { Find(key).orders.insert(order); }

void OrderGroups::RemoveOrder(const Key& key, OrderId order) { Find(key).orders.erase(order); }

void OrderGroups::AddFill(const Key& key, Timestamp time, Quantity quantity) {
  Group& group = Find(key);
  Forget(group, time);
  group.fills.push_back({.time = time, .quantity = quantity});
  group.traded += quantity;
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
    group.is_tripped = true;
    MarkChanged(key, group);
    trips.push_back(
        {.key = key, .traded = group.traded, .orders = {group.orders.begin(), group.orders.end()}});
  }
  touched_.clear();
  return trips;
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
  group.fills.push_back(fill);
  group.traded += fill.quantity;
  MarkChanged(key, group);
}

bool OrderGroups::IsWithin(const Group& group, const Fill& fill, Timestamp now) {
  return static_cast<__int128>(fill.time.nanos()) >
         static_cast<__int128>(now.nanos()) - group.window_nanos;
}

void OrderGroups::Forget(Group& group, Timestamp now) {
  while (!group.fills.empty() && !IsWithin(group, group.fills.front(), now)) {
    group.traded -= group.fills.front().quantity;
    group.fills.pop_front();
  }
}

void OrderGroups::MarkChanged(const Key& key, const Group& group) const {
  if (!remembers_changes_ || group.is_changed) return;
  group.is_changed = true;
  changed_.push_back(key);
}

void OrderGroups::TakeChanges(absl::FunctionRef<void(const Key&, const Group&)> changed) const {
  if (!remembers_changes_) {
    remembers_changes_ = true;
    for (const auto& [key, group] : groups_) MarkChanged(key, group);
  }
  // A group with fills stays listed: time alone can change it.
  std::erase_if(changed_, [&](const Key& key) {
    const Group& group = groups_.at(key);
    changed(key, group);
    group.is_changed = !group.fills.empty();
    return !group.is_changed;
  });
}

OrderGroups::Group& OrderGroups::Find(const Key& key) {
  const auto found = groups_.find(key);
  CHECK(found != groups_.end()) << "group " << key.second << " of account " << key.first;
  return found->second;
}

}  // namespace engine
