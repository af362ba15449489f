#include "engine/core/order_groups.h"

#include "engine/base/check.h"
#include "engine/core/fault.h"

namespace engine {

RejectReason OrderGroups::Define(const Key& key, Quantity limit, int64_t window_nanos,
                                 Timestamp now) {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  if (key.second == GroupId() || limit.is_zero() || window_nanos <= 0) {
    return RejectReason::kMalformedGroup;
  }
  Group& group = groups_[key];
  Forget(group, now);  // By the old window: what it has lost, a longer one does not bring back.
  group.limit = limit;
  group.window_nanos = window_nanos;
  if (ENGINE_FAULT(kGroupRedefineUntrips)) group.is_tripped = false;
  Forget(group, now);
  return RejectReason::kNone;
}

RejectReason OrderGroups::Reset(const Key& key) {
  if (key.first == AccountId()) return RejectReason::kUnknownAccount;
  const auto found = groups_.find(key);
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  if (!ENGINE_FAULT(kGroupResetKeepsFills)) {
    found->second.fills.clear();
    found->second.traded = Quantity();
  }
  found->second.is_tripped = false;
  return RejectReason::kNone;
}

RejectReason OrderGroups::CheckMember(const Key& key) const {
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
  touched_.insert(key);
}

std::vector<OrderGroups::Trip> OrderGroups::TakeTrips() {
  std::vector<Trip> trips;
  for (const Key& key : touched_) {
    Group& group = Find(key);
    if (group.is_tripped || group.traded < group.limit) continue;
    if (ENGINE_FAULT(kGroupTripsAbove) && group.traded == group.limit) continue;
    group.is_tripped = true;
    trips.push_back(
        {.key = key, .traded = group.traded, .orders = {group.orders.begin(), group.orders.end()}});
  }
  touched_.clear();
  return trips;
}

bool OrderGroups::IsWithin(const Group& group, const Fill& fill, Timestamp now) {
  return static_cast<__int128>(fill.time.nanos()) > static_cast<__int128>(now.nanos()) -
                                                        group.window_nanos -
                                                        (ENGINE_FAULT(kGroupEdgeCounts) ? 1 : 0);
}

void OrderGroups::Forget(Group& group, Timestamp now) {
  while (!group.fills.empty() && !IsWithin(group, group.fills.front(), now)) {
    group.traded -= group.fills.front().quantity;
    group.fills.pop_front();
  }
}

OrderGroups::Group& OrderGroups::Find(const Key& key) {
  const auto found = groups_.find(key);
  CHECK(found != groups_.end()) << "group " << key.second << " of account " << key.first;
  return found->second;
}

}  // namespace engine
