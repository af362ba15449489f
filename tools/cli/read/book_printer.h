// The book of one market for people, and the places of orders in it. Asks are above bids, the best
// prices in the middle.
//
//   AAPL  1 bid level, 2 ask levels
//      ask 320.1700  300  2 orders  ████████████
//      ask 320.1600  100  1 order   ████
//            0.0200 apart
//      bid 320.1400   60  1 order   ██
//
// Bars are relative to the largest quantity shown.

#ifndef TOOLS_CLI_READ_BOOK_PRINTER_H_
#define TOOLS_CLI_READ_BOOK_PRINTER_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "engine/views/queue_place.h"
#include "tools/cli/base/console_text.h"

namespace tools {

struct BookPrinterOptions {
  size_t depth = 10;      // Levels per side.
  engine::OrderId order;  // Marks this order's level, if it rests in this market.
};

// Returns several lines with styles.
ConsoleText FormatBook(const engine::DepthView& view, const engine::MarketDefinition& market,
                       const BookPrinterOptions& options = {});

// Returns the queue of a price level, first in priority first: position, order, quantity, and the
// sum of the quantities up to and including it. At most `limit` orders, then the number of the
// remaining ones.
ConsoleText FormatQueue(const engine::DepthView& view, const engine::MarketDefinition& market,
                        engine::Side side, engine::Price price, size_t limit = 50);

// "first in its queue", "2 orders with 300 ahead". `market` is null if unknown.
std::string PlaceText(const engine::QueuePlace::Standing& standing,
                      const engine::MarketDefinition* market);

// "live, 60 filled, 40 remaining; AAPL bid 320.1400, 2 orders with 300 ahead". `standing` is empty
// if the order does not rest; `until` says up to where `history` goes: "here", "the end".
std::string LifeText(const engine::OrderHistory& history,
                     const std::optional<engine::QueuePlace::Standing>& standing,
                     const engine::MarketDefinition* market, absl::string_view until);

}  // namespace tools

#endif  // TOOLS_CLI_READ_BOOK_PRINTER_H_
