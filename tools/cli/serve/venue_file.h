// The file of a venue, in JSON: VENUE_FILE.md describes it.

#ifndef TOOLS_CLI_SERVE_VENUE_FILE_H_
#define TOOLS_CLI_SERVE_VENUE_FILE_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/cli/serve/new_venue_keys.h"
#include "tools/serve/venue_config.h"

namespace tools {

inline constexpr size_t kVenueFileBytesMax = 16 << 20;

// Of the venue in `folder`.
inline std::string VenueFileOf(absl::string_view folder) {
  return absl::StrCat(folder, "/venue.json");
}

// Any bytes are safe. `name`: of the file, for errors. Errors: INVALID_ARGUMENT, with the file, the
// line and the field, what was found and what was expected. No error shows a secret.
absl::StatusOr<VenueConfig> ParseVenueFile(std::string text, absl::string_view name);

// The same for the file at `path`, which must be private, as it holds secrets. Errors: those of
// ParseVenueFile and ReadPrivateFile.
absl::StatusOr<VenueConfig> ReadVenueFile(const std::string& path);

// The text of the file at `path`, with another text for each secret: a venue file, still. Errors:
// those of ReadVenueFile; FAILED_PRECONDITION if a secret is written in another way than as it is.
absl::StatusOr<std::string> ReadVenueFileWithoutSecrets(const std::string& path);

// Returns the text of a venue to begin with: two accounts, three markets, and a login for each of
// the secrets; and twelve markets of Kalshi's API, with these keys. That of a demo also serves
// Kalshi's API and has agents that trade there. REQUIRES: each secret is 8 to 64 letters and
// digits.
inline constexpr size_t kNewVenueLogins = 3;
std::string NewVenueFile(const std::array<std::string, kNewVenueLogins>& secrets,
                         std::span<const NewVenueKey> keys = {}, bool is_demo = false);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_VENUE_FILE_H_
