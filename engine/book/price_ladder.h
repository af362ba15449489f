// The price levels of one side of one book, best first.
//
//   rank     ... 33,501  33,502  33,503  33,504 ...       lower is better, on either side
//   window   [    ·    |   L   |   ·   |   L    ]  size = 2^n ranks, from base_; four bytes each
//   bits0    [    0        1       0       1    ]  which ranks of the window have a level
//   bits1    [             1 for each word of bits0 that is not zero              ]
//   bits2    [             1 for each word of bits1 that is not zero              ]
//   far      rank ─► level, an ordered map: the levels outside the window
//
// Orders arrive near the best price, so their levels are found by index, and the next best level by
// counting trailing zeros three times, at any distance. A rank is an index into the market's
// grid of prices, mirrored for bids. The window starts small, and moves or grows only after as many
// lookups outside it as that costs. A distant price costs a lookup in an ordered map, and slows
// down no other price.
//
// Most sides of most markets have few levels. Until a side has more than kFew, the levels after the
// best are a sorted array in the ladder itself, and its window is the best level alone, so that an
// order joins that level as it joins any other:
//
//   few      [ distance, level | distance, level | ... ]   best first; distances from the best rank
//
// A side has few levels again when its window is empty, still has its first size, and at most
// kFewAgain levels lie outside: fewer than made it, so that no side changes at each command.

#ifndef ENGINE_BOOK_PRICE_LADDER_H_
#define ENGINE_BOOK_PRICE_LADDER_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "absl/functional/function_ref.h"
#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/book/order_slot.h"

namespace engine {

// One cache line. Not thread-safe: owned by its book.
class alignas(64) PriceLadder {
 public:
  static constexpr uint32_t kFew = 5;
  static constexpr uint32_t kFewAgain = 2;
  static constexpr int64_t kNoRank = int64_t{1} << 62;  // A rank can be added without overflow.

  PriceLadder();
  ~PriceLadder();
  PriceLadder(const PriceLadder&) = delete;
  PriceLadder& operator=(const PriceLadder&) = delete;

  // The best level and its rank. If there is no level: the null slot and kNoRank.
  int64_t best_rank() const { return best_rank_; }
  Slot best() const { return best_; }

  // The level at `rank`, or the null slot.
  ENGINE_ALWAYS_INLINE Slot Find(int64_t rank) {
    const uint64_t index = IndexOf(rank);
    if (index < size_) [[likely]] {
      return window_[index];
    }
    return FindOutside(rank);
  }

  // The level at `rank` if it lies in the window, or the null slot.
  ENGINE_ALWAYS_INLINE Slot FindNear(int64_t rank) const {
    const uint64_t index = IndexOf(rank);
    return index < size_ ? window_[index] : Slot();
  }

  // Whether `rank` lies in the window.
  ENGINE_ALWAYS_INLINE bool IsNear(int64_t rank) const { return IndexOf(rank) < size_; }

  // `memory`, which outlives the ladder, has what the ladder has no room for. REQUIRES: there is no
  // level at `rank`, which is closer to zero than 2^62.
  void Insert(int64_t rank, Slot level, std::pmr::memory_resource& memory) {
    if (IsNear(rank)) [[likely]]
      return InsertNear(rank, level);
    InsertOutside(rank, level, memory);
  }
  // The same, without need of memory. REQUIRES: IsNear(rank).
  ENGINE_ALWAYS_INLINE void InsertNear(int64_t rank, Slot level) {
    SetInWindow(IndexOf(rank), level);
    NoteBest(rank, level);
  }

  // REQUIRES: there is a level at `rank`.
  void Erase(int64_t rank) {
    if (rank == best_rank_) return EraseBest();
    const uint64_t index = IndexOf(rank);
    if (index < size_) [[likely]] {
      ClearInWindow(index);
    } else {
      EraseOutside(rank);
    }
  }

  // Erases all levels, and gives back the memory.
  void Clear();

  // The best level is the lowest bit of its word, and its word is the lowest bit of the word above:
  // the next best is usually in a word that has just been read. While the best is in the window,
  // all levels outside it are worse than those inside. REQUIRES: there is a level.
  ENGINE_ALWAYS_INLINE void EraseBest() {
    const uint64_t index = IndexOf(best_rank_);
    if (!is_wide() || index >= size_) [[unlikely]] {
      return EraseBestAnywhere();
    }
    window_[index] = Slot();
    uint64_t word0 = index / 64;
    uint64_t ranks = bits_.words0[word0];
    ranks &= ranks - 1;
    bits_.words0[word0] = ranks;
    if (ranks == 0) {
      uint64_t& words = bits_.words1[index / 4096];
      words &= words - 1;
      if (words == 0) return EraseBestOfWord();
      word0 = index / 4096 * 64 + static_cast<uint64_t>(std::countr_zero(words));
      ranks = bits_.words0[word0];
    }
    const uint64_t next = 64 * word0 + static_cast<uint64_t>(std::countr_zero(ranks));
    best_rank_ = base_ + static_cast<int64_t>(next);
    best_ = window_[next];
  }

  // Visits the levels, best first, until `visit` returns false.
  void Visit(absl::FunctionRef<bool(Slot level)> visit) const;

  // Iterates over the levels in the window after the best, best first: those that a sweeping taker
  // reaches next. Empty if the best level lies outside the window. Valid as long as only the best
  // levels are erased.
  class Walk {
   public:
    explicit Walk(const PriceLadder& ladder) : ladder_(&ladder) {
      const uint64_t index = ladder.IndexOf(ladder.best_rank_);
      if (!ladder.is_wide() || index >= ladder.size_) return;
      word_ = index / 64;
      bits_ = ladder.bits_.words0[word_] & Above(index % 64);
      has_more_ = true;
    }
    // The next level, or the null slot after the last.
    ENGINE_ALWAYS_INLINE Slot Next() {
      if (bits_ == 0 && !EnterNextWord()) return Slot();
      const auto bit = static_cast<uint64_t>(std::countr_zero(bits_));
      bits_ &= bits_ - 1;
      return ladder_->window_[64 * word_ + bit];
    }

   private:
    ENGINE_OUT_OF_LINE bool EnterNextWord();

    const PriceLadder* ladder_;
    uint64_t word_ = 0;
    uint64_t bits_ = 0;      // The bits of the word whose levels have not been returned.
    bool has_more_ = false;  // Later words may have levels.
  };

  // Prefetches what finding, inserting and erasing the level at `rank` reads. Accepts any rank.
  ENGINE_ALWAYS_INLINE void Prefetch(int64_t rank) const {
    const uint64_t index = IndexAhead(rank);
    PrefetchToWrite(&window_[index]);
    PrefetchToWrite(&bits_.words0[index / 64]);
  }

  // The window's entry for `rank`, or its first entry if `rank` lies outside. A hint for
  // prefetching. Accepts any rank.
  ENGINE_ALWAYS_INLINE const Slot* PlaceAhead(int64_t rank) const {
    return &window_[IndexAhead(rank)];
  }

  // CHECKs that window, bits, few, far levels and best agree.
  void CheckInvariants() const;

 private:
  struct Wide;
  struct Bits {
    uint64_t* words0;
    uint64_t* words1;
    uint64_t words2;
    Wide* wide;  // Owned.
  };
  // What follows the last level is zero.
  struct Few {
    std::array<uint32_t, kFew - 1> distances;
    std::array<Slot, kFew - 1> levels;
  };

  uint64_t IndexOf(int64_t rank) const {
    return static_cast<uint64_t>(rank) - static_cast<uint64_t>(base_);
  }
  // The index of `rank` in the window, or 0 if it lies outside. Branch-free: whether a rank lies in
  // the window depends on whether the command has a price, which a branch predictor cannot learn.
  ENGINE_ALWAYS_INLINE uint64_t IndexAhead(int64_t rank) const {
    const uint64_t index = IndexOf(rank);
    return index & (uint64_t{0} - uint64_t{index < size_});
  }
  // All bits of a word above `bit`.
  static uint64_t Above(uint64_t bit) { return ~uint64_t{1} << bit; }
  // Updates the best level after an insertion at `rank`.
  void NoteBest(int64_t rank, Slot level) {
    if (rank < best_rank_) {
      best_rank_ = rank;
      best_ = level;
    }
  }
  void SetInWindow(uint64_t index, Slot level) {
    window_[index] = level;
    bits_.words0[index / 64] |= uint64_t{1} << index % 64;
    bits_.words1[index / 4096] |= uint64_t{1} << index / 64 % 64;
    bits_.words2 |= uint64_t{1} << index / 4096;
  }
  void ClearInWindow(uint64_t index) {
    window_[index] = Slot();
    uint64_t& word0 = bits_.words0[index / 64];
    word0 &= ~(uint64_t{1} << index % 64);
    uint64_t& word1 = bits_.words1[index / 4096];
    word1 &= ~(uint64_t{word0 == 0} << index / 64 % 64);
    bits_.words2 &= ~(uint64_t{word1 == 0} << index / 4096);
  }
  // The index of the best level in the window. REQUIRES: the window has a level.
  uint64_t FirstInWindow() const {
    const auto word1 = static_cast<uint64_t>(std::countr_zero(bits_.words2));
    const uint64_t word0 =
        64 * word1 + static_cast<uint64_t>(std::countr_zero(bits_.words1[word1]));
    return 64 * word0 + static_cast<uint64_t>(std::countr_zero(bits_.words0[word0]));
  }
  ENGINE_OUT_OF_LINE Slot FindOutside(int64_t rank);
  ENGINE_OUT_OF_LINE void InsertOutside(int64_t rank, Slot level,
                                        std::pmr::memory_resource& memory);
  ENGINE_OUT_OF_LINE void EraseOutside(int64_t rank);
  ENGINE_OUT_OF_LINE void EraseBestOfWord();
  ENGINE_OUT_OF_LINE void EraseBestAnywhere();
  void FindBestAnywhere();
  void VisitWindow(absl::FunctionRef<bool(int64_t rank, Slot level)> visit) const;

  // Whether there are window, bits and far levels, instead of the few.
  bool is_wide() const { return size_ > 1; }
  bool HasRoomForFew(int64_t rank) const;
  // The levels after the best.
  uint32_t CountFew() const;
  int64_t RankOfFew(uint32_t place) const { return best_rank_ + few_.distances[place]; }
  // Where the level at `rank` is after the best; kFew - 1 if it is not.
  uint32_t PlaceOfFew(int64_t rank) const;
  void InsertFew(int64_t rank, Slot level);
  void EraseFew(int64_t rank);
  // Makes the best rank `by` lower, and all distances from it as much longer.
  void LowerBest(int64_t by);
  // Replaces the few by a window that begins near the best level and `rank`.
  void Widen(int64_t rank, std::pmr::memory_resource& memory);
  // Replaces an empty window by the few, if there are as few again.
  void NarrowIfFew();
  // Considers moving the window after many lookups outside it, the last of which for `rank`.
  ENGINE_OUT_OF_LINE void MoveTowards(int64_t rank);
  void MoveWindow(int64_t base, uint64_t size);
  // Move the window's levels to where they belong in another window, or to the far levels.
  void ShiftWindow(int64_t base);
  void ReplaceWindow(int64_t base, uint64_t size);
  // Makes an empty window.
  void BeginWindow(int64_t base, uint64_t size);
  // Sets the level in the window, or adds it to the far levels.
  void SetAnywhere(int64_t rank, Slot level);
  uint64_t CountInWindow() const;
  void CheckFew() const;
  // CHECKs that window and bits agree, and that the far levels lie outside.
  void CheckWide() const;

  int64_t base_ = 0;       // The rank of the window's first entry.
  Slot* window_ = &best_;  // In wide, as are the bits; of the few, the best level.
  int64_t best_rank_ = kNoRank;
  Slot best_;
  uint32_t size_ = 0;  // Of the window: of the few, 1 if there is a level.
  union {
    Few few_ = {};
    Bits bits_;
  };
};
static_assert(sizeof(PriceLadder) == 64);

}  // namespace engine

#endif  // ENGINE_BOOK_PRICE_LADDER_H_
