// The wait of a loop that reads several descriptors.

#ifndef TOOLS_OS_NETWORK_AWAIT_READABLE_H_
#define TOOLS_OS_NETWORK_AWAIT_READABLE_H_

#include <poll.h>
#include <time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/check.h"

namespace tools {

inline constexpr size_t kAwaitedMax = 8;

// Returns when one of the descriptors is readable, after `nanos_max` nanoseconds or at a signal.
// REQUIRES: at most kAwaitedMax descriptors.
inline void AwaitReadable(std::span<const int> descriptors, int64_t nanos_max) {
  CHECK(descriptors.size() <= kAwaitedMax);
  constexpr int64_t kNanosInSecond = 1'000'000'000;
  std::array<pollfd, kAwaitedMax> entries = {};
  for (size_t i = 0; i < descriptors.size(); ++i) {
    entries[i] = {.fd = descriptors[i], .events = POLLIN, .revents = 0};
  }
  const timespec wait = {.tv_sec = nanos_max / kNanosInSecond,
                         .tv_nsec = nanos_max % kNanosInSecond};
  ::ppoll(entries.data(), descriptors.size(), &wait, nullptr);
}

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_AWAIT_READABLE_H_
