#include "engine/views/used_ids.h"

#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

TEST(UsedIdsTest, KnowsTheEndsOfTheRange) {
  UsedIds used;
  for (const uint64_t id : {uint64_t{0}, uint64_t{511}, uint64_t{512}, UINT64_MAX}) {
    EXPECT_FALSE(used.Contains(id));
    used.Add(id);
    EXPECT_TRUE(used.Contains(id));
  }
  EXPECT_FALSE(used.Contains(1));
  EXPECT_FALSE(used.Contains(513));
  EXPECT_FALSE(used.Contains(UINT64_MAX - 1));
}

RC_GTEST_PROP(UsedIdsProperty, EqualsASet, ()) {
  UsedIds used;
  std::set<uint64_t> model;
  const auto ids = *rc::gen::container<std::vector<uint64_t>>(
      rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 2'000), rc::gen::arbitrary<uint64_t>()));
  for (const uint64_t id : ids) {
    for (const uint64_t asked : {id, id + 1, id ^ 64, id ^ 512}) {
      RC_ASSERT(used.Contains(asked) == model.contains(asked));
    }
    used.Add(id);
    model.insert(id);
  }
}

// A client that invents ids far apart fills the table once; those near used ones still fit.
TEST(UsedIdsTest, BlocksAreLimited) {
  UsedIds used;
  for (uint64_t i = 0; i < UsedIds::kBlocksMax; ++i) {
    ASSERT_TRUE(used.HasRoomFor(i * 512));
    used.Add(i * 512);
  }
  EXPECT_FALSE(used.HasRoomFor(UsedIds::kBlocksMax * 512));
  EXPECT_TRUE(used.HasRoomFor(1));
}

}  // namespace
}  // namespace engine
