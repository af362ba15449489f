#include "engine/base/id_table.h"

#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(IdTable, FindsItsEntriesAndNoOthers) {
  IdTable table;
  EXPECT_EQ(table.Find(0), IdTable::kNone);
  table.Set(0, 7);
  table.Set(~uint64_t{0}, 8);
  EXPECT_EQ(table.Find(0), 7u);
  EXPECT_EQ(table.Find(~uint64_t{0}), 8u);
  EXPECT_EQ(table.Find(1), IdTable::kNone);
  table.Set(0, 9);
  EXPECT_EQ(table.Find(0), 9u);
  EXPECT_EQ(table.size(), 2u);
  table.Erase(0);
  EXPECT_EQ(table.Find(0), IdTable::kNone);
  EXPECT_EQ(table.size(), 1u);
}

TEST(IdTable, ClearRemovesAllIds) {
  IdTable table;
  for (uint64_t id = 0; id < 100; ++id) table.Set(id << 32, 1);
  table.Clear();
  EXPECT_EQ(table.size(), 0u);
  for (uint64_t id = 0; id < 100; ++id) EXPECT_EQ(table.Find(id << 32), IdTable::kNone);
  table.Set(7, 2);
  EXPECT_EQ(table.Find(7), 2u);
  EXPECT_EQ(table.size(), 1u);
}

TEST(IdTable, ErasingAMissingIdIsACheckFailure) {
  IdTable table;
  EXPECT_DEATH(table.Erase(5), "id 5 is not in the table");
  EXPECT_DEATH(table.Erase(0), "id 0 is not in the table");
}

// `any_id` chooses among few ids, so that they collide and repeat.
template <typename AnyId>
void ExpectToBeAMap(AnyId any_id) {
  Prng prng(1);
  IdTable table;
  std::map<uint64_t, uint32_t> model;
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t id = any_id(prng);
    if (prng.Chance(45) && model.contains(id)) {
      table.Erase(id);
      model.erase(id);
    } else {
      const auto value = static_cast<uint32_t>(prng.Below(1000));
      table.Set(id, value);
      model[id] = value;
    }
    ASSERT_EQ(table.size(), model.size());
    const uint64_t other = any_id(prng);
    const auto found = model.find(other);
    ASSERT_EQ(table.Find(other), found == model.end() ? IdTable::kNone : found->second);
  }
  for (const auto& [id, value] : model) ASSERT_EQ(table.Find(id), value);
}

TEST(IdTable, IsAMap) {
  ExpectToBeAMap([](Prng& prng) { return prng.Below(10); });
  ExpectToBeAMap([](Prng& prng) { return prng.Below(5000); });
  ExpectToBeAMap([](Prng& prng) { return prng.Below(300) << 40; });
}

// All of these have the same first slot in a table of any size up to 2^32: one long run.
TEST(IdTable, IsAMapForIdsThatCollide) {
  uint64_t inverse = 1;  // The inverse of the mix's factor, by Newton's iteration.
  for (int i = 0; i < 6; ++i) inverse *= 2 - uint64_t{0x9e37'79b9'7f4a'7c15} * inverse;
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t unmixed = i * inverse;
    ids.push_back(unmixed ^ (unmixed >> 32));
  }
  ExpectToBeAMap([&](Prng& prng) { return ids[prng.Below(ids.size())]; });
}

TEST(IdTable, NeverGrowsWithIdsThatComeAndGo) {
  IdTable table;
  constexpr uint64_t kLive = 100;
  for (uint64_t id = 0; id < 1'000'000; ++id) {
    table.Set(id, static_cast<uint32_t>(id % 1000));
    if (id >= kLive) table.Erase(id - kLive);
  }
  EXPECT_EQ(table.size(), kLive);
  for (uint64_t id = 1'000'000 - kLive; id < 1'000'000; ++id) {
    EXPECT_EQ(table.Find(id), id % 1000);
  }
}

}  // namespace
}  // namespace engine
