#include "replay/snapshot/snapshot_entities.h"

#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace replay {
namespace {

TEST(SnapshotEntities, DifferencesAreThoseBeforeThenNewOnes) {
  const SnapshotEntities before = {{"account 1", "open"}, {"order 3", "ask"}, {"order 4", "bid"}};
  const SnapshotEntities after = {{"account 0", "open"}, {"account 1", "open"}, {"order 4", "ask"}};
  const std::vector<EntityChange> changes = CompareEntities(before, after);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].entity, "order 3");
  EXPECT_EQ(changes[0].before, "ask");
  EXPECT_EQ(changes[0].after, std::nullopt);
  EXPECT_EQ(changes[1].entity, "order 4");
  EXPECT_EQ(changes[1].before, "bid");
  EXPECT_EQ(changes[1].after, "ask");
  EXPECT_EQ(changes[2].entity, "account 0");
  EXPECT_EQ(changes[2].before, std::nullopt);
  EXPECT_EQ(changes[2].after, "open");
}

TEST(SnapshotEntities, EqualStatesHaveNoDifference) {
  const SnapshotEntities state = {{"log", "sequence=7"}};
  EXPECT_TRUE(CompareEntities(state, state).empty());
}

}  // namespace
}  // namespace replay
