// Groups of orders with a limit: when the orders of a group trade the limit within a rolling window
// of log time, the group trips: its orders are cancelled, and it takes no orders until it is reset.
//
//        now − window               now
//   ──·────(────··──·───────·───────]      the fills in the window count; older ones are dropped
//
// Few orders have a group, so a sorted map finds them by key, and a command without a group never
// touches it. An account may have 100,000: a group without fills and orders is 200 bytes.
//
// Specified in engine/RULES.md.

#ifndef ENGINE_CORE_ORDER_GROUPS_H_
#define ENGINE_CORE_ORDER_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"

namespace engine {

// Not thread-safe: owned by the exchange. Time does not go back from call to call.
class OrderGroups {
 public:
  // All fills of one time.
  struct Fill {
    Timestamp time;
    Quantity quantity;
  };
  // Fills, oldest first. Unlike a deque it allocates nothing while it is empty.
  class Fills {
   public:
    bool empty() const { return first_ == fills_.size(); }
    size_t size() const { return fills_.size() - first_; }
    auto begin() const { return fills_.begin() + static_cast<std::ptrdiff_t>(first_); }
    auto end() const { return fills_.end(); }
    // REQUIRES: it is not empty.
    const Fill& front() const { return fills_[first_]; }
    const Fill& back() const { return fills_.back(); }
    Fill& back() { return fills_.back(); }
    void pop_front() {
      if (2 * ++first_ < fills_.size()) return;
      fills_.erase(fills_.begin(), begin());
      first_ = 0;
    }
    void push_back(const Fill& fill) { fills_.push_back(fill); }
    void clear() { *this = Fills(); }

   private:
    std::vector<Fill> fills_;
    size_t first_ = 0;  // Those before have left.
  };
  struct Group {
    Quantity limit;
    int64_t window_nanos = 0;
    bool is_tripped = false;
    Fills fills;                      // Some may have left the window already.
    Quantity traded;                  // The sum over `fills`.
    DigestSum ended;                  // Of all `fills` but the newest, which may still grow.
    absl::btree_set<OrderId> orders;  // Its resting orders.
    bool is_touched = false;          // It has fills since the last TakeTrips.
    bool is_changed = false;          // TakeChanges will name it.
    Timestamp listed;                 // In `leaving_`; if it is there.
    bool is_listed = false;
  };
  using Key = std::pair<AccountId, GroupId>;

  OrderGroups() = default;
  OrderGroups(const OrderGroups&) = delete;
  OrderGroups& operator=(const OrderGroups&) = delete;

  // Each either returns a reason and changes nothing, or acts and returns kNone. Any values. Define
  // also changes the limit and window of a group that exists.
  RejectReason Define(const Key& key, Quantity limit, int64_t window_nanos, Timestamp now);
  RejectReason Reset(const Key& key);

  // A group that has tripped, what it has traded within its window, its orders by id.
  struct Trip {
    Key key;
    Quantity traded;
    std::vector<OrderId> orders;
  };
  // As Define: trips the group, as if it had reached its limit. It may have tripped before.
  RejectReason Trigger(const Key& key, Timestamp now, Trip& trip);

  // Whether there is such a group: kNone, or the reason why not.
  RejectReason CheckDefined(const Key& key) const;
  // Forgets the group. REQUIRES: it is defined, no order of it rests, it has no fills since the
  // last TakeTrips.
  void Delete(const Key& key);

  // Whether the group takes an order: kNone, or the reason why not. Group zero is no group.
  RejectReason CheckMember(const Key& key) const {
    return key.second == GroupId() ? RejectReason::kNone : CheckGroup(key);
  }

  // AddOrder, RemoveOrder and AddFill REQUIRE that the group exists.
  void AddOrder(const Key& key, OrderId order);
  void RemoveOrder(const Key& key, OrderId order);

  // Visits the resting orders of a group by id, or of all accounts' groups with that id, account by
  // account, if the account is zero.
  void VisitOrders(AccountId account, GroupId group, absl::FunctionRef<void(OrderId)> visit) const;

  // Counts a fill of one of the group's orders.
  void AddFill(const Key& key, Timestamp time, Quantity quantity);

  // Call it at the end of a command. Trips the groups whose fills since the last call reached their
  // limits, and returns them by key.
  std::vector<Trip> TakeTrips();
  bool has_fills() const { return !touched_.empty(); }

  // Adds the digest of the group's fills to `sum`.
  static void AddFills(const Key& key, const Group& group, DigestSum& sum);

  // Whether `fill` counts at `now`.
  static bool IsWithin(const Group& group, const Fill& fill, Timestamp now);

  // Restore a group of a snapshot, then its fills, oldest first. Restore REQUIRES: there is no such
  // group.
  void Restore(const Key& key, Quantity limit, int64_t window_nanos, bool is_tripped);
  void RestoreFill(const Key& key, const Fill& fill);

  const std::map<Key, Group>& all() const { return groups_; }

  // Names the groups that have changed since the last call, by commands or because fills have left
  // their window at `now`, for incremental updates (AccountDigest), in an unspecified order,
  // without the fills that have left. Before them it names those that were deleted, which may have
  // been defined again. The first call names all groups; only from then on are changes recorded.
  void TakeChanges(Timestamp now, absl::FunctionRef<void(const Key&)> deleted,
                   absl::FunctionRef<void(const Key&, const Group&)> changed);

 private:
  RejectReason CheckGroup(const Key& key) const;
  static void AddFill(const Key& key, Group& group, const Fill& fill);
  static void Forget(const Key& key, Group& group, Timestamp now);
  Group& Find(const Key& key);
  Trip MakeTrip(const Key& key, Group& group);
  void MarkChanged(const Key& key, Group& group);
  void List(const Key& key, Group& group);

  std::map<Key, Group> groups_;
  std::vector<Key> touched_;  // The groups with is_touched.

  // What TakeChanges will name. Not part of the state.
  bool remembers_changes_ = false;
  std::vector<Key> changed_;  // A group deleted since, too; one that was defined again, twice.
  std::vector<Key> deleted_;
  absl::btree_set<std::pair<Timestamp, Key>> leaving_;  // When a group's oldest fill may leave.
};

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_GROUPS_H_
