// Long histories of larger journals, at random. One that fails prints its seed and the command that
// repeats it. Runs a sample of the seeds unless TICKTAPE_CAMPAIGN=all
// (engine/base/testing/campaign_size.h).

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/testing/campaign_size.h"
#include "gtest/gtest.h"
#include "journal/testing/campaign.h"

namespace journal {
namespace {

constexpr char kSeed[] = "JOURNAL_SEED";
constexpr uint64_t kSampledOneIn = 4;

void RunSeed(uint64_t seed, std::string (*stage)(uint64_t seed)) {
  ASSERT_EQ(stage(seed), "")
      << "seed " << seed << "; to repeat: ./bazelw test //journal:random_test --test_env=" << kSeed
      << '=' << seed << " --test_filter="
      << ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() << '.'
      << ::testing::UnitTest::GetInstance()->current_test_info()->name();
}

// The seeds of the sample from 1 to `count`, or the one that the environment names.
void ForSeeds(uint64_t count, std::string (*stage)(uint64_t seed)) {
  if (const char* only = std::getenv(kSeed); only != nullptr) {
    uint64_t seed = 0;
    ASSERT_TRUE(absl::SimpleAtoi(only, &seed)) << kSeed << " is not a number: " << only;
    return RunSeed(seed, stage);
  }
  const engine::CampaignSize size = engine::GetCampaignSize();
  for (uint64_t seed = 1; seed <= count && !::testing::Test::HasFatalFailure(); ++seed) {
    if (size.Has(seed, kSampledOneIn)) RunSeed(seed, stage);
  }
}

TEST(Random, NoHistoryLosesWhatWasAcknowledgedOrShown) { ForSeeds(150, RandomHistory); }

TEST(Random, ADeviceThatLiesIsNeverTrustedSilently) { ForSeeds(4000, LyingDevice); }

TEST(Random, ADeviceThatLiesTakesNoRecordInCompaction) { ForSeeds(1500, LyingDeviceOfCompaction); }

}  // namespace
}  // namespace journal
