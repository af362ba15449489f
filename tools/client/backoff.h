// How long to wait before the next attempt: twice as long each time, with a part that is drawn, so
// that clients which lost one venue do not all come back at the same moment.

#ifndef TOOLS_CLIENT_BACKOFF_H_
#define TOOLS_CLIENT_BACKOFF_H_

#include <algorithm>
#include <cstdint>

#include "engine/base/prng.h"

namespace client {

// Not thread-safe. Equal seeds give equal waits.
class Backoff {
 public:
  static constexpr int64_t kFirstNanos = 100'000'000;
  static constexpr int64_t kMostNanos = 30'000'000'000;

  explicit Backoff(uint64_t seed) : random_(seed) {}

  // Between half of the span and all of it; the span is then doubled, up to kMostNanos.
  int64_t NextNanos() {
    const int64_t span = span_;
    span_ = std::min(2 * span_, kMostNanos);
    return random_.Between(span / 2, span);
  }
  // After a success.
  void Reset() { span_ = kFirstNanos; }

 private:
  engine::Prng random_;
  int64_t span_ = kFirstNanos;
};

}  // namespace client

#endif  // TOOLS_CLIENT_BACKOFF_H_
