// A byte stream to and from the other end: a process, or an in-memory loopback in tests.

#ifndef REPLAY_COMPARE_BYTE_CHANNEL_H_
#define REPLAY_COMPARE_BYTE_CHANNEL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace replay {

// Not thread-safe.
class ByteChannel {
 public:
  virtual ~ByteChannel() = default;

  // Writes all of `bytes`. Errors: ABORTED with the other end's last output if it has ended.
  virtual absl::Status Write(engine::Bytes bytes) = 0;

  // Reads at least one byte and returns the count; 0 if the other end closed normally. Errors: as
  // Write().
  virtual absl::StatusOr<size_t> Read(engine::MutableBytes into) = 0;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_BYTE_CHANNEL_H_
