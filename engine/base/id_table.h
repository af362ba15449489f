// A map from 64-bit ids to small numbers, such as indices into a vector. For ids that are inserted
// and erased all the time: nothing is allocated unless the table grows.
//
//   slots   [ 17→3 | · | 4→0 | 21→5 | · | · | 9→1 | · ]      open addressing; 2^n slots,
//                        ▲      └ collided with 4: next slot  at most half of them used
//                        └ home slot: the high bits of the hash
//
// Erase moves later entries of the same run forward, so there are no tombstones, and a table is as
// fast after days of insertions and erasures as when it was new. It grows and never shrinks.
//
// The hash function is fixed: a client that chooses colliding ids makes the lookup of those ids
// slow, and nothing else. The table cannot be iterated, so nothing depends on its order.

#ifndef ENGINE_BASE_ID_TABLE_H_
#define ENGINE_BASE_ID_TABLE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace engine {

// Not thread-safe: a member of the class that owns the objects.
class IdTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  IdTable() : slots_(kSlotsMin), shift_(64 - std::countr_zero(kSlotsMin)) {}

  // kNone when the id is not in the table.
  uint32_t Find(uint64_t id) const {
    for (size_t i = HomeOf(id);; i = Next(i)) {
      const Slot& slot = slots_[i];
      if (slot.value == kNone || slot.id == id) return slot.value;
    }
  }

  // Inserts the id, or replaces its value. REQUIRES: value != kNone.
  void Set(uint64_t id, uint32_t value) {
    if (2 * (size_ + 1) > slots_.size()) [[unlikely]]
      Grow();
    for (size_t i = HomeOf(id);; i = Next(i)) {
      Slot& slot = slots_[i];
      if (slot.value == kNone) {
        slot = {.id = id, .value = value};
        ++size_;
        return;
      }
      if (slot.id == id) {
        slot.value = value;
        return;
      }
    }
  }

  // Removes the id. REQUIRES: it is in the table.
  void Erase(uint64_t id) {
    size_t hole = HomeOf(id);
    while (slots_[hole].id != id || slots_[hole].value == kNone) {
      CHECK(slots_[hole].value != kNone) << "id " << id << " is not in the table";
      hole = Next(hole);
    }
    for (size_t i = Next(hole); slots_[i].value != kNone; i = Next(i)) {
      // The entry may move into the hole unless its home slot lies after the hole.
      const size_t mask = slots_.size() - 1;
      if (((i - HomeOf(slots_[i].id)) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].value = kNone;
    --size_;
  }

  // Removes all ids. Keeps the memory.
  void Clear() {
    std::fill(slots_.begin(), slots_.end(), Slot());
    size_ = 0;
  }

  size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t id = 0;
    uint32_t value = kNone;
  };
  static constexpr size_t kSlotsMin = 16;

  // The high bits of the product depend on all bits of the id; consecutive ids lie far apart.
  size_t HomeOf(uint64_t id) const {
    return ((id ^ (id >> 32)) * uint64_t{0x9e37'79b9'7f4a'7c15}) >> shift_;
  }
  size_t Next(size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void Grow() {
    std::vector<Slot> smaller = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    --shift_;
    size_ = 0;
    for (const Slot& slot : smaller) {
      if (slot.value != kNone) Set(slot.id, slot.value);
    }
  }

  std::vector<Slot> slots_;
  int shift_;
  size_t size_ = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_ID_TABLE_H_
