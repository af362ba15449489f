// Counts of what the translation of an ITCH stream encountered, with names for display.

#ifndef ENGINE_WIRE_ITCH_COUNTERS_H_
#define ENGINE_WIRE_ITCH_COUNTERS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/wire/itch/message_type.h"

namespace engine {

struct ItchCounters {
  using PerType = std::array<uint64_t, kItchTypeCount>;  // By type index, see kItchTypes.

  PerType messages = {};
  // Messages about an order that the stream has not added: it rested before the stream begins.
  PerType unknown_references = {};

  // Commands submitted.
  uint64_t markets_defined = 0;
  uint64_t new_orders = 0;
  uint64_t executions = 0;  // That name an order, and the orders that represent them in a match.
  uint64_t prints = 0;      // Trades that name no order, in mirrored markets.
  uint64_t reduces = 0;
  uint64_t cancels = 0;
  uint64_t replaces = 0;

  // Oddities, none of them fatal.
  uint64_t markets_defined_by_orders = 0;  // Without a directory message.
  uint64_t markets_repeated = 0;           // A second directory message for a stock locate.
  uint64_t markets_refused = 0;            // Stock locate 0, or an invalid or taken symbol.
  uint64_t orders_without_market = 0;      // Their market was refused.
  uint64_t references_repeated = 0;        // Orders whose reference is live; not submitted.
  uint64_t quantities_exceeded = 0;        // More executed or cancelled than the order had.

  uint64_t live_orders = 0;  // The current number.

  uint64_t TotalMessages() const;
  uint64_t TotalUnknownReferences() const;
  uint64_t TotalCommands() const;

  // Names and counts: totals first, then details, in a fixed order. Counts of zero are omitted,
  // except messages, commands, unknown references and live orders.
  std::vector<std::pair<std::string, uint64_t>> Rows() const;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_COUNTERS_H_
