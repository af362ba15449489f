// Long histories of larger journals, at random. One that fails prints its seed and the command that
// repeats it.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "journal/testing/campaign.h"

namespace journal {
namespace {

constexpr char kSeed[] = "JOURNAL_SEED";

// All seeds, or the one that the environment names.
void ForSeeds(uint64_t count, std::string (*stage)(uint64_t seed)) {
  uint64_t first = 1;
  if (const char* only = std::getenv(kSeed); only != nullptr) {
    ASSERT_TRUE(absl::SimpleAtoi(only, &first)) << kSeed << " is not a number: " << only;
    count = 1;
  }
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string violation = stage(seed);
    ASSERT_EQ(violation, "")
        << "seed " << seed
        << "; to repeat: ./bazelw test //journal:random_test --test_env=" << kSeed << '=' << seed
        << " --test_filter="
        << ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() << '.'
        << ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
}

TEST(Random, NoHistoryLosesWhatWasAcknowledgedOrShown) { ForSeeds(150, RandomHistory); }

TEST(Random, ADeviceThatLiesIsNeverBelievedSilently) { ForSeeds(4000, LyingDevice); }

}  // namespace
}  // namespace journal
