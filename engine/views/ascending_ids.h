// A list of orders by id: new orders join at the end, any may leave, and a page of the latest is
// found without a walk.
//
//   ids   [ 3 · 7 · 12 · 13 ]     · has left; once half of them have, the list is rewritten
//
// An order that leaves is not searched for, so its id stays for a while: the reader checks each.

#ifndef ENGINE_VIEWS_ASCENDING_IDS_H_
#define ENGINE_VIEWS_ASCENDING_IDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: a member of the view that owns the orders.
class AscendingIds {
 public:
  // REQUIRES: `id` is above all that were added.
  void Add(OrderId id) { ids_.push_back(id); }

  // `id` leaves. `is_listed(id)` tells whether an id belongs to the list, no longer `id` itself.
  template <typename IsListed>
  void Remove(OrderId id, IsListed is_listed) {
    if (ids_.back() == id) return ids_.pop_back();
    ++gone_;
    if (gone_ <= kGoneMin || 2 * gone_ <= ids_.size()) return;
    std::erase_if(ids_, [&](OrderId each) { return !is_listed(each); });
    gone_ = 0;
  }

  // How many belong to the list.
  size_t size() const { return ids_.size() - gone_; }

  // All ids up to `from`, those that have left among them, the latest first, until `visit` returns
  // false. Zero: from the latest.
  template <typename Visit>
  void VisitDown(uint64_t from, Visit visit) const {
    auto at = ids_.end();
    if (from != 0) at = std::upper_bound(ids_.begin(), ids_.end(), OrderId(from));
    while (at != ids_.begin()) {
      if (!visit(*--at)) return;
    }
  }

 private:
  static constexpr size_t kGoneMin = 32;

  std::vector<OrderId> ids_;
  size_t gone_ = 0;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ASCENDING_IDS_H_
