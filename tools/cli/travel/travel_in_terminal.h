// `inspect -i`: a session, a control and a terminal, connected. The terminal reads keys and shows
// pictures; only this file's source uses ncurses.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "replay/engines.h"
#include "tools/cli/base/open_journal.h"

namespace tools {

struct TravelRequest {
  std::string path;
  std::string position;                  // As on the command line.
  bool shows_market_of_command = false;  // If neither a market nor an order is named.
  std::string market;                    // Empty: see TravelSession::ChooseMarketOfPlace().
  std::string order;                     // Empty: no order is watched.
  std::optional<absl::TimeZone> time_zone;
  replay::EngineKind engine = replay::EngineKind::kFast;
};

// Runs until the user quits. REQUIRES: the journal is of the exchange. Errors: INVALID_ARGUMENT (no
// terminal, no such position, an empty journal); the journal's if the first place cannot be shown.
// Later errors are shown in the terminal.
absl::Status TravelInTerminal(const OpenedJournal& opened, const TravelRequest& request);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_IN_TERMINAL_H_
