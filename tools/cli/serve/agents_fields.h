// The object "agents" of the file of a venue: VENUE_FILE.md describes it.

#ifndef TOOLS_CLI_SERVE_AGENTS_FIELDS_H_
#define TOOLS_CLI_SERVE_AGENTS_FIELDS_H_

#include "absl/status/status.h"
#include "tools/cli/base/json_fields.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Adds the agents, and the accounts that they trade for, to `venue`, which has its own accounts and
// markets. Errors: those of the fields.
absl::Status TakeAgents(JsonFields& fields, VenueConfig& venue);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_AGENTS_FIELDS_H_
