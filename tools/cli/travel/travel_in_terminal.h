// inspect -i: a session, a control and a terminal, put together.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "engine/types/ids.h"
#include "journal/storage/storage.h"
#include "replay/engines.h"

namespace tools {

struct TravelRequest {
  std::string path;
  std::string position;  // As on the command line.
  std::string market;    // Empty: the busiest.
  std::string order;     // Empty: none is watched.
  replay::EngineKind engine = replay::EngineKind::kFast;
};

// Until the user quits. Errors: INVALID_ARGUMENT (no terminal, no such place, nothing recorded),
// the journal's where no place can be shown; what goes wrong later is said in the terminal.
absl::Status TravelInTerminal(const journal::Directory& directory, const TravelRequest& request);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_
