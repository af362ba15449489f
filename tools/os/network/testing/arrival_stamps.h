// When bytes arrived at a socket: the kernel's own stamps, which know nothing of how late their
// reader wakes up.

#ifndef TOOLS_OS_NETWORK_TESTING_ARRIVAL_STAMPS_H_
#define TOOLS_OS_NETWORK_TESTING_ARRIVAL_STAMPS_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace tools {

// Makes the kernel stamp what arrives at the TCP socket `descriptor`. Errors: those of
// setsockopt(2).
absl::Status KeepArrivalStamps(int descriptor);

// Waits at most `nanos_max`, or not at all if it is not positive, for bytes that can be read, and
// leaves them there. Returns when the first of them arrived, by the machine's real time in
// nanoseconds since 1970; 0 if they have no stamp, as those that arrive just after the kernel was
// asked for stamps; nullopt if there are none.
std::optional<int64_t> AwaitArrival(int descriptor, int64_t nanos_max);

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_ARRIVAL_STAMPS_H_
