// Groups of orders with a limit: when what its orders have traded within a rolling window of log
// time reaches the limit, the group trips, and its orders are cancelled until it is reset.
//
//        now − window               now
//   ──·────(────··──·───────·───────]      the fills in here count; older ones are forgotten
//
// Specified in engine/RULES.md.

#ifndef ENGINE_CORE_ORDER_GROUPS_H_
#define ENGINE_CORE_ORDER_GROUPS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

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
    std::deque<Fill> fills;    // Oldest first; some may have left the window already.
    Quantity traded;           // The sum over `fills`.
    std::set<OrderId> orders;  // That rest.
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

  const std::map<Key, Group>& all() const { return groups_; }

 private:
  static void Forget(Group& group, Timestamp now);
  Group& Find(const Key& key);

  std::map<Key, Group> groups_;
  std::set<Key> touched_;  // Since the last TakeTrips.
};

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_GROUPS_H_
