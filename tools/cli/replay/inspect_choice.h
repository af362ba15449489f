// Parses the market, price level and order arguments of `inspect`.

#ifndef TOOLS_CLI_REPLAY_INSPECT_CHOICE_H_
#define TOOLS_CLI_REPLAY_INSPECT_CHOICE_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"

namespace tools {

// `words` is a symbol, or '#' and a market's number. Errors: INVALID_ARGUMENT that names some
// markets.
absl::StatusOr<const engine::MarketDefinition*> FindMarket(const std::string& words,
                                                           const engine::MarketDirectory& markets);

// "bid@320.14". Errors: INVALID_ARGUMENT that shows what is expected. `market` may be null.
absl::StatusOr<std::pair<engine::Side, engine::Price>> ParseQueue(
    const std::string& words, const engine::MarketDefinition* market);

// "4711", also written as a position, because an order's number is the sequence number of its
// command. Errors: INVALID_ARGUMENT that shows what is expected.
absl::StatusOr<engine::OrderId> ParseOrderNumber(const std::string& words);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_CHOICE_H_
