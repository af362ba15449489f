// Groups of orders with a limit: when what its orders have traded within a rolling window of log
// time reaches the limit, the group trips, and its orders are cancelled until it is reset.
//
//        now − window               now
//   ──·────(────··──·───────·───────]      the fills in here count; older ones are forgotten
//
// Few orders are of a group, and groups are few: they are found by key in a sorted map, which a
// command without a group never touches.
//
// Specified in engine/RULES.md.

#ifndef ENGINE_CORE_ORDER_GROUPS_H_
#define ENGINE_CORE_ORDER_GROUPS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "engine/base/timestamp.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"

namespace engine {

// Not thread-safe: owned by the exchange. Time does not go back from call to call.
class OrderGroups {
 public:
  struct Fill {
    Timestamp time;
    Quantity quantity;
  };
  struct Group {
    Quantity limit;
    int64_t window_nanos = 0;
    bool is_tripped = false;
    std::deque<Fill> fills;           // Oldest first; some may have left the window already.
    Quantity traded;                  // The sum over `fills`.
    absl::btree_set<OrderId> orders;  // That rest.
    bool is_touched = false;          // By fills since the last TakeTrips.
    mutable bool is_changed = false;  // Is to be told (TakeChanges).
  };
  using Key = std::pair<AccountId, GroupId>;

  OrderGroups() = default;
  OrderGroups(const OrderGroups&) = delete;
  OrderGroups& operator=(const OrderGroups&) = delete;

  // Each refuses before it changes anything, or acts and returns kNone. Any values.
  RejectReason Define(const Key& key, Quantity limit, int64_t window_nanos, Timestamp now);
  RejectReason Reset(const Key& key);

  // Whether an order of this group may be entered.
  RejectReason CheckMember(const Key& key) const;

  // REQUIRES, from here on: the group exists.
  void AddOrder(const Key& key, OrderId order);
  void RemoveOrder(const Key& key, OrderId order);

  // One of its orders has traded.
  void AddFill(const Key& key, Timestamp time, Quantity quantity);

  // Ends a command: trips the groups whose fills since the last call reached their limits; returns
  // them in order, with their orders in the order of their ids.
  struct Trip {
    Key key;
    Quantity traded;
    std::vector<OrderId> orders;
  };
  std::vector<Trip> TakeTrips();
  bool has_fills() const { return !touched_.empty(); }

  // Whether `fill` counts at `now`.
  static bool IsWithin(const Group& group, const Fill& fill, Timestamp now);

  // What a snapshot says: a group that is none yet, then its fills, the oldest first.
  void Restore(const Key& key, Quantity limit, int64_t window_nanos, bool is_tripped);
  void RestoreFill(const Key& key, const Fill& fill);

  const std::map<Key, Group>& all() const { return groups_; }

  // For whoever keeps something up to date with the groups (AccountDigest): those that may have
  // changed since the last call, by commands or because fills may have left their window, in no
  // order that means anything. The first call names all, and from then on changes are remembered.
  void TakeChanges(absl::FunctionRef<void(const Key&, const Group&)> changed) const;

 private:
  static void Forget(Group& group, Timestamp now);
  Group& Find(const Key& key);
  void MarkChanged(const Key& key, const Group& group) const;

  std::map<Key, Group> groups_;
  std::vector<Key> touched_;  // Those that are.

  // What TakeChanges will say. Not part of the state.
  mutable bool remembers_changes_ = false;
  mutable std::vector<Key> changed_;
};

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_GROUPS_H_
