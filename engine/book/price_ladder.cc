#include "engine/book/price_ladder.h"

#include <algorithm>
#include <map>
#include <memory_resource>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr uint64_t kFirstSize = 64;
constexpr uint64_t kSizeMax = uint64_t{1} << 18;  // 64^3: the reach of three levels of bits.
constexpr uint64_t kRanksPerLevelMax = 256;       // 1 KiB of window.

// A move clears four bytes for each rank; this many lookups in the map cost as much.
uint64_t SearchesThatPay(uint64_t size) { return std::max<uint64_t>(8, size / 32); }

}  // namespace

// What a side with many levels has besides. The map's nodes come from a pool, so that inserting and
// erasing levels allocates nothing.
struct PriceLadder::Wide {
  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::map<int64_t, Slot> far{&pool};
  std::unique_ptr<std::byte[]> memory;              // Of window and bits.
  uint64_t lookups = 0;                             // Outside the window, since it moved.
  uint64_t patience = SearchesThatPay(kFirstSize);  // The lookups after which a move is considered.
};

PriceLadder::PriceLadder() = default;
PriceLadder::~PriceLadder() = default;

void PriceLadder::Clear() {
  size_ = 0;
  window_ = &best_;
  bits0_ = bits1_ = nullptr;
  bits2_ = 0;
  best_rank_ = kNoRank;
  best_ = Slot();
  outside_count_ = 0;
  wide_.reset();
}

uint32_t PriceLadder::PlaceAmongFew(int64_t rank) const {
  uint32_t place = 0;
  while (place < outside_count_ && RankOfFew(place) < rank) ++place;
  return place;
}

bool PriceLadder::FitsFew(int64_t rank) const {
  return rank - few_origin_ == static_cast<int32_t>(rank - few_origin_);
}

Slot PriceLadder::FindOutside(int64_t rank) {
  if (!is_wide()) {
    const uint32_t place = PlaceAmongFew(rank);
    return place < outside_count_ && RankOfFew(place) == rank ? few_[place] : Slot();
  }
  ++wide_->lookups;
  if (outside_count_ == 0) return Slot();
  if (wide_->lookups >= wide_->patience) {
    MoveTowards(rank);
    if (const uint64_t index = IndexOf(rank); index < size_) return window_[index];
  }
  const auto found = wide_->far.find(rank);
  return found == wide_->far.end() ? Slot() : found->second;
}

void PriceLadder::InsertOutside(int64_t rank, Slot level) {
  if (!is_wide()) {
    if (outside_count_ == 0) few_origin_ = rank;
    if (outside_count_ < kFew && FitsFew(rank)) {
      const uint32_t place = PlaceAmongFew(rank);
      for (uint32_t i = outside_count_; i > place; --i) {
        few_ranks_[i] = few_ranks_[i - 1];
        few_[i] = few_[i - 1];
      }
      few_ranks_[place] = static_cast<int32_t>(rank - few_origin_);
      few_[place] = level;
      ++outside_count_;
      size_ = 1;
      base_ = RankOfFew(0);
      return;
    }
    Widen(rank);
  } else if (wide_->lookups >= wide_->patience) {
    MoveTowards(rank);
  }
  SetAnywhere(rank, level);
  outside_count_ = static_cast<uint32_t>(wide_->far.size());
}

void PriceLadder::EraseOutside(int64_t rank) {
  if (is_wide()) {
    CHECK_EQ(wide_->far.erase(rank), 1u) << "rank " << rank;
  } else {
    const uint32_t place = PlaceAmongFew(rank);
    CHECK(place < outside_count_ && RankOfFew(place) == rank) << "rank " << rank;
    for (uint32_t i = place + 1; i < outside_count_; ++i) {
      few_ranks_[i - 1] = few_ranks_[i];
      few_[i - 1] = few_[i];
    }
  }
  --outside_count_;
  if (!is_wide() && outside_count_ == 0) size_ = 0;
}

void PriceLadder::Widen(int64_t rank) {
  wide_ = std::make_unique<Wide>();
  for (uint32_t place = 0; place < outside_count_; ++place) {
    wide_->far.emplace(RankOfFew(place), few_[place]);
  }
  MoveWindow(std::min(best_rank_, rank) - static_cast<int64_t>(kFirstSize / 4), kFirstSize);
}

// Centres the window on `rank` and the best level, or on the best level alone if they are too far
// apart. The window keeps its size if those two span at most half of it and few levels lie outside;
// otherwise it doubles, unless it would be much larger than its levels need. Levels count, because
// a price that moves steadily leaves its levels outside.
void PriceLadder::MoveTowards(int64_t rank) {
  const int64_t best = std::min(best_rank_, rank);
  const int64_t worst = best_rank_ == kNoRank ? rank : std::max(best_rank_, rank);
  const uint64_t span = static_cast<uint64_t>(worst) - static_cast<uint64_t>(best) + 1;
  const uint64_t size_max =
      std::min(kSizeMax, kRanksPerLevelMax * (CountInWindow() + outside_count_));
  const bool is_long_enough = 2 * span <= size_ && 4 * uint64_t{outside_count_} <= size_;
  const bool grows = !is_long_enough && span <= kSizeMax && 2 * size_ <= size_max;
  const uint64_t size = grows ? 2 * size_ : size_;
  const uint64_t before = span <= size ? (size - span) / 2 : size / 4;
  const int64_t base = best - static_cast<int64_t>(before);
  uint64_t leaving = 0;
  VisitWindow([&](int64_t at, Slot) {
    leaving += static_cast<uint64_t>(at - base) >= size;
    return true;
  });
  if (wide_->lookups < leaving) {
    wide_->patience = leaving;
    return;
  }
  wide_->lookups = 0;
  wide_->patience = SearchesThatPay(size);
  if (grows || span <= size || IndexOf(best) >= size_) MoveWindow(base, size);
}

// Costs as much as the levels of the window and those that enter, and the memory of a larger
// window.
void PriceLadder::MoveWindow(int64_t base, uint64_t size) {
  const bool grows = size != size_;
  if (grows) {
    ReplaceWindow(base, size);
  } else {
    ShiftWindow(base);
  }
  std::pmr::map<int64_t, Slot>& far = wide_->far;
  auto entering = far.lower_bound(base_);
  while (entering != far.end() && IndexOf(entering->first) < size_) {
    SetInWindow(IndexOf(entering->first), entering->second);
    entering = far.erase(entering);
  }
  if (grows && far.empty()) wide_->pool.release();
  outside_count_ = static_cast<uint32_t>(far.size());
}

void PriceLadder::SetAnywhere(int64_t rank, Slot level) {
  if (const uint64_t index = IndexOf(rank); index < size_) {
    SetInWindow(index, level);
  } else {
    wide_->far.emplace(rank, level);
  }
}

// In place, in the order in which each level moves to a place that is already free.
void PriceLadder::ShiftWindow(int64_t base) {
  const bool ascends = base > base_;
  const int64_t from = std::exchange(base_, base);
  const uint64_t words = size_ / 64;
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t word = ascends ? i : words - 1 - i;
    for (uint64_t bits = bits0_[word]; bits != 0;) {
      const int bit = ascends ? std::countr_zero(bits) : 63 - std::countl_zero(bits);
      bits &= ~(uint64_t{1} << bit);
      const uint64_t index = 64 * word + static_cast<uint64_t>(bit);
      const Slot level = window_[index];
      ClearInWindow(index);
      SetAnywhere(from + static_cast<int64_t>(index), level);
    }
  }
}

void PriceLadder::ReplaceWindow(int64_t base, uint64_t size) {
  std::vector<std::pair<int64_t, Slot>> levels;
  levels.reserve(CountInWindow());
  VisitWindow([&](int64_t rank, Slot level) {
    levels.emplace_back(rank, level);
    return true;
  });
  const uint64_t words0 = size / 64;
  const uint64_t words1 = (words0 + 63) / 64;
  wide_->memory = std::make_unique<std::byte[]>(8 * (words0 + words1) + sizeof(Slot) * size);
  bits0_ = reinterpret_cast<uint64_t*>(wide_->memory.get());
  bits1_ = bits0_ + words0;
  window_ = reinterpret_cast<Slot*>(bits1_ + words1);
  bits2_ = 0;
  base_ = base;
  size_ = size;
  for (const auto& [rank, level] : levels) SetAnywhere(rank, level);
}

uint64_t PriceLadder::CountInWindow() const {
  uint64_t count = 0;
  for (uint64_t word = 0; word < size_ / 64; ++word) {
    count += static_cast<uint64_t>(std::popcount(bits0_[word]));
  }
  return count;
}

// Enters the next word of bits0 that is not zero, found by bits1 and bits2.
bool PriceLadder::Walk::EnterNextWord() {
  if (!has_more_) return false;
  uint64_t word1 = word_ / 64;
  uint64_t words = ladder_->bits1_[word1] & Above(word_ % 64);
  if (words == 0) {
    const uint64_t above = ladder_->bits2_ & Above(word1);
    has_more_ = above != 0;
    if (!has_more_) return false;
    word1 = static_cast<uint64_t>(std::countr_zero(above));
    words = ladder_->bits1_[word1];
  }
  word_ = 64 * word1 + static_cast<uint64_t>(std::countr_zero(words));
  bits_ = ladder_->bits0_[word_];
  return true;
}

// The erased level was the last below its word of bits1, whose bit in bits2 is the lowest, too.
void PriceLadder::EraseBestOfWord() {
  bits2_ &= bits2_ - 1;
  FindBestAnywhere();
}

void PriceLadder::EraseBestAnywhere() {
  const uint64_t index = IndexOf(best_rank_);
  if (is_wide() && index < size_) {
    ClearInWindow(index);
  } else {
    EraseOutside(best_rank_);
  }
  FindBestAnywhere();
}

void PriceLadder::FindBestAnywhere() {
  best_rank_ = kNoRank;
  best_ = Slot();
  if (bits2_ != 0) {
    const uint64_t index = FirstInWindow();
    best_rank_ = base_ + static_cast<int64_t>(index);
    best_ = window_[index];
  }
  if (outside_count_ == 0) return;
  if (!is_wide()) {
    NoteBest(RankOfFew(0), few_[0]);
    base_ = best_rank_;
  } else {
    NoteBest(wide_->far.begin()->first, wide_->far.begin()->second);
  }
}

void PriceLadder::VisitWindow(absl::FunctionRef<bool(int64_t rank, Slot level)> visit) const {
  for (uint64_t i2 = bits2_; i2 != 0; i2 &= i2 - 1) {
    const auto word1 = static_cast<uint64_t>(std::countr_zero(i2));
    for (uint64_t i1 = bits1_[word1]; i1 != 0; i1 &= i1 - 1) {
      const uint64_t word0 = 64 * word1 + static_cast<uint64_t>(std::countr_zero(i1));
      for (uint64_t i0 = bits0_[word0]; i0 != 0; i0 &= i0 - 1) {
        const uint64_t index = 64 * word0 + static_cast<uint64_t>(std::countr_zero(i0));
        if (!visit(base_ + static_cast<int64_t>(index), window_[index])) return;
      }
    }
  }
}

// Merges two ordered sources: the window and the far levels.
void PriceLadder::Visit(absl::FunctionRef<bool(Slot level)> visit) const {
  if (!is_wide()) {
    for (uint32_t place = 0; place < outside_count_; ++place) {
      if (!visit(few_[place])) return;
    }
    return;
  }
  auto far = wide_->far.begin();
  bool goes_on = true;
  const auto visit_far_before = [&](int64_t rank) {
    for (; goes_on && far != wide_->far.end() && far->first < rank; ++far) {
      goes_on = visit(far->second);
    }
  };
  VisitWindow([&](int64_t rank, Slot level) {
    visit_far_before(rank);
    if (goes_on) goes_on = visit(level);
    return goes_on;
  });
  visit_far_before(kNoRank);
}

void PriceLadder::CheckWide() const {
  uint64_t in_window = 0;
  for (uint64_t index = 0; index < size_; ++index) {
    const bool has_bit = (bits0_[index / 64] >> index % 64 & 1) != 0;
    CHECK_EQ(has_bit, window_[index] != Slot()) << "rank " << base_ + static_cast<int64_t>(index);
    in_window += has_bit;
  }
  uint64_t visited = 0;
  VisitWindow([&](int64_t, Slot) {
    ++visited;
    return true;
  });
  CHECK_EQ(visited, in_window) << "the upper bits hide a level, or show one that is none";
  CHECK_EQ(outside_count_, wide_->far.size());
  for (const auto& [rank, level] : wide_->far) {
    CHECK_GE(IndexOf(rank), size_) << "rank " << rank << " belongs in the window";
    CHECK(level != Slot()) << "rank " << rank;
  }
}

void PriceLadder::CheckInvariants() const {
  std::pair<int64_t, Slot> first = {kNoRank, Slot()};
  if (!is_wide()) {
    CHECK_LE(outside_count_, kFew);
    CHECK_EQ(size_, outside_count_ == 0 ? 0u : 1u);
    CHECK_EQ(window_, &best_);
    CHECK_EQ(bits2_, 0u);
    for (uint32_t place = 0; place < outside_count_; ++place) {
      CHECK(few_[place] != Slot()) << "rank " << RankOfFew(place);
      if (place > 0) CHECK_LT(RankOfFew(place - 1), RankOfFew(place)) << "the few are not in order";
    }
    if (outside_count_ != 0) {
      first = {RankOfFew(0), few_[0]};
      CHECK_EQ(base_, best_rank_);
    }
  } else {
    CheckWide();
    if (bits2_ != 0) {
      first = {base_ + static_cast<int64_t>(FirstInWindow()), window_[FirstInWindow()]};
    }
    if (outside_count_ != 0 && wide_->far.begin()->first < first.first) first = *wide_->far.begin();
  }
  CHECK_EQ(best_rank_, first.first);
  CHECK_EQ(best_, first.second);
}

}  // namespace engine
