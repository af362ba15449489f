// The object "native" of the file of a venue: VENUE_FILE.md describes it.

#ifndef TOOLS_CLI_SERVE_NATIVE_FIELDS_H_
#define TOOLS_CLI_SERVE_NATIVE_FIELDS_H_

#include "absl/status/statusor.h"
#include "tools/cli/base/json_fields.h"
#include "tools/serve/venue_config.h"

namespace tools {

// `venue`: with its accounts and markets. Errors: those of the fields; none shows a password.
absl::StatusOr<NativeConfig> TakeNative(JsonFields& fields, const VenueConfig& venue);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_NATIVE_FIELDS_H_
