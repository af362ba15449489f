#include "engine/book/price_ladder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <set>
#include <vector>

#include "engine/base/prng.h"
#include "engine/book/order_slot.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// A ladder with memory of its own.
class TestLadder {
 public:
  void Insert(int64_t rank, Slot level) { ladder_.Insert(rank, level, memory_); }

  const PriceLadder& operator*() const { return ladder_; }
  PriceLadder* operator->() { return &ladder_; }

 private:
  std::pmr::unsynchronized_pool_resource memory_;
  PriceLadder ladder_;
};

std::vector<Slot> LevelsOf(const PriceLadder& ladder) {
  std::vector<Slot> levels;
  ladder.Visit([&](Slot level) {
    levels.push_back(level);
    return true;
  });
  return levels;
}

TEST(PriceLadderTest, BestIsTheLowestRank) {
  TestLadder ladder;
  EXPECT_EQ(ladder->best_rank(), PriceLadder::kNoRank);
  EXPECT_EQ(ladder->best(), Slot());
  ladder.Insert(10, Slot(1));
  ladder.Insert(5, Slot(2));
  ladder.Insert(7, Slot(3));
  EXPECT_EQ(ladder->best_rank(), 5);
  EXPECT_EQ(ladder->best(), Slot(2));
  ladder->Erase(5);
  EXPECT_EQ(ladder->best_rank(), 7);
  ladder->Erase(7);
  ladder->Erase(10);
  EXPECT_EQ(ladder->best_rank(), PriceLadder::kNoRank);
}

TEST(PriceLadderTest, VisitsBestFirstUntilTheVisitorStops) {
  TestLadder ladder;
  ladder.Insert(100, Slot(4));
  ladder.Insert(-100, Slot(2));
  ladder.Insert(3'000'000'000, Slot(5));
  ladder.Insert(-3'000'000'000, Slot(1));
  ladder.Insert(0, Slot(3));
  EXPECT_EQ(LevelsOf(*ladder), (std::vector<Slot>{Slot(1), Slot(2), Slot(3), Slot(4), Slot(5)}));
  int visited = 0;
  ladder->Visit([&](Slot) { return ++visited < 2; });
  EXPECT_EQ(visited, 2);
}

// Makes a window, which the few levels at `rank` and below it do not need.
void Widen(TestLadder& ladder, int64_t rank) {
  for (uint32_t i = 0; i <= PriceLadder::kFew; ++i) ladder.Insert(rank - i, Slot(100 + i));
}

TEST(PriceLadderTest, FarLevelsThatAreOftenSearchedMoveTheWindow) {
  TestLadder ladder;
  Widen(ladder, 0);
  ladder.Insert(1'000, Slot(2));
  EXPECT_EQ(ladder->FindNear(1'000), Slot());
  for (int i = 0; i < 200; ++i) ASSERT_EQ(ladder->Find(1'000), Slot(2));
  EXPECT_EQ(ladder->FindNear(1'000), Slot(2));
  EXPECT_EQ(ladder->FindNear(0), Slot(100));
  ladder->CheckInvariants();

  // A level that no window reaches stays, and so do the others.
  constexpr int64_t kBeyond = 3'000'000'000;
  ladder.Insert(kBeyond, Slot(3));
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(ladder->Find(kBeyond), Slot(3));
  EXPECT_EQ(ladder->FindNear(0), Slot(100));
  EXPECT_EQ(LevelsOf(*ladder), (std::vector<Slot>{Slot(105), Slot(104), Slot(103), Slot(102),
                                                  Slot(101), Slot(100), Slot(2), Slot(3)}));
  ladder->CheckInvariants();
}

TEST(PriceLadderTest, FewLevelsNeedNoWindow) {
  TestLadder ladder;
  for (uint32_t i = 0; i < PriceLadder::kFew; ++i) {
    ladder.Insert((i % 2 == 0 ? 1 : -1) * int64_t{1'000'000} * i, Slot(i + 1));
    ladder->CheckInvariants();
  }
  EXPECT_EQ(LevelsOf(*ladder), (std::vector<Slot>{Slot(4), Slot(2), Slot(1), Slot(3), Slot(5)}));
  EXPECT_EQ(ladder->FindNear(-3'000'000), Slot(4)) << "an order joins the best level in one step";
  EXPECT_FALSE(ladder->IsNear(0));
  ladder.Insert(7, Slot(7));
  ladder->CheckInvariants();
  EXPECT_EQ(LevelsOf(*ladder),
            (std::vector<Slot>{Slot(4), Slot(2), Slot(1), Slot(7), Slot(3), Slot(5)}));
}

// A window has room for ranks next to the best; the array of few levels has not.
TEST(PriceLadderTest, LevelsAreFewAgainWhenTheWindowIsEmpty) {
  TestLadder ladder;
  Widen(ladder, 0);
  ladder.Insert(1'000, Slot(1));
  ladder.Insert(-1'000, Slot(2));
  EXPECT_EQ(ladder->best(), Slot(2));
  for (uint32_t i = 0; i <= PriceLadder::kFew; ++i) {
    EXPECT_EQ(ladder->FindNear(0), i == 0 ? Slot(100) : Slot()) << "a window while it has levels";
    ladder->Erase(-int64_t{i});
    ladder->CheckInvariants();
  }
  EXPECT_EQ(LevelsOf(*ladder), (std::vector<Slot>{Slot(2), Slot(1)}));
  EXPECT_FALSE(ladder->IsNear(-999)) << "the window is the best level alone";
  Widen(ladder, 0);
  EXPECT_EQ(ladder->Find(1'000), Slot(1));
  ladder->CheckInvariants();
}

// One level more or less than the few changes nothing else, nor does it allocate.
TEST(PriceLadderTest, SideAlternatesBetweenFewAndManyLevels) {
  TestLadder ladder;
  for (uint32_t i = 0; i < PriceLadder::kFew; ++i) ladder.Insert(i * 1'000, Slot(i + 1));
  for (uint32_t round = 0; round < 1'000; ++round) {
    const int64_t rank = round % 7 * 900 - 1;
    ASSERT_EQ(ladder->Find(rank), Slot());
    ladder.Insert(rank, Slot(100));
    ladder->CheckInvariants();
    ASSERT_EQ(LevelsOf(*ladder).size(), PriceLadder::kFew + 1);
    ladder->Erase(rank);
    ladder->CheckInvariants();
    ASSERT_EQ(LevelsOf(*ladder).size(), PriceLadder::kFew);
  }
}

TEST(PriceLadderTest, FewLevelsAreFoundUntilTheLastIsErased) {
  TestLadder ladder;
  for (const int64_t rank : {50, 10, 30}) {
    ladder.Insert(rank, Slot(static_cast<uint32_t>(rank)));
    ladder->CheckInvariants();
  }
  for (const int64_t rank : {10, 50, 30}) {
    EXPECT_EQ(ladder->Find(rank), Slot(static_cast<uint32_t>(rank)));
    ladder->Erase(rank);
    EXPECT_EQ(ladder->Find(rank), Slot());
    ladder->CheckInvariants();
  }
  EXPECT_EQ(ladder->best(), Slot());
  EXPECT_FALSE(ladder->IsNear(30));
}

TEST(PriceLadderTest, FewLevelsMayLieFartherApartThanTheirArrayCanStore) {
  TestLadder ladder;
  constexpr int64_t kApart = int64_t{1} << 40;
  for (const int64_t i : {0, 3, -2, 1}) {
    ladder.Insert(i * kApart, Slot(static_cast<uint32_t>(i + 10)));
    ladder->CheckInvariants();
  }
  EXPECT_EQ(LevelsOf(*ladder), (std::vector<Slot>{Slot(8), Slot(10), Slot(11), Slot(13)}));
  ladder->Erase(-2 * kApart);
  EXPECT_EQ(ladder->best(), Slot(10));
  EXPECT_EQ(ladder->Find(3 * kApart), Slot(13));
}

TEST(PriceLadderTest, LevelsFarFromASteadyPriceStayNear) {
  constexpr int64_t kLevels = 10'000;
  TestLadder ladder;
  for (int64_t i = 0; i < kLevels; ++i) {
    ASSERT_EQ(ladder->Find(-i), Slot());  // As a book does first.
    ladder.Insert(-i, Slot(static_cast<uint32_t>(i) + 1));
  }
  int64_t near = 0;
  for (int64_t i = 0; i < kLevels; ++i) near += ladder->FindNear(-i) == Slot() ? 0 : 1;
  EXPECT_GT(near, kLevels / 2);
  ladder->CheckInvariants();
}

// A level at rank r is Slot(r + 1).
TEST(PriceLadderTest, WalksTheLevelsAfterTheBest) {
  Prng prng(5);
  for (int round = 0; round < 2'000; ++round) {
    TestLadder ladder;
    std::set<int64_t> ranks;
    const bool is_wide = round % 200 == 0;
    const uint64_t spread = is_wide ? 200'000 : 1 + prng.Below(500);
    const auto any_rank = [&] { return static_cast<int64_t>(prng.Below(spread)); };
    for (uint64_t i = 1 + prng.Below(std::min<uint64_t>(spread, 500)); i > 0; --i) {
      const int64_t rank = any_rank();
      if (ranks.insert(rank).second) ladder.Insert(rank, Slot(static_cast<uint32_t>(rank) + 1));
    }
    for (int i = is_wide ? 50'000 : 0; i > 0; --i) ladder->Find(any_rank());  // It grows.
    while (ladder->best_rank() != PriceLadder::kNoRank) {
      std::vector<Slot> after;
      for (const int64_t rank : ranks) {
        if (rank == ladder->best_rank()) continue;
        // The walk neither leaves the window nor starts outside it.
        if (ladder->FindNear(rank) == Slot() || ladder->FindNear(ladder->best_rank()) == Slot())
          continue;
        after.emplace_back(static_cast<uint32_t>(rank) + 1);
      }
      std::vector<Slot> walked;
      PriceLadder::Walk walk(*ladder);
      for (Slot level = walk.Next(); level != Slot(); level = walk.Next()) walked.push_back(level);
      ASSERT_EQ(walked, after) << "round " << round;
      ASSERT_EQ(walk.Next(), Slot()) << "after the last";
      ranks.erase(ladder->best_rank());
      ladder->EraseBest();
    }
    EXPECT_EQ(PriceLadder::Walk(*ladder).Next(), Slot()) << "the ladder is empty";
  }
}

// As an ordered map would be, for spreads from one word of bits to far beyond any window, about a
// price that stays, drifts or jumps.
TEST(PriceLadderTest, IsAnOrderedMap) {
  for (const int64_t spread :
       {int64_t{3}, int64_t{60}, int64_t{5'000}, int64_t{200'000}, int64_t{1'000'000'000}}) {
    for (const int64_t drift : {int64_t{0}, int64_t{2}, int64_t{-3000}, int64_t{1'000'000'000}}) {
      Prng prng(static_cast<uint64_t>(spread + drift + 7));
      TestLadder ladder;
      std::map<int64_t, Slot> expected;
      int64_t middle = 0;
      uint32_t next_slot = 1;
      for (int step = 0; step < 6'000; ++step) {
        if (prng.Chance(5)) middle += drift;
        const int64_t rank = middle + prng.Between(-spread, spread);
        const auto found = expected.find(rank);
        ASSERT_EQ(ladder->Find(rank), found == expected.end() ? Slot() : found->second);
        if (found == expected.end()) {
          expected[rank] = Slot(next_slot);
          ladder.Insert(rank, Slot(next_slot++));
        }
        while (!expected.empty() && (expected.size() > 300 || prng.Chance(45))) {
          auto erased = prng.Chance(50)
                            ? expected.begin()
                            : expected.lower_bound(middle + prng.Between(-spread, spread));
          if (erased == expected.end()) erased = expected.begin();
          ladder->Erase(erased->first);
          expected.erase(erased);
        }
        ASSERT_EQ(ladder->best_rank(),
                  expected.empty() ? PriceLadder::kNoRank : expected.begin()->first);
        ASSERT_EQ(ladder->best(), expected.empty() ? Slot() : expected.begin()->second);
        if (step % 500 == 0) {
          ladder->CheckInvariants();
          std::vector<Slot> in_order;
          for (const auto& [at, slot] : expected) in_order.push_back(slot);
          ASSERT_EQ(LevelsOf(*ladder), in_order);
        }
      }
    }
  }
}

}  // namespace
}  // namespace engine
