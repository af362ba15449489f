// The output of `inspect --diff`, for people and as JSON.

#ifndef TOOLS_CLI_REPLAY_INSPECT_DIFF_REPORT_H_
#define TOOLS_CLI_REPLAY_INSPECT_DIFF_REPORT_H_

#include <cstddef>
#include <optional>
#include <string>

#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "tools/cli/base/console.h"
#include "tools/cli/replay/inspect_diff.h"

namespace tools {

struct InspectDiffTopic {
  std::string path;
  std::optional<engine::MarketId> market = {};  // Nullopt: all markets, and the accounts.
  size_t lines = 10;                            // Per list, for people; JSON has all.
};

void PrintInspectDiff(Console& console, const InspectDiff& diff,
                      const engine::MarketDirectory& markets, const InspectDiffTopic& topic);
void PrintInspectDiffJson(Console& console, const InspectDiff& diff,
                          const engine::MarketDirectory& markets, const InspectDiffTopic& topic);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_DIFF_REPORT_H_
