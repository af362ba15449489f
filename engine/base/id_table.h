// From 64-bit ids to small numbers, such as the places of things in a vector: what a hash map does,
// for the case that ids come and go all the time and nothing may be allocated.
//
//   slots   [ 17→3 | · | 4→0 | 21→5 | · | · | 9→1 | · ]      open addressing, a power of two of
//   them,
//                        ▲      └ wanted 4's slot: next       at most half of them taken
//                        └ where the mixed bits of the id say
//
// Taking an id out moves those behind it forward, so there are no tombstones, and a table through
// which ids flow for days is as fast as a fresh one. It grows and never shrinks.
//
// The mix is fixed: whoever chooses ids against it makes looking up those ids slow, and nothing
// else. No order comes out of the table, so nothing can depend on it.

#ifndef ENGINE_BASE_ID_TABLE_H_
#define ENGINE_BASE_ID_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace engine {

// Not thread-safe: a member of whoever owns the things.
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

  // Puts the id in, or gives it another value. REQUIRES: value != kNone.
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

  // Takes the id out. REQUIRES: it is in.
  void Erase(uint64_t id) {
    size_t hole = HomeOf(id);
    while (slots_[hole].id != id || slots_[hole].value == kNone) {
      CHECK(slots_[hole].value != kNone) << "id " << id << " is not in the table";
      hole = Next(hole);
    }
    for (size_t i = Next(hole); slots_[i].value != kNone; i = Next(i)) {
      // It may move into the hole unless its home lies behind the hole.
      const size_t mask = slots_.size() - 1;
      if (((i - HomeOf(slots_[i].id)) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].value = kNone;
    --size_;
  }

  size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t id = 0;
    uint32_t value = kNone;
  };
  static constexpr size_t kSlotsMin = 16;

  // The high bits of a product depend on all bits of the id; dense ids come to lie far apart.
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
