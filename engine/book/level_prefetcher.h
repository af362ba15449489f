// Prefetches the levels that a taker reaches next when it sweeps a book larger than the caches.
//
//   best │ next levels ...
//     ▲      ▲ soon: prefetch its first order      ▲ later: prefetch the level itself, which is
//                                                    read when it is soon

#ifndef ENGINE_BOOK_LEVEL_PREFETCHER_H_
#define ENGINE_BOOK_LEVEL_PREFETCHER_H_

#include "engine/base/inline.h"
#include "engine/book/book_storage.h"
#include "engine/book/price_ladder.h"

namespace engine {

// Owned by one sweep of a taker. REQUIRES: only the best levels are erased during its lifetime.
class LevelPrefetcher {
 public:
  // Prefetches all levels up to the later one.
  LevelPrefetcher(const PriceLadder& makers, SlotMemory memory)
      : memory_(memory), soon_(makers), later_(makers) {
    for (int i = 0; i < kSoon; ++i) memory_.Prefetch(later_.Next());
    soon_ = later_;
    for (int i = kSoon; i < kLater; ++i) memory_.Prefetch(later_.Next());
  }
  // Call once per level.
  ENGINE_ALWAYS_INLINE void Advance() {
    memory_.Prefetch(memory_.links(soon_.Next()).next);
    memory_.Prefetch(later_.Next());
  }

 private:
  // Distances from the best level, in levels, before the first step.
  static constexpr int kSoon = 7;
  static constexpr int kLater = 15;

  SlotMemory memory_;
  PriceLadder::Walk soon_;
  PriceLadder::Walk later_;
};

}  // namespace engine

#endif  // ENGINE_BOOK_LEVEL_PREFETCHER_H_
