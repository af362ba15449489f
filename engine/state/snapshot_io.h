// The sink and the source of a snapshot's parts: strings of bytes in a fixed order.

#ifndef ENGINE_STATE_SNAPSHOT_IO_H_
#define ENGINE_STATE_SNAPSHOT_IO_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace engine {

// Takes the next part. An error ends Save, which returns it.
using SnapshotSink = absl::FunctionRef<absl::Status(Bytes part)>;

// Returns the next part, valid until the next call; nullopt after the last. An error ends Load,
// which returns it.
using SnapshotSource = absl::FunctionRef<absl::StatusOr<std::optional<Bytes>>()>;

}  // namespace engine

#endif  // ENGINE_STATE_SNAPSHOT_IO_H_
