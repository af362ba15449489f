// The book of one market as people read it: asks above bids, best prices in the middle.
//
//   AAPL  1 bid level, 2 ask levels
//      ask 320.1700  300  2 orders  ████████████
//      ask 320.1600  100  1 order   ████
//            0.0200 apart
//      bid 320.1400   60  1 order   ██
//
// Bars are relative to the largest quantity shown.

#ifndef TOOLS_CLI_REPLAY_BOOK_PRINTER_H_
#define TOOLS_CLI_REPLAY_BOOK_PRINTER_H_

#include <cstddef>

#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"

namespace tools {

struct BookPrinterOptions {
  size_t depth = 10;      // Levels of each side.
  engine::OrderId order;  // Its level is marked, if it rests in this market.
};

// Several lines. Colours only where the console's output is a terminal.
ConsoleText FormatBook(const Console& console, const engine::DepthView& view,
                       const engine::MarketDefinition& market,
                       const BookPrinterOptions& options = {});

// The queue of one price level, first to trade first: place, order, quantity, quantity up to and
// including it. At most `limit` orders, then how many more.
ConsoleText FormatQueue(const Console& console, const engine::DepthView& view,
                        const engine::MarketDefinition& market, engine::Side side,
                        engine::Price price, size_t limit = 50);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_BOOK_PRINTER_H_
