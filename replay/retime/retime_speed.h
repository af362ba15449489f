// The speed of a timed replay: when each command is due.
//
//   1x, 10x, 0.5x   at the recorded intervals, divided by the factor
//   1M/s, 50k/s     at equal intervals, independent of the recorded ones
//   max             closed loop: each command when the one before is done
//
// Re-timing changes when commands are issued, but not their order or their timestamps. Timestamps
// are data, so the engine's events are the same at every speed (R3).

#ifndef REPLAY_RETIME_RETIME_SPEED_H_
#define REPLAY_RETIME_RETIME_SPEED_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace replay {

// A regular value type.
struct RetimeSpeed {
  enum class Kind { kMax, kRecorded, kRate };

  Kind kind = Kind::kMax;
  uint64_t thousandths = 1000;  // Of kRecorded: how many times as fast.
  uint64_t per_second = 0;      // Of kRate.

  bool is_open_loop() const { return kind != Kind::kMax; }

  // Returns the due time of the command with that index, in nanoseconds after the first command.
  // The command was recorded `recorded_nanos` after the first. At most 2^63. REQUIRES:
  // is_open_loop().
  uint64_t DueNanos(uint64_t index, uint64_t recorded_nanos) const;

  // Returns text that Parse() reads.
  std::string ToString() const;

  // Errors: INVALID_ARGUMENT that names the text and what was expected.
  static absl::StatusOr<RetimeSpeed> Parse(absl::string_view text);

  friend bool operator==(const RetimeSpeed&, const RetimeSpeed&) = default;
};

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_SPEED_H_
