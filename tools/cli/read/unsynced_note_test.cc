#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/read/follow.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using ::testing::HasSubstr;
using ::testing::Optional;

class UnsyncedNoteTest : public ::testing::Test {
 protected:
  std::optional<std::string> At(double seconds, uint64_t shown, uint64_t written) {
    return note_.Check(seconds, SequenceNumber(shown), [&] {
      ++asked_;
      return SequenceNumber(written);
    });
  }

  UnsyncedNote note_;
  int asked_ = 0;
};

TEST_F(UnsyncedNoteTest, IsGivenOnceForRecordsThatStayWritten) {
  EXPECT_EQ(At(10, 0, 60'000), std::nullopt);
  EXPECT_EQ(At(12, 0, 60'000), std::nullopt);
  EXPECT_THAT(At(14, 0, 60'000), Optional(HasSubstr("60,000 records after @0 are written")));
  EXPECT_EQ(At(100, 0, 60'000), std::nullopt);
  EXPECT_EQ(At(200, 0, 60'000), std::nullopt);
}

TEST_F(UnsyncedNoteTest, IsNotGivenWhileMoreIsShownNowAndThen) {
  for (int second = 1; second < 100; ++second) {
    EXPECT_EQ(At(second, static_cast<uint64_t>(second), 60'000), std::nullopt);
  }
  EXPECT_EQ(asked_, 0);
}

TEST_F(UnsyncedNoteTest, IsNotGivenForRecordsOnTheirWayToTheDisk) {
  EXPECT_EQ(At(10, 5, 5), std::nullopt);
  EXPECT_EQ(At(20, 5, 6), std::nullopt);
  EXPECT_EQ(At(21, 6, 6), std::nullopt);
  EXPECT_EQ(At(31, 6, 7), std::nullopt);
}

TEST_F(UnsyncedNoteTest, IdleJournalsAreSeldomLookedAt) {
  for (int second = 1; second <= 3600; ++second) EXPECT_EQ(At(second, 5, 5), std::nullopt);
  EXPECT_LT(asked_, 70);
}

TEST_F(UnsyncedNoteTest, IsGivenForRecordsThatComeLate) {
  double second = 1;
  while (second < 1000) At(second++, 5, 5);
  std::optional<std::string> note;
  while (second < 1070 && !note.has_value()) note = At(second++, 5, 8);
  EXPECT_THAT(note, Optional(HasSubstr("3 records after @5")));
}

}  // namespace
}  // namespace tools
