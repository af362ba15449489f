// Cursors: where the next page of a list begins. A client may keep one, and should not look inside:
// base64url of a version, the list, a position and a check. What is none of ours, or of another
// listing, means the first page, as at Kalshi.

#ifndef ENGINE_WIRE_KALSHI_CURSOR_H_
#define ENGINE_WIRE_KALSHI_CURSOR_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace engine::kalshi {

// Which list a cursor belongs to: it is none for another. Do not renumber: clients keep cursors.
enum class CursorList : uint8_t {
  kMarkets = 1,
  kTrades = 2,
  kEvents = 3,
  kPositions = 4,
  kFills = 5,
  kSettlements = 6,
  kOrders = 7,
  kFeeChanges = 8,
};

// A place in a list, as its owner orders it.
struct CursorPosition {
  uint64_t sequence = 0;
  uint32_t listing = 0;  // Whose list it is, and of what: as its owner numbers them.

  friend constexpr auto operator<=>(const CursorPosition&, const CursorPosition&) = default;
};

std::string MakeCursor(CursorList list, const CursorPosition& position);
// nullopt: the first page.
std::optional<CursorPosition> ParseCursor(CursorList list, absl::string_view text);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CURSOR_H_
