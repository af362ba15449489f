// Counts of what the translation of DBN records encountered, with names for display.

#ifndef ENGINE_WIRE_DBN_COUNTERS_H_
#define ENGINE_WIRE_DBN_COUNTERS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace engine {

// Actions with their names, in the order of the report.
inline constexpr std::array<std::pair<char, absl::string_view>, 7> kDbnActions = {{{'A', "add"},
                                                                                   {'C', "cancel"},
                                                                                   {'M', "modify"},
                                                                                   {'R', "clear"},
                                                                                   {'T', "trade"},
                                                                                   {'F', "fill"},
                                                                                   {'N', "none"}}};

struct DbnCounters {
  std::array<uint64_t, 256> actions = {};  // Records of type MBO, by action.

  // Commands submitted.
  uint64_t markets_defined = 0;
  uint64_t new_orders = 0;
  uint64_t executions = 0;  // That name an order.
  uint64_t prints = 0;      // Trades that name no order.
  uint64_t reduces = 0;
  uint64_t cancels = 0;
  uint64_t amends = 0;
  uint64_t replaces = 0;
  uint64_t mass_cancels = 0;

  // Oddities, none of them fatal.
  uint64_t unknown_cancels = 0;      // Of orders that the stream has not added; dropped.
  uint64_t unknown_modifies = 0;     // The same; added.
  uint64_t unknown_fills = 0;        // The same, and fills of the arriving order.
  uint64_t fills_without_trade = 0;  // In their event. What they take is cancelled, not traded.
  uint64_t orders_repeated = 0;      // Whose number is live; the first one stays.
  uint64_t quantities_exceeded = 0;  // Cancels of more than the order had.
  uint64_t without_side = 0;         // Orders; dropped.
  uint64_t without_price = 0;        // Orders, changes and trades; dropped.
  uint64_t without_size = 0;         // Orders, cancels and trades of nothing; dropped.
  uint64_t unknown_actions = 0;

  uint64_t live_orders = 0;  // The current number.

  uint64_t TotalRecords() const;
  uint64_t TotalCommands() const;

  // Oddities that are not zero, with what each is.
  std::vector<std::pair<std::string, uint64_t>> Oddities() const;

  // Names and counts: totals first, then details, in a fixed order. Counts of zero are omitted,
  // except records, commands and live orders.
  std::vector<std::pair<std::string, uint64_t>> Rows() const;
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_COUNTERS_H_
