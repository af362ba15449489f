#include "engine/base/testing/campaign_size.h"

#include <cstdint>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"

namespace engine {

CampaignSize GetCampaignSize() {
  CampaignSize size;
  if (const char* what = std::getenv("TICKTAPE_CAMPAIGN"); what != nullptr) {
    CHECK(absl::string_view(what) == "all");
    size.all = true;
  }
  if (const char* seed = std::getenv("TICKTAPE_CAMPAIGN_SEED"); seed != nullptr) {
    CHECK(absl::SimpleAtoi(seed, &size.seed));
  }
  return size;
}

}  // namespace engine
