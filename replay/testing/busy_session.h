// A session to look for faults in: long, and with everything in it that a fault could concern.
//
//   seed ─► three equity markets, one binary; accounts with money, limits and groups
//           orders of every kind near a wandering price, cancels, amends, replaces, reduces, pauses
//
// It does not hear what came of its orders, so some requests are late, as real ones are. The book
// stays small: every order is cancelled after a while.

#ifndef REPLAY_TESTING_BUSY_SESSION_H_
#define REPLAY_TESTING_BUSY_SESSION_H_

#include <cstddef>
#include <cstdint>

#include "engine/types/ids.h"
#include "replay/log_source.h"

namespace replay {

struct BusySessionOptions {
  uint64_t seed = 1;
  size_t length = 10'000;    // At least 100.
  size_t late_from = 0;      // kLateAccount trades from this command on only.
  size_t live_orders = 300;  // About so many at a time.
};

// The account whose commands come late: a fault that is armed for it lies deep in the log.
inline constexpr engine::AccountId kLateAccount{9};

// The same on every machine and day.
Log BusySession(const BusySessionOptions& options);

}  // namespace replay

#endif  // REPLAY_TESTING_BUSY_SESSION_H_
