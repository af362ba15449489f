// The real time for a live session, without readings that jump ahead.

#ifndef TOOLS_CLI_RECORD_LIVE_CLOCK_H_
#define TOOLS_CLI_RECORD_LIVE_CLOCK_H_

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "journal/guarded_clock.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/format.h"
#include "tools/os/monotonic_clock.h"
#include "tools/os/system_clock.h"

namespace tools {

// Not thread-safe: owned by the verb. Warns on `console`, which outlives it.
class LiveClock final : public engine::Clock {
 public:
  LiveClock(int64_t jump_seconds_max, Console& console)
      : guarded_(system_, steady_, jump_seconds_max * 1'000'000'000,
                 [&console, jump_seconds_max](engine::Timestamp refused, engine::Timestamp used) {
                   console.Error(absl::StrCat(
                       "warning: the clock says ", refused.ToString(), ", more than ",
                       HumanSeconds(static_cast<double>(jump_seconds_max)),
                       " ahead of what it said before: not used; commands are stamped ",
                       used.ToString(), " until it is right (--max-clock-jump)\n"));
                 }) {}

  engine::Timestamp Now() override { return guarded_.Now(); }

 private:
  SystemClock system_;
  MonotonicClock steady_;
  journal::GuardedClock guarded_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_LIVE_CLOCK_H_
