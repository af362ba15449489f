// Describes the state at the current position of a travel machine.

#ifndef TOOLS_CLI_TRAVEL_DESCRIBE_PLACE_H_
#define TOOLS_CLI_TRAVEL_DESCRIBE_PLACE_H_

#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "replay/machine.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/travel/level_choice.h"
#include "tools/cli/travel/travel_view.h"
#include "tools/cli/travel/watched_life.h"

namespace tools {

struct PlaceQuestion {
  engine::MarketId market;  // Zero: no market.
  LevelChoice level;
  const WatchedLife* watched = nullptr;
  TravelViewLimits limits;
};

// Returns the defined markets; empty for a machine without markets.
const engine::MarketDirectory& MarketsOf(const replay::Machine& machine);

// Walks the book of the market. Fills the whole view except `path` and `where`.
TravelView DescribePlace(const replay::TravelMachine& travel, const PlaceQuestion& question);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_DESCRIBE_PLACE_H_
