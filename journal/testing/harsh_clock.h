// A real-time clock as bad as on the worst machine, and the true time: for tests of users of
// clocks.

#ifndef JOURNAL_TESTING_HARSH_CLOCK_H_
#define JOURNAL_TESTING_HARSH_CLOCK_H_

#include <cstdint>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"

namespace journal {

// Time passes only by Pass(). The first reading is right, and so are most. Some are of 1970, of
// 2261 or days to decades off; and sometimes the clock is set, up to two hours ahead or back,
// until it is corrected. Not thread-safe: owned by a test.
class HarshClock final : public engine::Clock {
 public:
  HarshClock(engine::Timestamp begin, uint64_t seed) : truth_(begin), prng_(seed) {}

  void Pass(int64_t nanos) {
    truth_ = engine::Timestamp::FromNanos(truth_.nanos() + nanos);
    steady_.Advance(nanos);
  }

  engine::Timestamp Now() override {
    if (std::exchange(is_first_, false)) return truth_;
    switch (prng_.Below(16)) {
      case 0:
        return engine::Timestamp::Max();
      case 1:
        return engine::Timestamp();
      case 2:
        return engine::Timestamp::FromNanos(truth_.nanos() +
                                            (prng_.Chance(50) ? 1 : -1) * FarNanos());
      case 3:
        set_ahead_nanos_ = prng_.Between(-kStepNanos, kStepNanos);
        break;
      case 4:
        set_ahead_nanos_ = 0;
        break;
      default:
        break;
    }
    return engine::Timestamp::FromNanos(truth_.nanos() + set_ahead_nanos_);
  }

  engine::Timestamp truth() const { return truth_; }
  engine::SteadyClock& steady() { return steady_; }

  static constexpr int64_t kStepNanos = int64_t{2 * 3600} * 1'000'000'000;

 private:
  // Two days to half a century.
  int64_t FarNanos() {
    constexpr int64_t kDayNanos = int64_t{86'400} * 1'000'000'000;
    return prng_.Between(2, 50 * 365) * kDayNanos;
  }

  engine::Timestamp truth_;
  engine::ManualSteadyClock steady_;
  engine::Prng prng_;
  int64_t set_ahead_nanos_ = 0;
  bool is_first_ = true;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_HARSH_CLOCK_H_
