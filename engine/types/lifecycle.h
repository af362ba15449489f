// The states of a market, of the exchange and of an account. RULES.md has the tables of the
// commands that each state allows.

#ifndef ENGINE_TYPES_LIFECYCLE_H_
#define ENGINE_TYPES_LIFECYCLE_H_

#include <cstdint>

namespace engine {

// Do not renumber: in events and snapshots.
enum class MarketState : uint8_t {
  kUnopened = 1,    // Defined, not trading yet.
  kOpen = 2,        //
  kPaused = 3,      // Orders may be cancelled and reduced; new, replace and amend are rejected.
  kClosed = 4,      // Trading is over: for the day (equity), for good (binary).
  kDetermined = 5,  // Binary: the settlement value is known.
  kSettled = 6,     // Binary: everyone has been paid.
};
inline constexpr int kMarketStateCount = 6;

// Do not renumber.
enum class ExchangeState : uint8_t {
  kActive = 1,
  kPaused = 2,  // Only cancels, advance-time and changes of this state pass.
  kHalted = 3,  // Only changes of this state pass.
};

// Do not renumber. Of an open account.
enum class AccountStanding : uint8_t {
  kActive = 1,
  kSuspended = 2,  // It has no live orders.
};

}  // namespace engine

#endif  // ENGINE_TYPES_LIFECYCLE_H_
