// What a taker that goes from level to level in a book that is far will come to.
//
//   best │ levels behind it ...
//     ▲      ▲ soon: its first order is fetched      ▲ later: itself is, to be asked for its first
//                                                      order then

#ifndef ENGINE_BOOK_LEVEL_PREFETCHER_H_
#define ENGINE_BOOK_LEVEL_PREFETCHER_H_

#include "engine/base/inline.h"
#include "engine/book/book_storage.h"
#include "engine/book/price_ladder.h"

namespace engine {

// Owned by one walk of a taker. REQUIRES: only the best levels are erased meanwhile.
class LevelPrefetcher {
 public:
  // Has all levels up to the later one come closer.
  LevelPrefetcher(const PriceLadder& makers, SlotMemory memory)
      : memory_(memory), soon_(makers), later_(makers) {
    for (int i = 0; i < kSoon; ++i) memory_.Prefetch(later_.Next());
    soon_ = later_;
    for (int i = kSoon; i < kLater; ++i) memory_.Prefetch(later_.Next());
  }
  // At every level.
  ENGINE_ALWAYS_INLINE void Advance() {
    memory_.Prefetch(memory_.links(soon_.Next()).next);
    memory_.Prefetch(later_.Next());
  }

 private:
  // Levels behind the best, before the first step.
  static constexpr int kSoon = 7;
  static constexpr int kLater = 15;

  SlotMemory memory_;
  PriceLadder::Walk soon_;
  PriceLadder::Walk later_;
};

}  // namespace engine

#endif  // ENGINE_BOOK_LEVEL_PREFETCHER_H_
