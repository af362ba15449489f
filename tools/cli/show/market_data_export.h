// Replays a range of a journal and writes what happened as rows of market data.

#ifndef TOOLS_CLI_SHOW_MARKET_DATA_EXPORT_H_
#define TOOLS_CLI_SHOW_MARKET_DATA_EXPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/show/market_data.h"

namespace tools {

struct MarketDataExport {
  MarketData what = MarketData::kBook;
  MarketDataFormat format = MarketDataFormat::kCsv;
  size_t depth = 0;
  std::string market = {};  // As the command line names it; all if empty.
};

// Returns the number of rows. Errors: INVALID_ARGUMENT for a market that is not defined, and as
// MarketDataRows::Finish(); the reader's.
absl::StatusOr<uint64_t> WriteMarketData(const MarketDataExport& request,
                                         const OpenedJournal& opened, const SequenceRange& range,
                                         Console& console, MarketDataRows::Sink sink);

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_MARKET_DATA_EXPORT_H_
