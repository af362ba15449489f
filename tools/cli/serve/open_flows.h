// Prepares the flows of a venue: reads each source once, before the venue starts, so that a source
// that is damaged, lacks the market, or does not fit is refused then.

#ifndef TOOLS_CLI_SERVE_OPEN_FLOWS_H_
#define TOOLS_CLI_SERVE_OPEN_FLOWS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/doorbell.h"
#include "engine/gateway/flow/flow.h"
#include "tools/cli/base/console.h"
#include "tools/cli/serve/flow_read_ahead.h"
#include "tools/serve/venue_config.h"

namespace tools {

struct OpenedFlow {
  engine::FlowOptions options;
  std::unique_ptr<FlowReadAhead> source;
};

// Adds the accounts of the flows to `config`. `venue`, the bell of the venue's thread, outlives the
// flows. Errors: "the flow of MARKET: ...": those of the sources; NOT_FOUND (no such market);
// FAILED_PRECONDITION (orders do not fit, and are not to be left out; accounts are taken).
absl::StatusOr<std::vector<OpenedFlow>> OpenFlows(VenueConfig& config, engine::Doorbell& venue,
                                                  Console& console);

// What a flow has done: at its end, or at that of the venue.
void PrintFlow(const engine::Flow& flow, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_OPEN_FLOWS_H_
