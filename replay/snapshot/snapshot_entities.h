// The entities of a snapshot as text, for comparing two snapshots.

#ifndef REPLAY_SNAPSHOT_SNAPSHOT_ENTITIES_H_
#define REPLAY_SNAPSHOT_SNAPSHOT_ENTITIES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "replay/snapshot/snapshot_file.h"

namespace replay {

// "order 17" -> "bid market=1 account=7 price=3201400 …", in raw units; "position 7/1" -> "-300".
using SnapshotEntities = std::map<std::string, std::string>;

// Adds the entities of one part of a state, as Machine::Save() gives it. Errors: DATA_LOSS.
absl::Status AddEntities(engine::Bytes part, SnapshotEntities& all);

// Returns all entities of the file. Errors: the reader's, DATA_LOSS.
absl::StatusOr<SnapshotEntities> ReadEntities(SnapshotFileReader& reader);

struct EntityChange {
  std::string entity;
  std::optional<std::string> before;  // Nullopt: there was no such entity.
  std::optional<std::string> after;   // Nullopt: there is no such entity any more.
};

// Returns the entities that differ: those of `before` in their order, then those that are only in
// `after`.
std::vector<EntityChange> CompareEntities(const SnapshotEntities& before,
                                          const SnapshotEntities& after);

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_ENTITIES_H_
