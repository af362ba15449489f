// A network between two computers, as what it does to the times of what is sent over one TCP
// connection in one direction. Sans-I/O; the same seed gives the same times.

#ifndef TOOLS_OS_NETWORK_TESTING_LINK_MODEL_H_
#define TOOLS_OS_NETWORK_TESTING_LINK_MODEL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/base/prng.h"

namespace tools {

struct LinkTerms {
  int64_t delay_nanos = 0;   // One way.
  int64_t jitter_nanos = 0;  // Each segment takes up to so much more, evenly distributed.
  uint32_t loss_per_million = 0;
  // What a lost segment takes more; it is sent again until it is not lost. That is Linux's least
  // timeout: what acknowledges later segments sooner is not modelled.
  int64_t retransmit_nanos = 200'000'000;
};

// A value type.
class LinkModel {
 public:
  // What is sent in one piece.
  static constexpr size_t kSegmentBytes = 1'448;

  LinkModel(const LinkTerms& terms, uint64_t seed) : terms_(terms), random_(seed) {}

  // When a segment that is sent at `now` arrives: not before those that were sent earlier.
  int64_t ArrivalOf(int64_t now) {
    int64_t arrival = now + terms_.delay_nanos;
    if (terms_.jitter_nanos > 0) {
      arrival +=
          static_cast<int64_t>(random_.Below(static_cast<uint64_t>(terms_.jitter_nanos) + 1));
    }
    for (int i = 0; i < kLossesMax && random_.Below(1'000'000) < terms_.loss_per_million; ++i) {
      arrival += terms_.retransmit_nanos;
    }
    last_ = std::max(last_, arrival);
    return last_;
  }

 private:
  static constexpr int kLossesMax = 8;

  LinkTerms terms_;
  engine::Prng random_;
  int64_t last_ = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_LINK_MODEL_H_
