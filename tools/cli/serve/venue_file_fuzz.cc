// Any file is either refused, with its name and a line, or is a venue whose references resolve.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "engine/base/check.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<tools::VenueConfig> venue = tools::ParseVenueFile(text, "FILE");
  if (!venue.ok()) {
    CHECK(absl::IsInvalidArgument(venue.status()));
    CHECK(absl::StartsWith(venue.status().message(), "FILE:")) << venue.status().message();
    return 0;
  }
  std::set<uint32_t> accounts;
  for (const tools::AccountConfig& account : venue->accounts) {
    CHECK(accounts.insert(account.id.value()).second);
  }
  std::set<std::string> names;
  for (const tools::LoginConfig& login : venue->logins) {
    CHECK(accounts.count(login.account.value()) == 1);
    CHECK(names.insert(login.name).second);
  }
  return 0;
}
