#include "engine/base/dense_id_table.h"

#include <cstdint>
#include <map>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(DenseIdTable, FindsItsEntriesAndNoOthers) {
  DenseIdTable table;
  EXPECT_EQ(table.Find(0), DenseIdTable::kNone);
  table.Set(0, 7);
  table.Set(~uint64_t{0}, 8);
  EXPECT_EQ(table.Find(0), 7u);
  EXPECT_EQ(table.Find(~uint64_t{0}), 8u);
  EXPECT_EQ(table.Find(1), DenseIdTable::kNone);
  table.Set(0, 9);
  EXPECT_EQ(table.Find(0), 9u);
  EXPECT_EQ(table.size(), 2u);
  table.Erase(0);
  EXPECT_EQ(table.Find(0), DenseIdTable::kNone);
  EXPECT_EQ(table.size(), 1u);
}

TEST(DenseIdTable, ClearRemovesAllIds) {
  DenseIdTable table;
  for (uint64_t id = 0; id < 100; ++id) table.Set(id << 32, 1);
  table.Clear();
  EXPECT_EQ(table.size(), 0u);
  for (uint64_t id = 0; id < 100; ++id) EXPECT_EQ(table.Find(id << 32), DenseIdTable::kNone);
  table.Set(7, 2);
  EXPECT_EQ(table.Find(7), 2u);
  EXPECT_EQ(table.size(), 1u);
}

TEST(DenseIdTable, ErasingAMissingIdIsACheckFailure) {
  DenseIdTable table;
  EXPECT_DEATH(table.Erase(5), "id 5 is not in the table");
  EXPECT_DEATH(table.Erase(0), "id 0 is not in the table");
}

// `any_id` chooses among few ids, so that they collide and repeat.
template <typename AnyId>
void ExpectToBeAMap(AnyId any_id) {
  Prng prng(1);
  DenseIdTable table;
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
    ASSERT_EQ(table.Find(other), found == model.end() ? DenseIdTable::kNone : found->second);
  }
  for (const auto& [id, value] : model) ASSERT_EQ(table.Find(id), value);
}

TEST(DenseIdTable, IsAMap) {
  ExpectToBeAMap([](Prng& prng) { return prng.Below(10); });
  ExpectToBeAMap([](Prng& prng) { return prng.Below(5000); });
  ExpectToBeAMap([](Prng& prng) { return prng.Below(300) << 40; });  // All low bits the same.
  ExpectToBeAMap([](Prng& prng) { return prng.Below(40) * 256 + prng.Below(40); });
}

TEST(DenseIdTable, NeverGrowsWithIdsThatComeAndGo) {
  DenseIdTable table;
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
