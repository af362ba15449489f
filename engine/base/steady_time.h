// A point in monotonic time, for waiting and pacing: steps of the real clock do not affect it.

#ifndef ENGINE_BASE_STEADY_TIME_H_
#define ENGINE_BASE_STEADY_TIME_H_

#include <compare>
#include <cstdint>

namespace engine {

// A regular value type: nanoseconds since an epoch that is fixed within one process and has no
// meaning outside it: a record carries a Timestamp, and only a conversation has the times of its
// own process.
class SteadyTime {
 public:
  constexpr SteadyTime() = default;
  static constexpr SteadyTime FromNanos(int64_t nanos) { return SteadyTime(nanos); }
  static constexpr SteadyTime Max() { return SteadyTime(INT64_MAX); }
  constexpr int64_t nanos() const { return nanos_; }

  friend constexpr auto operator<=>(SteadyTime, SteadyTime) = default;
  friend constexpr SteadyTime operator+(SteadyTime time, int64_t nanos) {
    return SteadyTime(time.nanos_ + nanos);
  }
  // Nanoseconds from `b` to `a`.
  friend constexpr int64_t operator-(SteadyTime a, SteadyTime b) { return a.nanos_ - b.nanos_; }

 private:
  explicit constexpr SteadyTime(int64_t nanos) : nanos_(nanos) {}
  int64_t nanos_ = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_STEADY_TIME_H_
