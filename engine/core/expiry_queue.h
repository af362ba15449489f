// The orders that are good till a time, the one that expires first in front.

#ifndef ENGINE_CORE_EXPIRY_QUEUE_H_
#define ENGINE_CORE_EXPIRY_QUEUE_H_

#include <optional>
#include <set>
#include <utility>

#include "engine/base/timestamp.h"
#include "engine/core/fault.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class ExpiryQueue {
 public:
  void Add(Timestamp expires_at, OrderId order) { queue_.emplace(expires_at, order); }
  void Remove(Timestamp expires_at, OrderId order) { queue_.erase({expires_at, order}); }

  bool is_empty() const { return queue_.empty(); }

  // The first of those whose time has come, if any; of equal times, the lowest id.
  std::optional<OrderId> FirstDue(Timestamp now) const {
    if (queue_.empty() || queue_.begin()->first > now) return std::nullopt;
    if (ENGINE_FAULT(kExpiryLate) && queue_.begin()->first == now) return std::nullopt;
    return queue_.begin()->second;
  }

  // In the order in which they expire.
  const std::set<std::pair<Timestamp, OrderId>>& all() const { return queue_; }

 private:
  std::set<std::pair<Timestamp, OrderId>> queue_;
};

}  // namespace engine

#endif  // ENGINE_CORE_EXPIRY_QUEUE_H_
