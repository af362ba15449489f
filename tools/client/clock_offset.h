// How far the venue's clock is before ours, from the header Date of its replies. The header has
// whole seconds, so an offset within them is none: a venue accepts signatures that are a few
// seconds off.

#ifndef TOOLS_CLIENT_CLOCK_OFFSET_H_
#define TOOLS_CLIENT_CLOCK_OFFSET_H_

#include <algorithm>
#include <cstdint>

#include "engine/base/timestamp.h"

namespace client {

// Not thread-safe. Each reply bounds the offset: the venue wrote `date`, rounded down to a second,
// between the request and the reply.
class ClockOffset {
 public:
  // `sent`, `received`: on our clock.
  void Observe(engine::Timestamp sent, engine::Timestamp date, engine::Timestamp received) {
    const int64_t low = date.nanos() - received.nanos();
    const int64_t high = date.nanos() + kSecond - sent.nanos();
    low_ = std::max(low_, low);
    high_ = std::min(high_, high);
    if (low_ > high_) {  // A clock was set.
      low_ = low;
      high_ = high;
    }
    if (low_ <= 0 && high_ >= 0) {
      nanos_ = 0;
    } else {
      nanos_ = low_ + (high_ - low_) / 2;
    }
  }

  // Added to our clock it gives the venue's. Zero as long as nothing speaks against it.
  int64_t nanos() const { return nanos_; }

 private:
  static constexpr int64_t kSecond = 1'000'000'000;

  // The offset is between these.
  int64_t low_ = INT64_MIN;
  int64_t high_ = INT64_MAX;
  int64_t nanos_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_CLOCK_OFFSET_H_
