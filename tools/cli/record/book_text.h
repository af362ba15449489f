// The books of a running exchange as text: the answer to PRINT.

#ifndef TOOLS_CLI_RECORD_BOOK_TEXT_H_
#define TOOLS_CLI_RECORD_BOOK_TEXT_H_

#include <string>

#include "engine/messages/market_directory.h"
#include "engine/types/market_definition.h"
#include "replay/machine.h"

namespace tools {

// Appends the book of `market` to `out`, in whole lines; if it is null, those of all `markets` that
// have orders, and how many have none. Walks all orders of those markets. REQUIRES: `machine` is an
// exchange.
void AppendBooks(const replay::Machine& machine, const engine::MarketDirectory& markets,
                 const engine::MarketDefinition* market, std::string& out);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_BOOK_TEXT_H_
