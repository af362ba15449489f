#include "journal/write/space_account.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace journal {
namespace {

TEST(SpaceAccount, IsNeverLessThanTheBlocksInFlight) {
  const std::vector<std::byte> attachment(1000);
  SpaceAccount account;
  const uint64_t idle = account.Unwritten(0);
  account.AddRecord({});
  account.AddRecord(attachment);
  EXPECT_EQ(account.Unwritten(0) - idle,
            SpaceAccount::BytesOfRecord({}) + SpaceAccount::BytesOfRecord(attachment));
  const uint64_t first = account.CloseBlock();
  EXPECT_GT(first, 2 * 64 + 1000u);
  EXPECT_EQ(account.Unwritten(0), idle + first) << "handed over, and not written";
  const uint64_t second = account.AddBlockWithoutRecords();
  EXPECT_EQ(account.Unwritten(first), idle + second);
  EXPECT_EQ(account.Unwritten(first + second), idle) << "all is written";
}

}  // namespace
}  // namespace journal
