// Why the exchange rejected a command, why an order ended, and whether an order kept its priority.

#ifndef ENGINE_MESSAGES_REJECT_REASON_H_
#define ENGINE_MESSAGES_REJECT_REASON_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace engine {

// Do not renumber, do not reuse: in the journals' event streams. A rejected command changes nothing
// but the sequence number and the time (E4). RULES.md gives the order of the checks.
enum class RejectReason : uint8_t {
  kNone = 0,
  kUnknownCommand = 1,         // The kind is not a CommandKind.
  kUnsupportedField = 2,       // A new order has undefined flags: it comes from a newer version.
  kMalformedDefinition = 3,    // The attachment is missing, damaged or invalid.
  kMarketAlreadyDefined = 4,   // The id is taken.
  kSymbolAlreadyDefined = 5,   // The symbol is taken.
  kUnknownMarket = 6,          // No such market.
  kUnknownOrder = 7,           // No command before this one has that id.
  kOrderNotLive = 8,           // That id never became an order, or its order has ended.
  kWrongMarket = 9,            // The order rests in another market.
  kWrongAccount = 10,          // The order belongs to another account.
  kInvalidSide = 11,           // Neither bid nor ask.
  kInvalidOrderType = 12,      // Neither limit nor market.
  kInvalidTimeInForce = 13,    // None of the five, a market order that would rest, a day order that
                               // would get an expiry.
  kPriceOnMarketOrder = 14,    // A market order names a price.
  kQuantityZero = 15,          //
  kQuantityAboveMaximum = 16,  // Above kQuantityMax.
  kQuantityOffLot = 17,        // Not a multiple of the market's lot.
  kPriceOutOfBand = 18,        // Outside the market's price_min..price_max.
  kPriceOffTick = 19,          // Not a multiple of the market's tick.
  kQuantityNotAboveFilled = 20,  // An amend to no more than what has traded already.
  kExchangePaused = 21,          // Only cancels, time, notes and exchange state changes.
  kExchangeHalted = 22,          // Only notes and exchange state changes pass.
  kExchangeStateForbids = 23,    // The exchange is in that state already.
  kMarketStateForbids = 24,      // The market cannot go to that state from where it is.
  kMarketNotOpen = 25,           // Not open yet, or closed.
  kMarketPaused = 26,            //
  kMarketNotBinary = 27,         // Only binary markets are determined and settled, and have fees.
  kUnknownAccount = 28,          // It has not been opened, or is account zero.
  kAccountAlreadyOpen = 29,      //
  kInvalidFlags = 30,            // An undefined combination of flags, type and time in force.
  kQuantityBelowMinimum = 31,    // Below the market's quantity_min.
  kQuantityNotBelowRemaining = 32,  // A reduce-to of at least what remains.
  kExpiredOnArrival = 33,           // Its expiry time has been reached.
  kPostOnlyWouldCross = 34,         //
  kReduceOnlyNoPosition = 35,       // There is no position to reduce.
  kUnknownGroup = 36,               //
  kGroupTripped = 37,               // The group has tripped and has not been reset.
  kMalformedGroup = 38,             // Group 0, no limit or no window.
  kInvalidAmount = 39,              // Not above zero, or not a multiple of 10^-4 dollar.
  kAmountOutOfRange = 40,           // The exchange would hold more than kMoneyMax.
  kInsufficientFunds = 41,          //
  kMalformedLimits = 42,            // The attachment is missing, damaged or invalid.
  kMalformedFees = 43,              // As kMalformedLimits.
  kRiskOpenOrders = 44,             //
  kRiskOrderQuantity = 45,          //
  kRiskOrderNotional = 46,          //
  kRiskOrderRate = 47,              //
  kInvalidSettlement = 48,          // A value outside 0 to 1 dollar.
  kFeesInUse = 49,                  // Orders rest in the market whose fees were to change.
  kAccountSuspended = 50,           // Only commands that enlarge no order pass.
  kAccountStandingForbids = 51,     // The account has that standing already.
  kMalformedNote = 52,              // As kMalformedLimits.
  kPositionLimit = 53,              // The position could exceed its limit.
  kMarketIsMirrored = 54,           // It takes orders that rest, of account zero.
  kMarketNotMirrored = 55,          // Only a mirrored market takes executions.
  kQuantityAboveRemaining = 56,     // An execution of more than what remains.
};

// Do not renumber. Why an order left the book, or never entered it, other than by trading.
enum class CancelReason : uint8_t {
  kNone = 0,
  kRequested = 1,          // A cancel command.
  kReduced = 2,            // A reduce by all that remained, or more.
  kImmediateOrCancel = 3,  // The quantity that did not trade on arrival.
  kFillOrKill = 4,         // Not all of it could trade on arrival.
  kMassCancel = 5,         // A mass cancel that included it.
  kExpired = 6,            // Its expiry time has been reached.
  kMarketPaused = 7,       // It has cancel_on_pause.
  kMarketClosed = 8,       //
  kSelfTrade = 9,          // It would have traded with its own account.
  kReduceOnly = 10,        // The position was used up.
  kPostOnly = 11,          // An amend or a replace would have made it trade.
  kGroupLimit = 12,        // Its group reached its limit, or was triggered.
  kAccountSuspended = 13,  // Its account was suspended.
  kGroupDeleted = 14,      // Its group was deleted.
};

// Do not renumber. What an amend did to the order's place in its price level.
enum class PriorityOutcome : uint8_t {
  kNone = 0,
  kKept = 1,
  kLost = 2,  // After all others, as if it had just arrived.
};

// The names in the text form, in numerical order; zero, "none", first.
inline constexpr auto kRejectReasonNames = std::to_array<absl::string_view>({
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
    "exchange_paused",
    "exchange_halted",
    "exchange_state_forbids",
    "market_state_forbids",
    "market_not_open",
    "market_paused",
    "market_not_binary",
    "unknown_account",
    "account_already_open",
    "invalid_flags",
    "quantity_below_minimum",
    "quantity_not_below_remaining",
    "expired_on_arrival",
    "post_only_would_cross",
    "reduce_only_no_position",
    "unknown_group",
    "group_tripped",
    "malformed_group",
    "invalid_amount",
    "amount_out_of_range",
    "insufficient_funds",
    "malformed_limits",
    "malformed_fees",
    "risk_open_orders",
    "risk_order_quantity",
    "risk_order_notional",
    "risk_order_rate",
    "invalid_settlement",
    "fees_in_use",
    "account_suspended",
    "account_standing_forbids",
    "malformed_note",
    "position_limit",
    "market_is_mirrored",
    "market_not_mirrored",
    "quantity_above_remaining",
});
inline constexpr auto kCancelReasonNames = std::to_array<absl::string_view>(
    {"none", "requested", "reduced", "immediate_or_cancel", "fill_or_kill", "mass_cancel",
     "expired", "market_paused", "market_closed", "self_trade", "reduce_only", "post_only",
     "group_limit", "account_suspended", "group_deleted"});

// The sections of engine/RULES.md that define the cancel reasons, in numerical order.
inline constexpr auto kCancelReasonRules = std::to_array<absl::string_view>({
    "13. Reasons, Of a cancellation",     // none
    "3. Changing and cancelling",         // requested
    "3. Changing and cancelling",         // reduced
    "2. Orders, Time in force",           // immediate_or_cancel
    "2. Orders, Time in force",           // fill_or_kill
    "3. Changing and cancelling",         // mass_cancel
    "2. Orders, Time in force",           // expired
    "2. Orders, Cancel on pause",         // market_paused
    "5. Markets",                         // market_closed
    "2. Orders, Self-trade prevention",   // self_trade
    "2. Orders, Reduce-only",             // reduce_only
    "2. Orders, Post-only",               // post_only
    "4. Order groups",                    // group_limit
    "7. Accounts and money, Suspension",  // account_suspended
    "4. Order groups",                    // group_deleted
});
static_assert(kCancelReasonRules.size() == kCancelReasonNames.size());

inline constexpr std::array<absl::string_view, 3> kPriorityOutcomeNames = {"none", "kept", "lost"};

}  // namespace engine

#endif  // ENGINE_MESSAGES_REJECT_REASON_H_
