// How much of a campaign a test runs.
//
// A campaign tries every case and takes long. A test runs a sample of it that is a
// function of a seed. The environment chooses the seed, or asks for every case:
//
//   ./bazelw test //journal:exhaustive_test --test_env=TICKTAPE_CAMPAIGN_SEED=7
//   ./bazelw test //journal:exhaustive_test --test_env=TICKTAPE_CAMPAIGN=all
//
// Specified in CONTRIBUTING.md, "Campaigns".

#ifndef ENGINE_BASE_TESTING_CAMPAIGN_SIZE_H_
#define ENGINE_BASE_TESTING_CAMPAIGN_SIZE_H_

#include <cstdint>

namespace engine {

struct CampaignSize {
  bool all = false;   // Every case. Otherwise a sample.
  uint64_t seed = 1;  // Which sample.

  // One case in `one_in` is in the sample, always another one for each seed.
  bool Has(uint64_t number, uint64_t one_in) const {
    return all || number % one_in == seed % one_in;
  }
};

// Reads the environment; aborts with a message if its value is invalid.
CampaignSize GetCampaignSize();

}  // namespace engine

#endif  // ENGINE_BASE_TESTING_CAMPAIGN_SIZE_H_
