// Where the parts of a snapshot go, and where they come from: bytes in pieces, in one order.

#ifndef ENGINE_CORE_SNAPSHOT_IO_H_
#define ENGINE_CORE_SNAPSHOT_IO_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace engine {

// Takes the next part. An error ends the saving, and is its result.
using SnapshotSink = absl::FunctionRef<absl::Status(Bytes part)>;

// The next part, valid until the next call; nullopt behind the last. An error ends the loading, and
// is its result.
using SnapshotSource = absl::FunctionRef<absl::StatusOr<std::optional<Bytes>>()>;

}  // namespace engine

#endif  // ENGINE_CORE_SNAPSHOT_IO_H_
