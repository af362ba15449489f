#include "engine/book/price_ladder.h"

#include <algorithm>
#include <array>
#include <limits>
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

// What a side with many levels has besides.
struct PriceLadder::Wide {
  explicit Wide(std::pmr::memory_resource& from) : far(&from), memory(&from) {}

  std::pmr::map<int64_t, Slot> far;
  std::pmr::vector<uint64_t> memory;                // Of window and bits.
  uint64_t lookups = 0;                             // Outside the window, since it moved.
  uint64_t patience = SearchesThatPay(kFirstSize);  // The lookups after which a move is considered.
};

PriceLadder::PriceLadder() = default;
PriceLadder::~PriceLadder() { Clear(); }

void PriceLadder::Clear() {
  if (is_wide()) {
    std::pmr::polymorphic_allocator<> allocator = bits_.wide->memory.get_allocator();
    allocator.delete_object(bits_.wide);
  }
  size_ = 0;
  window_ = &best_;
  best_rank_ = kNoRank;
  best_ = Slot();
  few_ = {};
}

uint32_t PriceLadder::CountFew() const {
  uint32_t count = 0;
  while (count < few_.levels.size() && few_.levels[count] != Slot()) ++count;
  return count;
}

// A place that is not used has the distance zero, which no other rank has.
uint32_t PriceLadder::PlaceOfFew(int64_t rank) const {
  const uint64_t distance = static_cast<uint64_t>(rank) - static_cast<uint64_t>(best_rank_);
  uint32_t place = 0;
  while (place < few_.distances.size() && few_.distances[place] != distance) ++place;
  return place;
}

bool PriceLadder::HasRoomForFew(int64_t rank) const {
  if (best_ == Slot()) return true;
  const uint32_t count = CountFew();
  if (count == few_.levels.size()) return false;
  const int64_t last = count == 0 ? best_rank_ : RankOfFew(count - 1);
  return std::max(last, rank) - std::min(best_rank_, rank) <= std::numeric_limits<uint32_t>::max();
}

void PriceLadder::LowerBest(int64_t by) {
  best_rank_ = base_ = best_rank_ - by;
  for (uint32_t place = 0, count = CountFew(); place < count; ++place) {
    few_.distances[place] = static_cast<uint32_t>(few_.distances[place] + by);
  }
}

void PriceLadder::InsertFew(int64_t rank, Slot level) {
  if (best_ == Slot()) {
    size_ = 1;
    best_ = level;
    best_rank_ = base_ = rank;
    return;
  }
  int64_t distance = rank - best_rank_;
  if (distance < 0) {
    distance = -distance;
    LowerBest(distance);
    std::swap(best_, level);
  }
  uint32_t place = CountFew();
  for (; place > 0 && few_.distances[place - 1] > distance; --place) {
    few_.distances[place] = few_.distances[place - 1];
    few_.levels[place] = few_.levels[place - 1];
  }
  few_.distances[place] = static_cast<uint32_t>(distance);
  few_.levels[place] = level;
}

void PriceLadder::EraseFew(int64_t rank) {
  uint32_t place = 0;
  if (rank == best_rank_) {
    if (few_.levels[0] == Slot()) return Clear();
    best_ = few_.levels[0];
    LowerBest(-int64_t{few_.distances[0]});
  } else {
    place = PlaceOfFew(rank);
    CHECK_LT(place, few_.levels.size()) << "rank " << rank;
  }
  for (; place + 1 < few_.levels.size(); ++place) {
    few_.distances[place] = few_.distances[place + 1];
    few_.levels[place] = few_.levels[place + 1];
  }
  few_.distances[place] = 0;
  few_.levels[place] = Slot();
}

Slot PriceLadder::FindOutside(int64_t rank) {
  if (!is_wide()) {
    const uint32_t place = PlaceOfFew(rank);
    return place < few_.levels.size() ? few_.levels[place] : Slot();
  }
  Wide& wide = *bits_.wide;
  ++wide.lookups;
  if (wide.far.empty()) return Slot();
  if (wide.lookups >= wide.patience) {
    MoveTowards(rank);
    if (const uint64_t index = IndexOf(rank); index < size_) return window_[index];
  }
  const auto found = wide.far.find(rank);
  return found == wide.far.end() ? Slot() : found->second;
}

void PriceLadder::InsertOutside(int64_t rank, Slot level, std::pmr::memory_resource& memory) {
  if (!is_wide()) {
    if (HasRoomForFew(rank)) return InsertFew(rank, level);
    Widen(rank, memory);
  } else if (bits_.wide->lookups >= bits_.wide->patience) {
    MoveTowards(rank);
  }
  SetAnywhere(rank, level);
  NoteBest(rank, level);
}

void PriceLadder::EraseOutside(int64_t rank) {
  if (!is_wide()) return EraseFew(rank);
  CHECK_EQ(bits_.wide->far.erase(rank), 1u) << "rank " << rank;
  FindBestAnywhere();
}

void PriceLadder::Widen(int64_t rank, std::pmr::memory_resource& memory) {
  const Few few = few_;
  const uint32_t count = CountFew();
  bits_ = {.words0 = nullptr,
           .words1 = nullptr,
           .words2 = 0,
           .wide = std::pmr::polymorphic_allocator<>(&memory).new_object<Wide>(memory)};
  BeginWindow(std::min(best_rank_, rank) - static_cast<int64_t>(kFirstSize / 4), kFirstSize);
  SetAnywhere(best_rank_, best_);
  for (uint32_t place = 0; place < count; ++place) {
    SetAnywhere(best_rank_ + few.distances[place], few.levels[place]);
  }
}

void PriceLadder::NarrowIfFew() {
  if (bits_.words2 != 0 || size_ != kFirstSize || bits_.wide->far.size() > kFewAgain) return;
  std::array<std::pair<int64_t, Slot>, kFewAgain> few;
  const auto end = std::copy(bits_.wide->far.begin(), bits_.wide->far.end(), few.begin());
  Clear();
  for (auto level = few.begin(); level != end; ++level) InsertFew(level->first, level->second);
}

// Centres the window on `rank` and the best level, or on the best level alone if they are too far
// apart. The window keeps its size if those two span at most half of it and few levels lie outside;
// otherwise it doubles, unless it would be much larger than its levels need. Levels count, because
// a price that moves steadily leaves its levels outside.
void PriceLadder::MoveTowards(int64_t rank) {
  const int64_t best = std::min(best_rank_, rank);
  const int64_t worst = best_rank_ == kNoRank ? rank : std::max(best_rank_, rank);
  const uint64_t span = static_cast<uint64_t>(worst) - static_cast<uint64_t>(best) + 1;
  const uint64_t far_count = bits_.wide->far.size();
  const uint64_t size_max = std::min(kSizeMax, kRanksPerLevelMax * (CountInWindow() + far_count));
  const bool is_long_enough = 2 * span <= size_ && 16 * far_count <= size_;
  const bool grows = !is_long_enough && span <= kSizeMax && 2 * size_ <= size_max;
  const uint64_t size = grows ? 2 * size_ : size_;
  const uint64_t before = span <= size ? (size - span) / 2 : size / 4;
  const int64_t base = best - static_cast<int64_t>(before);
  uint64_t leaving = 0;
  VisitWindow([&](int64_t at, Slot) {
    leaving += static_cast<uint64_t>(at - base) >= size;
    return true;
  });
  if (bits_.wide->lookups < leaving) {
    bits_.wide->patience = leaving;
    return;
  }
  bits_.wide->lookups = 0;
  bits_.wide->patience = SearchesThatPay(size);
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
  std::pmr::map<int64_t, Slot>& far = bits_.wide->far;
  auto entering = far.lower_bound(base_);
  while (entering != far.end() && IndexOf(entering->first) < size_) {
    SetInWindow(IndexOf(entering->first), entering->second);
    entering = far.erase(entering);
  }
}

void PriceLadder::SetAnywhere(int64_t rank, Slot level) {
  if (const uint64_t index = IndexOf(rank); index < size_) {
    SetInWindow(index, level);
  } else {
    bits_.wide->far.emplace(rank, level);
  }
}

// In place, in the order in which each level moves to a place that is already free.
void PriceLadder::ShiftWindow(int64_t base) {
  const bool ascends = base > base_;
  const int64_t from = std::exchange(base_, base);
  const uint64_t words = size_ / 64;
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t word = ascends ? i : words - 1 - i;
    for (uint64_t bits = bits_.words0[word]; bits != 0;) {
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
  BeginWindow(base, size);
  for (const auto& [rank, level] : levels) SetAnywhere(rank, level);
}

void PriceLadder::BeginWindow(int64_t base, uint64_t size) {
  const uint64_t words0 = size / 64;
  const uint64_t words1 = (words0 + 63) / 64;
  std::pmr::vector<uint64_t>& memory = bits_.wide->memory;
  memory = std::pmr::vector<uint64_t>(words0 + words1 + sizeof(Slot) * size / sizeof(uint64_t),
                                      memory.get_allocator());
  bits_.words0 = memory.data();
  bits_.words1 = bits_.words0 + words0;
  window_ = reinterpret_cast<Slot*>(bits_.words1 + words1);
  bits_.words2 = 0;
  base_ = base;
  size_ = static_cast<uint32_t>(size);
}

uint64_t PriceLadder::CountInWindow() const {
  uint64_t count = 0;
  for (uint64_t word = 0; word < size_ / 64; ++word) {
    count += static_cast<uint64_t>(std::popcount(bits_.words0[word]));
  }
  return count;
}

// Enters the next word of bits0 that is not zero, found by bits1 and bits2.
bool PriceLadder::Walk::EnterNextWord() {
  if (!has_more_ || !ladder_->is_wide()) return false;
  uint64_t word1 = word_ / 64;
  uint64_t words = ladder_->bits_.words1[word1] & Above(word_ % 64);
  if (words == 0) {
    const uint64_t above = ladder_->bits_.words2 & Above(word1);
    has_more_ = above != 0;
    if (!has_more_) return false;
    word1 = static_cast<uint64_t>(std::countr_zero(above));
    words = ladder_->bits_.words1[word1];
  }
  word_ = 64 * word1 + static_cast<uint64_t>(std::countr_zero(words));
  bits_ = ladder_->bits_.words0[word_];
  return true;
}

// The erased level was the last below its word of bits1, whose bit in bits2 is the lowest, too.
void PriceLadder::EraseBestOfWord() {
  bits_.words2 &= bits_.words2 - 1;
  FindBestAnywhere();
}

void PriceLadder::EraseBestAnywhere() {
  const uint64_t index = IndexOf(best_rank_);
  if (!is_wide() || index >= size_) return EraseOutside(best_rank_);
  ClearInWindow(index);
  FindBestAnywhere();
}

void PriceLadder::FindBestAnywhere() {
  NarrowIfFew();
  if (!is_wide()) return;
  best_rank_ = kNoRank;
  best_ = Slot();
  if (bits_.words2 != 0) {
    const uint64_t index = FirstInWindow();
    best_rank_ = base_ + static_cast<int64_t>(index);
    best_ = window_[index];
  }
  if (const auto& far = bits_.wide->far; !far.empty()) {
    NoteBest(far.begin()->first, far.begin()->second);
  }
}

void PriceLadder::VisitWindow(absl::FunctionRef<bool(int64_t rank, Slot level)> visit) const {
  if (!is_wide()) return;
  for (uint64_t i2 = bits_.words2; i2 != 0; i2 &= i2 - 1) {
    const auto word1 = static_cast<uint64_t>(std::countr_zero(i2));
    for (uint64_t i1 = bits_.words1[word1]; i1 != 0; i1 &= i1 - 1) {
      const uint64_t word0 = 64 * word1 + static_cast<uint64_t>(std::countr_zero(i1));
      for (uint64_t i0 = bits_.words0[word0]; i0 != 0; i0 &= i0 - 1) {
        const uint64_t index = 64 * word0 + static_cast<uint64_t>(std::countr_zero(i0));
        if (!visit(base_ + static_cast<int64_t>(index), window_[index])) return;
      }
    }
  }
}

// Merges two ordered sources: the window and the far levels.
void PriceLadder::Visit(absl::FunctionRef<bool(Slot level)> visit) const {
  if (!is_wide()) {
    bool goes_on = best_ != Slot() && visit(best_);
    for (uint32_t place = 0, count = CountFew(); goes_on && place < count; ++place) {
      goes_on = visit(few_.levels[place]);
    }
    return;
  }
  auto far = bits_.wide->far.begin();
  bool goes_on = true;
  const auto visit_far_before = [&](int64_t rank) {
    for (; goes_on && far != bits_.wide->far.end() && far->first < rank; ++far) {
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
    const bool has_bit = (bits_.words0[index / 64] >> index % 64 & 1) != 0;
    CHECK_EQ(has_bit, window_[index] != Slot()) << "rank " << base_ + static_cast<int64_t>(index);
    in_window += has_bit;
  }
  uint64_t visited = 0;
  VisitWindow([&](int64_t, Slot) {
    ++visited;
    return true;
  });
  CHECK_EQ(visited, in_window) << "the upper bits hide a level, or show one that is none";
  for (const auto& [rank, level] : bits_.wide->far) {
    CHECK_GE(IndexOf(rank), size_) << "rank " << rank << " belongs in the window";
    CHECK(level != Slot()) << "rank " << rank;
  }
}

void PriceLadder::CheckFew() const {
  const uint32_t count = CountFew();
  CHECK_EQ(size_, best_ == Slot() ? 0u : 1u);
  CHECK_EQ(window_, &best_);
  CHECK_EQ(base_, best_ == Slot() ? base_ : best_rank_);
  CHECK(best_ != Slot() || (count == 0 && best_rank_ == kNoRank)) << "the best is lost";
  for (uint32_t place = 0; place < few_.levels.size(); ++place) {
    const uint32_t before = place == 0 ? 0 : few_.distances[place - 1];
    if (place < count) CHECK_LT(before, few_.distances[place]) << "the few are not in order";
    if (place >= count) {
      CHECK(few_.distances[place] == 0 && few_.levels[place] == Slot()) << "place " << place;
    }
  }
}

void PriceLadder::CheckInvariants() const {
  if (!is_wide()) return CheckFew();
  CheckWide();
  const auto& far = bits_.wide->far;
  std::pair<int64_t, Slot> first = {kNoRank, Slot()};
  if (bits_.words2 != 0) {
    first = {base_ + static_cast<int64_t>(FirstInWindow()), window_[FirstInWindow()]};
  }
  if (!far.empty() && far.begin()->first < first.first) first = *far.begin();
  CHECK_EQ(best_rank_, first.first);
  CHECK_EQ(best_, first.second);
}

}  // namespace engine
