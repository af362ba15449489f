// What becomes of the quantity that does not trade on arrival.

#ifndef ENGINE_TYPES_TIME_IN_FORCE_H_
#define ENGINE_TYPES_TIME_IN_FORCE_H_

#include <cstdint>

namespace engine {

// Do not renumber: in the journal. Zero is no time in force.
enum class TimeInForce : uint8_t {
  kGoodTillCancelled = 1,  // It rests.
  kImmediateOrCancel = 2,  // It is cancelled.
  kFillOrKill = 3,         // Unless all of it can trade, none does.
};

constexpr bool IsValid(TimeInForce tif) {
  return tif == TimeInForce::kGoodTillCancelled || tif == TimeInForce::kImmediateOrCancel ||
         tif == TimeInForce::kFillOrKill;
}

}  // namespace engine

#endif  // ENGINE_TYPES_TIME_IN_FORCE_H_
