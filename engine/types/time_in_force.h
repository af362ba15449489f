// What happens to the quantity that does not trade on arrival.

#ifndef ENGINE_TYPES_TIME_IN_FORCE_H_
#define ENGINE_TYPES_TIME_IN_FORCE_H_

#include <cstdint>

#include "engine/types/order_type.h"

namespace engine {

// Do not renumber: in the journal. Zero is no time in force.
enum class TimeInForce : uint8_t {
  kGoodTillCancelled = 1,  // It rests until it trades or is cancelled.
  kImmediateOrCancel = 2,  // It is cancelled.
  kFillOrKill = 3,         // The order trades in full or not at all.
  kGoodTillTime = 4,       // It rests until a given log time.
  kDay = 5,                // It rests until its market closes.
};

constexpr bool IsValid(TimeInForce tif) {
  return tif >= TimeInForce::kGoodTillCancelled && tif <= TimeInForce::kDay;
}

// Of an order in text that names none.
constexpr TimeInForce DefaultTimeInForce(OrderType type) {
  return type == OrderType::kMarket ? TimeInForce::kImmediateOrCancel
                                    : TimeInForce::kGoodTillCancelled;
}

// How many price levels a fill-or-kill order may look at; with self-trade prevention, how many
// orders. What it does not reach does not count, so that an order that nothing can fill costs
// others little time.
inline constexpr int kFillOrKillReach = 1'000;

// Whether the quantity that does not trade on arrival rests.
constexpr bool Rests(TimeInForce tif) {
  return tif == TimeInForce::kGoodTillCancelled || tif == TimeInForce::kGoodTillTime ||
         tif == TimeInForce::kDay;
}

}  // namespace engine

#endif  // ENGINE_TYPES_TIME_IN_FORCE_H_
