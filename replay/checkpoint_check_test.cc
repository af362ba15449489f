#include "replay/checkpoint_check.h"

#include "gtest/gtest.h"

namespace replay {
namespace {

journal::Checkpoint At(uint64_t sequence, uint64_t log, uint64_t trace) {
  return {.sequence = engine::SequenceNumber(sequence),
          .log = engine::Digest{.low = log, .high = 0},
          .trace = engine::Digest{.low = trace, .high = 0},
          .state = std::nullopt};
}

TEST(CheckpointCheck, EqualRunsHaveNoDivergence) {
  CheckpointCheck check({At(4096, 1, 1), At(8192, 2, 2), At(9000, 3, 3)});
  check.Compare(At(4096, 1, 1));
  check.Compare(At(8192, 2, 2));
  check.Compare(At(9000, 3, 3));
  EXPECT_EQ(check.compared_count(), 3u);
  EXPECT_FALSE(check.divergence().has_value());
}

TEST(CheckpointCheck, NamesTheNextCheckpoint) {
  CheckpointCheck check({At(4096, 1, 1), At(5000, 2, 2)});
  EXPECT_EQ(check.NextAfter(engine::SequenceNumber()), engine::SequenceNumber(4096));
  EXPECT_EQ(check.NextAfter(engine::SequenceNumber(4095)), engine::SequenceNumber(4096));
  check.Compare(At(4096, 1, 1));
  EXPECT_EQ(check.NextAfter(engine::SequenceNumber(4096)), engine::SequenceNumber(5000));
  EXPECT_EQ(check.NextAfter(engine::SequenceNumber(5000)), std::nullopt);
  EXPECT_EQ(check.compared_count(), 1u);
}

TEST(CheckpointCheck, TheFirstDifferenceIsKeptWithTheLastEqualCheckpoint) {
  CheckpointCheck check({At(4096, 1, 1), At(8192, 2, 2), At(12288, 3, 3)});
  check.Compare(At(4096, 1, 1));
  check.Compare(At(8192, 2, 7));
  check.Compare(At(12288, 9, 9));
  ASSERT_TRUE(check.divergence().has_value());
  EXPECT_EQ(check.divergence()->last_equal, engine::SequenceNumber(4096));
  EXPECT_EQ(check.divergence()->ToString(),
            "trace digest differs at 8192 (equal at 4096): recorded "
            "00000000000000000000000000000002, replayed 00000000000000000000000000000007");
}

TEST(CheckpointCheck, ADigestThatOneSideLacksIsNotCompared) {
  journal::Checkpoint without_trace = At(4096, 1, 1);
  without_trace.trace.reset();
  CheckpointCheck check({without_trace});
  check.Compare(At(4096, 1, 5));
  EXPECT_FALSE(check.divergence().has_value());
  EXPECT_EQ(check.compared_count(), 1u);
  EXPECT_EQ(check.digests_compared().log, 1u);
  EXPECT_EQ(check.digests_compared().trace, 0u);
  EXPECT_EQ(check.digests_compared().state, 0u);
}

TEST(CheckpointCheck, CheckpointsOfOneSideOnlyAreSkipped) {
  CheckpointCheck check({At(100, 1, 1), At(4096, 2, 2)});
  check.Compare(At(50, 9, 9));
  check.Compare(At(4096, 2, 2));
  EXPECT_EQ(check.compared_count(), 1u);
  EXPECT_FALSE(check.divergence().has_value());
}

}  // namespace
}  // namespace replay
