// An IdTable for ids that are mostly assigned consecutively, as sequence numbers are.
//
//   direct    [ 32→a | 17→b | 18→c | · | 20→d | ... ]     slot: the low bits of the id
//   others    an IdTable: ids whose slot was taken at insertion
//
// Consecutive ids are adjacent, so recent ids share few cache lines no matter how many old ids
// remain; an IdTable scatters them. Ids that collide in their low bits cost as much as in an
// IdTable, and no more.

#ifndef ENGINE_BASE_DENSE_ID_TABLE_H_
#define ENGINE_BASE_DENSE_ID_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/prefetch.h"

namespace engine {

// Not thread-safe: a member of the class that owns the objects.
class DenseIdTable {
 public:
  static constexpr uint32_t kNone = IdTable::kNone;

  DenseIdTable() : direct_(kSlotsMin) {}

  // kNone when the id is not in the table.
  uint32_t Find(uint64_t id) const {
    const Slot& slot = direct_[id & (direct_.size() - 1)];
    if (slot.id == id && slot.value != kNone) [[likely]]
      return slot.value;
    return others_.size() == 0 ? kNone : others_.Find(id);
  }

  // Prefetches the slot that Find, Set and Erase read first. Accepts any id.
  void Prefetch(uint64_t id) const { PrefetchToWrite(&direct_[id & (direct_.size() - 1)]); }

  // Inserts the id, or replaces its value. REQUIRES: value != kNone.
  void Set(uint64_t id, uint32_t value) {
    Slot& slot = direct_[id & (direct_.size() - 1)];
    if (slot.id == id && slot.value != kNone) {
      slot.value = value;
    } else if (others_.size() != 0 && others_.Find(id) != kNone) {
      others_.Set(id, value);
    } else {
      Insert(id, value);
    }
  }

  // Inserts the id. REQUIRES: it is not in the table; value != kNone.
  void Insert(uint64_t id, uint32_t value) {
    if (2 * (size() + 1) > direct_.size()) [[unlikely]]
      Grow();
    Slot& slot = direct_[id & (direct_.size() - 1)];
    if (slot.value == kNone) [[likely]] {
      slot = {.id = id, .value = value};
      ++direct_count_;
    } else {
      others_.Set(id, value);
    }
  }

  // Removes the id. REQUIRES: it is in the table.
  void Erase(uint64_t id) {
    Slot& slot = direct_[id & (direct_.size() - 1)];
    if (slot.id == id && slot.value != kNone) [[likely]] {
      slot.value = kNone;
      --direct_count_;
    } else {
      others_.Erase(id);
    }
  }

  // Removes all ids. Keeps the memory.
  void Clear() {
    std::fill(direct_.begin(), direct_.end(), Slot());
    direct_count_ = 0;
    others_.Clear();
  }

  size_t size() const { return direct_count_ + others_.size(); }

 private:
  struct Slot {
    uint64_t id = 0;
    uint32_t value = kNone;
  };
  static constexpr size_t kSlotsMin = 16;

  // Ids in `others_` stay there until they are erased.
  void Grow() {
    const std::vector<Slot> smaller = std::exchange(direct_, std::vector<Slot>(2 * direct_.size()));
    for (const Slot& slot : smaller) {
      // No collisions: the ids had distinct slots in a table of half the size.
      if (slot.value != kNone) direct_[slot.id & (direct_.size() - 1)] = slot;
    }
  }

  std::vector<Slot> direct_;
  size_t direct_count_ = 0;
  IdTable others_;
};

}  // namespace engine

#endif  // ENGINE_BASE_DENSE_ID_TABLE_H_
