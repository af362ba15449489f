#include "engine/core/account_index.h"

#include <cstdint>
#include <vector>

#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr uint32_t kNone = AccountIndex::kNone;

// Neighbours of every boundary: of pages, of what pages reach, of the type.
std::vector<AccountId> Boundaries() {
  std::vector<AccountId> ids;
  for (const uint32_t id : {0u, 1u, 1023u, 1024u, (1u << 22) - 1, 1u << 22, ~0u - 1, ~0u}) {
    ids.emplace_back(id);
  }
  return ids;
}

TEST(AccountIndex, NoAccountHasAPlaceAtFirst) {
  const AccountIndex index;
  for (const AccountId id : Boundaries()) EXPECT_EQ(index.Find(id), kNone) << id;
  EXPECT_EQ(index.size(), 0u);
}

TEST(AccountIndex, PlacesAreInTheOrderInWhichAccountsCame) {
  AccountIndex index;
  const std::vector<AccountId> ids = Boundaries();
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) index.FindOrAdd(*id);
  for (uint32_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(index.Find(ids[i]), ids.size() - 1 - i) << ids[i];
    EXPECT_EQ(index.FindOrAdd(ids[i]), ids.size() - 1 - i) << ids[i];
  }
  EXPECT_EQ(index.size(), ids.size());
}

TEST(AccountIndex, AnAccountsNeighboursHaveNoPlace) {
  for (const AccountId id : Boundaries()) {
    AccountIndex index;
    EXPECT_EQ(index.FindOrAdd(id), 0u);
    EXPECT_EQ(index.Find(AccountId(id.value() - 1)), kNone) << id;
    EXPECT_EQ(index.Find(AccountId(id.value() + 1)), kNone) << id;
    EXPECT_EQ(index.Find(AccountId(id.value() ^ 1024)), kNone) << id;
  }
}

TEST(AccountIndex, AnyCountFindsEveryAccount) {
  AccountIndex index;
  for (uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(index.FindOrAdd(AccountId(i * 7919)), i);
  for (uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(index.Find(AccountId(i * 7919)), i);
}

}  // namespace
}  // namespace engine
