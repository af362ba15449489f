// The entities of a snapshot as text, for comparing two snapshots.

#ifndef TOOLS_CLI_READ_SNAPSHOT_ENTITIES_H_
#define TOOLS_CLI_READ_SNAPSHOT_ENTITIES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "replay/snapshot/snapshot_file.h"

namespace tools {

// "order 17" -> "market=1 bid 3201400 remaining=100 …", in raw units; "position 7/1" -> "-300".
using SnapshotEntities = std::map<std::string, std::string>;

// Adds the entities of one part of a state, as Machine::Save() gives it. Errors: DATA_LOSS.
absl::Status AddEntities(engine::Bytes part, SnapshotEntities& all);

// Returns all entities of the file. Errors: the reader's, DATA_LOSS.
absl::StatusOr<SnapshotEntities> ReadEntities(replay::SnapshotFileReader& reader);

}  // namespace tools

#endif  // TOOLS_CLI_READ_SNAPSHOT_ENTITIES_H_
