// The messages of a venue that its books and trades follow from: JSON to values. For the readers
// of captures and of a feed. The other direction: channel_messages.h.

#ifndef ENGINE_WIRE_KALSHI_BOOK_MESSAGES_H_
#define ENGINE_WIRE_KALSHI_BOOK_MESSAGES_H_

#include <optional>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/json_members.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

struct FeedLevel {
  Side side = Side::kBid;  // A bid is YES, an ask is NO.
  Price price = {};        // Of the YES leg, above 0 and below 1 dollar.
  Count count = {};        // Of a delta, the change.

  friend bool operator==(const FeedLevel&, const FeedLevel&) = default;
};

// How a subscription has its messages, and what its reader takes.
struct FeedForm {
  // The prices of the NO side are those of the YES leg, as in a subscription with this parameter.
  bool use_yes_price = false;
  Count count_max = kVenueCountMax;
};

// From the price of a message to that of the YES leg.
inline void ToYesPrice(const FeedForm& form, FeedLevel& level) {
  if (level.side == Side::kAsk && !form.use_yes_price) level.price = Complement(level.price);
}

// Each reads the `msg` of a frame. What they return has a meaning if message.status() is OK.

// Appends the levels of both sides; a side that is missing has none.
void ReadSnapshot(const FeedForm& form, JsonMembers& message, std::vector<FeedLevel>& levels);
FeedLevel ReadDelta(const FeedForm& form, JsonMembers& message);
// Its side is the one that took.
FeedLevel ReadTrade(const FeedForm& form, JsonMembers& message);
// When it happened: ts if it is a text, which is the finer one, or else ts_ms.
std::optional<Timestamp> ReadMessageTime(JsonMembers& message);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_BOOK_MESSAGES_H_
