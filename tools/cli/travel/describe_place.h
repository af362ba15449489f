// What there is to see at the place where a machine stands.

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
  engine::MarketId market;  // Zero: none.
  LevelChoice level;
  const WatchedLife* watched = nullptr;
  TravelViewLimits limits;
};

// Those that are defined; none for a machine that knows no markets.
const engine::MarketDirectory& MarketsOf(const replay::Machine& machine);

// Walks the book of the market. All of the view but its path and what is searched for.
TravelView DescribePlace(const replay::TravelMachine& travel, const PlaceQuestion& question);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_DESCRIBE_PLACE_H_
