// The good-till-time orders, the one that expires first in front.
//
// Every command checks whether an order is due, and almost never is one: the first time is stored
// separately, so that the check is one comparison. The orders themselves are in a B-tree, which
// allocates once for every sixty or so.

#ifndef ENGINE_CORE_EXPIRY_QUEUE_H_
#define ENGINE_CORE_EXPIRY_QUEUE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/btree_set.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class ExpiryQueue {
 public:
  void Add(Timestamp expires_at, OrderId order) {
    queue_.emplace(expires_at, order);
    first_ = queue_.begin()->first;
  }
  void Remove(Timestamp expires_at, OrderId order) {
    queue_.erase({expires_at, order});
    first_ = queue_.empty() ? Timestamp::Max() : queue_.begin()->first;
  }

  // When the first order expires; Timestamp::Max() if there is none.
  Timestamp first() const { return first_; }

  // The first order whose time has come, if any; of equal times, the lowest id.
  std::optional<OrderId> FirstDue(Timestamp now) const {
    if (first_ > now) [[likely]]
      return std::nullopt;
    if (queue_.empty()) return std::nullopt;  // `now` is Timestamp::Max().
    return queue_.begin()->second;
  }

  // In the order in which they expire.
  const absl::btree_set<std::pair<Timestamp, OrderId>>& all() const { return queue_; }

 private:
  absl::btree_set<std::pair<Timestamp, OrderId>> queue_;
  Timestamp first_ = Timestamp::Max();  // As first().
};

}  // namespace engine

#endif  // ENGINE_CORE_EXPIRY_QUEUE_H_
