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

// A move visits every rank's bit and clears four bytes per rank; this many lookups in the map cost
// as much.
uint32_t SearchesThatPay(uint64_t size) {
  return static_cast<uint32_t>(std::max<uint64_t>(8, size / 32));
}

}  // namespace

// The map's nodes come from a pool, so that inserting and erasing levels allocates nothing.
struct PriceLadder::Far {
  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::map<int64_t, Slot> levels{&pool};
};

Slot PriceLadder::nowhere_;

PriceLadder::PriceLadder() = default;
PriceLadder::~PriceLadder() = default;

Slot PriceLadder::FindOutside(int64_t rank) {
  ++outside_;
  if (far_count_ != 0 && outside_ >= SearchesThatPay(size_)) {
    GrowTowards(rank);
    if (const uint64_t index = IndexOf(rank); index < size_) return window_[index];
  }
  if (far_count_ == 0) return Slot();
  const auto found = far_->levels.find(rank);
  return found == far_->levels.end() ? Slot() : found->second;
}

void PriceLadder::InsertOutside(int64_t rank, Slot level) {
  if (size_ == 0) {
    MoveWindow(rank - static_cast<int64_t>(kFirstSize / 2), kFirstSize);
  } else if (outside_ >= SearchesThatPay(size_)) {
    GrowTowards(rank);
  }
  const uint64_t index = IndexOf(rank);
  if (index < size_) return SetInWindow(index, level);
  InsertFar(rank, level);
}

void PriceLadder::InsertFar(int64_t rank, Slot level) {
  if (far_ == nullptr) far_ = std::make_unique<Far>();
  far_->levels.emplace(rank, level);
  ++far_count_;
}

void PriceLadder::EraseFar(int64_t rank) {
  CHECK_EQ(far_->levels.erase(rank), 1u) << "rank " << rank;
  --far_count_;
}

// Centres the window on `rank` and the best level, or on the best level alone if they are too far
// apart. The window keeps its size if those two span at most half of it and few levels lie outside;
// otherwise it doubles. Levels count, because a price that moves steadily leaves its levels
// outside.
void PriceLadder::GrowTowards(int64_t rank) {
  outside_ = 0;
  const int64_t best = std::min(best_rank_, rank);
  const int64_t worst = best_rank_ == kNoRank ? rank : std::max(best_rank_, rank);
  const uint64_t span = static_cast<uint64_t>(worst) - static_cast<uint64_t>(best) + 1;
  if (span > kSizeMax) {
    if (IndexOf(best) >= size_) MoveWindow(best - static_cast<int64_t>(size_ / 4), size_);
    return;
  }
  const bool is_long_enough = 2 * span <= size_ && 4 * uint64_t{far_count_} <= size_;
  const uint64_t size = is_long_enough ? size_ : std::min(2 * size_, kSizeMax);
  const uint64_t before = span <= size ? (size - span) / 2 : size / 4;
  MoveWindow(best - static_cast<int64_t>(before), size);
}

void PriceLadder::MoveWindow(int64_t base, uint64_t size) {
  std::vector<std::pair<int64_t, Slot>> levels;
  VisitWindow([&](int64_t rank, Slot level) {
    levels.emplace_back(rank, level);
    return true;
  });
  if (far_count_ != 0) {
    levels.insert(levels.end(), far_->levels.begin(), far_->levels.end());
    far_->levels.clear();
    far_count_ = 0;
  }

  const uint64_t words0 = size / 64;
  const uint64_t words1 = (words0 + 63) / 64;
  memory_ = std::make_unique<std::byte[]>(8 * (words0 + words1) + sizeof(Slot) * size);
  bits0_ = reinterpret_cast<uint64_t*>(memory_.get());
  bits1_ = bits0_ + words0;
  window_ = reinterpret_cast<Slot*>(bits1_ + words1);
  bits2_ = 0;
  base_ = base;
  size_ = size;

  for (const auto& [rank, level] : levels) {
    const uint64_t index = IndexOf(rank);
    if (index < size_) {
      SetInWindow(index, level);
    } else {
      InsertFar(rank, level);
    }
  }
  if (far_count_ == 0) far_.reset();  // The pool frees no memory before that.
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
  if (index < size_) {
    ClearInWindow(index);
  } else {
    EraseFar(best_rank_);
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
  if (far_count_ != 0 && far_->levels.begin()->first < best_rank_) {
    std::tie(best_rank_, best_) = *far_->levels.begin();
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
  if (far_count_ == 0) {
    return VisitWindow([&](int64_t, Slot level) { return visit(level); });
  }
  auto far = far_->levels.begin();
  bool goes_on = true;
  const auto visit_far_before = [&](int64_t rank) {
    for (; goes_on && far != far_->levels.end() && far->first < rank; ++far) {
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

void PriceLadder::CheckInvariants() const {
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
  int64_t first = kNoRank;
  Slot level_of_first;
  if (bits2_ != 0) {
    first = base_ + static_cast<int64_t>(FirstInWindow());
    level_of_first = window_[FirstInWindow()];
  }
  CHECK_EQ(far_count_, far_ == nullptr ? 0 : far_->levels.size());
  if (far_count_ != 0) {
    for (const auto& [rank, level] : far_->levels) {
      CHECK_GE(IndexOf(rank), size_) << "rank " << rank << " belongs in the window";
      CHECK(level != Slot()) << "rank " << rank;
    }
    if (far_->levels.begin()->first < first)
      std::tie(first, level_of_first) = *far_->levels.begin();
  }
  CHECK_EQ(best_rank_, first);
  CHECK_EQ(best_, level_of_first);
}

}  // namespace engine
