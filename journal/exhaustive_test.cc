// Every fault of a small journal: every crash, every failing call, every bit, every
// length, every page. testing/campaign.h describes each stage, testing/oracles.h the checks.
// Runs a sample of the cases unless TICKTAPE_CAMPAIGN=all (engine/base/testing/campaign_size.h).

#include <cstdint>
#include <string>

#include "engine/base/testing/campaign_size.h"
#include "gtest/gtest.h"
#include "journal/testing/campaign.h"

namespace journal {
namespace {

// Bazel runs each TEST in the shard of its number; a stage has one for each of its parts.
class Part : public ::testing::TestWithParam<uint64_t> {
 protected:
  static constexpr uint64_t kParts = 8;
  static constexpr uint64_t kSampledOneIn = 4;

  Share share() const {
    const engine::CampaignSize size = engine::GetCampaignSize();
    if (size.all) return {.one_in = kParts, .from = GetParam()};
    return {.one_in = kParts * kSampledOneIn,
            .from = GetParam() + kParts * (size.seed % kSampledOneIn)};
  }
};

INSTANTIATE_TEST_SUITE_P(Exhaustive, Part, ::testing::Range<uint64_t>(0, 8));

TEST_P(Part, EveryCrashKeepsAPrefixThatHoldsEveryAcknowledgedRecord) {
  EXPECT_EQ(EveryCrash(share()), "");
}

TEST_P(Part, EveryFailingCallLosesNothingThatWasAcknowledged) {
  EXPECT_EQ(EveryFailingCall(share()), "");
}

TEST_P(Part, EveryCrashOfRecoveryIsRecoveredFrom) { EXPECT_EQ(EveryCrashOfRecovery(share()), ""); }

TEST_P(Part, EveryCrashOfCompactionLeavesEveryRecord) {
  EXPECT_EQ(EveryCrashOfCompaction(share()), "");
}

TEST_P(Part, EveryFailingCallOfCompactionLeavesEveryRecord) {
  EXPECT_EQ(EveryFailingCallOfCompaction(share()), "");
}

TEST_P(Part, EveryFlippedBitHasTheOneRightVerdict) { EXPECT_EQ(EveryBit(share()), ""); }

TEST_P(Part, EveryLengthIsAPrefixOrRefused) { EXPECT_EQ(EveryLength(share()), ""); }

TEST_P(Part, EveryReplacedPageHasTheOneRightVerdict) { EXPECT_EQ(EveryPage(share()), ""); }

TEST_P(Part, ADamagedCheckpointCostsNoOtherAndNothingThatWasRecordedIsDestroyed) {
  EXPECT_EQ(EverySidecar(share()), "");
}

TEST(Exhaustive, AStateOfAnotherLogIsRefused) { EXPECT_EQ(EveryPrefix({}), ""); }

TEST(Exhaustive, BlocksFromOtherPlacesDoNotCount) { EXPECT_EQ(WrongPlaces(), ""); }

TEST(Exhaustive, ForgedFilesAreDetected) { EXPECT_EQ(Forgeries(), ""); }

}  // namespace
}  // namespace journal
