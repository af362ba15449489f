// The market that a user names: --market of every verb.

#ifndef TOOLS_CLI_READ_FIND_MARKET_H_
#define TOOLS_CLI_READ_FIND_MARKET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"

namespace tools {

// `words` is a symbol, or '#' and a market's number; `option` begins the message. Errors:
// INVALID_ARGUMENT with the nearest symbol, or else with some of the symbols.
absl::StatusOr<const engine::MarketDefinition*> FindMarket(absl::string_view option,
                                                           absl::string_view words,
                                                           const engine::MarketDirectory& markets);

// "; did you mean 'AAPL'?", or else "; there are AAPL, MSFT, ...".
std::string NearestMarketHint(absl::string_view words, const engine::MarketDirectory& markets);

}  // namespace tools

#endif  // TOOLS_CLI_READ_FIND_MARKET_H_
