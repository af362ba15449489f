// Draws a view into cells.
//
//   a.tape   @7 of 1..15   2020-01-30T09:30:06.000000000Z     position, in reverse video
//   7 ... ask market=AAPL price=320.1400 quantity=60          the command, then its events
//   ── AAPL  2 bid levels, 1 ask level ───────────────────
//     ask 320.1700  300  1 ███████   │ bid 320.1400  90 in 2 orders
//   > bid 320.1400   90  2 ██        │   1  order 3   40   40
//     bid 320.1200  200  1 ████      │ trades
//   ── order 3  live, 60 filled ... ──────────────────────
//   message, or the text being typed

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_

#include <cstddef>
#include <string>

#include "tools/cli/travel/cell_grid.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {

// The last line, and what covers the picture. A regular value type.
struct TravelStatus {
  std::string message = {};
  bool is_error = false;

  std::string prompt = {};  // Empty: no prompt.
  std::string typed = {};

  bool shows_help = false;

  friend bool operator==(const TravelStatus&, const TravelStatus&) = default;
};

// On a smaller terminal, the picture only names the required size.
inline constexpr size_t kScreenRowsMin = 16;
inline constexpr size_t kScreenColumnsMin = 64;

CellGrid DrawTravel(const TravelView& view, const TravelStatus& status, size_t rows,
                    size_t columns);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_
