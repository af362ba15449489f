// Bytes to and from whoever is at the other end: a process, or in a test the next function.

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

  // All of it. Errors: ABORTED with the other end's last words once it has gone.
  virtual absl::Status Write(engine::Bytes bytes) = 0;

  // At least one byte; 0 where the other end has closed in good order. Errors: as Write().
  virtual absl::StatusOr<size_t> Read(engine::MutableBytes into) = 0;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_BYTE_CHANNEL_H_
