// Why the exchange refused a command, why an order ended, and what became of its priority.

#ifndef ENGINE_MESSAGES_REJECT_REASON_H_
#define ENGINE_MESSAGES_REJECT_REASON_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace engine {

// Do not renumber, do not reuse: in the journals' event streams. A rejected command changes nothing
// but the sequence number (E4). Reasons are tried in the order of this list, within what applies.
enum class RejectReason : uint8_t {
  kNone = 0,
  kUnknownCommand = 1,           // The kind is none of CommandKind.
  kUnsupportedField = 2,         // Reserved bytes are not zero: written by a newer version.
  kMalformedDefinition = 3,      // The attachment is missing, damaged or unsound.
  kMarketAlreadyDefined = 4,     // The id is taken.
  kSymbolAlreadyDefined = 5,     // The symbol is taken.
  kUnknownMarket = 6,            // No such market.
  kUnknownOrder = 7,             // No command before this one has that id.
  kOrderNotLive = 8,             // That id never became an order, or its order has ended.
  kWrongMarket = 9,              // The order rests in another market.
  kWrongAccount = 10,            // The order belongs to another account.
  kInvalidSide = 11,             // Neither bid nor ask.
  kInvalidOrderType = 12,        // Neither limit nor market.
  kInvalidTimeInForce = 13,      // None of the three, or a market order that would rest.
  kPriceOnMarketOrder = 14,      // A market order names a price.
  kQuantityZero = 15,            //
  kQuantityAboveMaximum = 16,    // Above kQuantityMax.
  kQuantityOffLot = 17,          // Not a multiple of the market's lot.
  kPriceOutOfBand = 18,          // Outside the market's price_min..price_max.
  kPriceOffTick = 19,            // Not a multiple of the market's tick.
  kQuantityNotAboveFilled = 20,  // An amend to no more than what has traded already.
};

// Do not renumber. Why an order left the book, or never entered it, other than by trading.
enum class CancelReason : uint8_t {
  kNone = 0,
  kRequested = 1,          // A cancel.
  kReduced = 2,            // A reduce by all that remained, or more.
  kImmediateOrCancel = 3,  // What did not trade on arrival.
  kFillOrKill = 4,         // Not all of it could trade on arrival.
};

// Do not renumber. An amended order's place among the orders of its price level.
enum class PriorityOutcome : uint8_t {
  kNone = 0,
  kKept = 1,
  kLost = 2,  // Behind all others, as if it had just arrived.
};

// The names in the text form, in numerical order; zero, "none", first.
inline constexpr std::array<absl::string_view, 21> kRejectReasonNames = {
    "none",
    "unknown_command",
    "unsupported_field",
    "malformed_definition",
    "market_already_defined",
    "symbol_already_defined",
    "unknown_market",
    "unknown_order",
    "order_not_live",
    "wrong_market",
    "wrong_account",
    "invalid_side",
    "invalid_order_type",
    "invalid_time_in_force",
    "price_on_market_order",
    "quantity_zero",
    "quantity_above_maximum",
    "quantity_off_lot",
    "price_out_of_band",
    "price_off_tick",
    "quantity_not_above_filled",
};
inline constexpr std::array<absl::string_view, 5> kCancelReasonNames = {
    "none", "requested", "reduced", "immediate_or_cancel", "fill_or_kill"};
inline constexpr std::array<absl::string_view, 3> kPriorityOutcomeNames = {"none", "kept", "lost"};

}  // namespace engine

#endif  // ENGINE_MESSAGES_REJECT_REASON_H_
