#include "journal/holds.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/format/beginning.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

class HoldsTest : public ::testing::Test {
 protected:
  HoldsTest() {
    const auto writer =
        Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated).value();
    AppendAll(*writer, RecordSource(1).Take(100));
    EXPECT_TRUE(writer->Close().ok());
  }
  static Hold Of(const std::string& name, uint64_t sequence) {
    return {.name = name,
            .sequence = SequenceNumber(sequence),
            .created = kTestCreated,
            .note = "the warehouse, nightly"};
  }

  MemoryDirectory directory_;
};

TEST_F(HoldsTest, AreListedByNameAsTheyWereAdded) {
  EXPECT_TRUE(ListHolds(directory_)->empty());
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 50)).ok());
  ASSERT_TRUE(AddHold(directory_, Of("replica-2", 1)).ok());
  EXPECT_EQ(ListHolds(directory_).value(),
            (std::vector<Hold>{Of("replica-2", 1), Of("warehouse", 50)}));
}

TEST_F(HoldsTest, AddingAgainMovesOne) {
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 50)).ok());
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 70)).ok());
  EXPECT_EQ(ListHolds(directory_).value(), std::vector<Hold>{Of("warehouse", 70)});
}

TEST_F(HoldsTest, SurviveTheMachine) {
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 50)).ok());
  directory_.CrashDroppingAll();
  EXPECT_EQ(ListHolds(directory_)->size(), 1u);
  ASSERT_TRUE(RemoveHold(directory_, "warehouse").ok());
  directory_.CrashDroppingAll();
  EXPECT_TRUE(ListHolds(directory_)->empty());
}

TEST_F(HoldsTest, ADamagedOneHoldsEverything) {
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 50)).ok());
  std::vector<std::byte> bytes = directory_.Contents("warehouse.hold");
  bytes[20] ^= std::byte{1};
  directory_.SetContents("warehouse.hold", bytes);
  const Hold hold = ListHolds(directory_).value().front();
  EXPECT_EQ(hold.sequence, SequenceNumber::First());
  EXPECT_TRUE(absl::StrContains(hold.damage, "warehouse.hold is damaged")) << hold.damage;
}

TEST_F(HoldsTest, DeletedRecordsCannotBeHeld) {
  ASSERT_TRUE(AddHold(directory_, Of("warehouse", 50)).ok());
  ASSERT_TRUE(WriteBeginning(directory_, {.journal_uuid = TestUuid(),
                                          .segment_index = 3,
                                          .first_sequence = SequenceNumber(40)})
                  .ok());
  EXPECT_TRUE(absl::IsOutOfRange(AddHold(directory_, Of("late", 39))));
  EXPECT_TRUE(absl::IsOutOfRange(AddHold(directory_, Of("warehouse", 39))));
  EXPECT_EQ(ListHolds(directory_).value(), std::vector<Hold>{Of("warehouse", 50)})
      << "the hold that was there stays";
  EXPECT_TRUE(AddHold(directory_, Of("just", 40)).ok());
}

TEST_F(HoldsTest, NamesAreWords) {
  for (const std::string& name :
       std::vector<std::string>{"", "a b", "../x", "A", "a.b", std::string(65, 'a')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(AddHold(directory_, Of(name, 1)))) << name;
  }
  EXPECT_TRUE(absl::IsNotFound(RemoveHold(directory_, "unknown")));
}

}  // namespace
}  // namespace journal
