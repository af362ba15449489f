// The output of `inspect`, for people and as JSON.

#ifndef TOOLS_CLI_REPLAY_INSPECT_REPORT_H_
#define TOOLS_CLI_REPLAY_INSPECT_REPORT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "tools/cli/base/console.h"
#include "tools/cli/replay/inspection.h"

namespace tools {

// What part of the exchange is shown.
struct InspectTopic {
  std::string path;
  const engine::MarketDefinition* market = nullptr;  // Null: no market is defined yet.
  size_t depth = 10;
  // Shows the queue of this price level instead of the book.
  std::optional<std::pair<engine::Side, engine::Price>> queue = {};
};

void PrintInspection(Console& console, const Inspection& inspection, const InspectTopic& topic);
void PrintInspectionJson(Console& console, const Inspection& inspection, const InspectTopic& topic);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_REPORT_H_
