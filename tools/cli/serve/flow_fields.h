// An object of the list "flows" of the file of a venue: VENUE_FILE.md describes it.

#ifndef TOOLS_CLI_SERVE_FLOW_FIELDS_H_
#define TOOLS_CLI_SERVE_FLOW_FIELDS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/json_fields.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Adds a flow to `venue`, which has its markets. Errors: those of the fields.
absl::Status TakeFlow(JsonFields& fields, VenueConfig& venue);

// The same from the words of an option: FIELD=VALUE,FIELD=VALUE. Any text is safe. Errors:
// INVALID_ARGUMENT.
absl::Status TakeFlowOption(absl::string_view words, VenueConfig& venue);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_FLOW_FIELDS_H_
