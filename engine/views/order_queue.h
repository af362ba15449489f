// Queues of orders, all in one pool.
//
//   pool    [ A ][ C ][ free ][ B ][ D ]        place: order, remaining quantity, its level,
//             │    ▲            ▲   ▲                  the previous and the next place
//   queue 1   └────┼────────────┘   │     A B
//   queue 2        └────────────────┘     C D
//
// An order that leaves touches only its neighbours. Freed places are reused: nothing is allocated
// once the maximum number of simultaneously resting orders has been reached.

#ifndef ENGINE_VIEWS_ORDER_QUEUE_H_
#define ENGINE_VIEWS_ORDER_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"

namespace engine {

struct DepthLevel;

class OrderPool {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Place {
    OrderId order;
    Quantity quantity_remaining;
    DepthLevel* level = nullptr;
    uint32_t before = kNone;  // The previous place in its queue.
    uint32_t next = kNone;    // The next place in its queue; for a free place, the next free one.
  };

  Place& operator[](uint32_t at) { return places_[at]; }
  const Place& operator[](uint32_t at) const { return places_[at]; }

  // Returns a free place.
  uint32_t Take() {
    if (free_first_ == kNone) {
      CHECK_LT(places_.size(), size_t{kNone});
      places_.emplace_back();
      return static_cast<uint32_t>(places_.size() - 1);
    }
    const uint32_t at = free_first_;
    free_first_ = places_[at].next;
    return at;
  }
  void Give(uint32_t at) {
    places_[at] = Place();
    places_[at].next = free_first_;
    free_first_ = at;
  }

 private:
  std::vector<Place> places_;
  uint32_t free_first_ = kNone;
};

// A list of places in priority order. A value that refers to places of its pool, which outlives it.
class OrderQueue {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = OrderPool::Place;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    Iterator() = default;
    Iterator(const OrderPool* pool, uint32_t at) : pool_(pool), at_(at) {}

    reference operator*() const { return (*pool_)[at_]; }
    pointer operator->() const { return &(*pool_)[at_]; }
    Iterator& operator++() {
      at_ = (*pool_)[at_].next;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const OrderPool* pool_ = nullptr;
    uint32_t at_ = OrderPool::kNone;
  };

  Iterator begin() const { return {pool_, first_}; }
  Iterator end() const { return {pool_, OrderPool::kNone}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // REQUIRES: `pool` is the same in all calls.
  void PushBack(OrderPool& pool, uint32_t at) {
    pool_ = &pool;
    pool[at].before = last_;
    pool[at].next = OrderPool::kNone;
    (size_ == 0 ? first_ : pool[last_].next) = at;
    last_ = at;
    ++size_;
  }
  // Does not free the place.
  void Remove(OrderPool& pool, uint32_t at) {
    const auto [before, next] = std::pair(pool[at].before, pool[at].next);
    (before == OrderPool::kNone ? first_ : pool[before].next) = next;
    (next == OrderPool::kNone ? last_ : pool[next].before) = before;
    --size_;
  }

 private:
  const OrderPool* pool_ = nullptr;
  uint32_t first_ = OrderPool::kNone;
  uint32_t last_ = OrderPool::kNone;
  size_t size_ = 0;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ORDER_QUEUE_H_
