// Where engines that are compared go on from, for verbs: the journal's snapshots and what was saved
// on the way, and what came of them in words.

#ifndef TOOLS_CLI_COMPARE_ENGINE_STATES_H_
#define TOOLS_CLI_COMPARE_ENGINE_STATES_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/compare/snapshot_states.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// Not thread-safe. Owned by the verb.
class EngineStates {
 public:
  // `opened` outlives it. A folder of snapshots that cannot be opened is passed over.
  static std::unique_ptr<EngineStates> Open(const OpenedJournal& opened);

  // For Open().
  EngineStates(std::unique_ptr<journal::Directory> snapshots, const journal::Uuid& journal)
      : snapshots_(std::move(snapshots)), states_(snapshots_.get(), journal) {}

  replay::SnapshotStates& states() { return states_; }

  // The markets defined before `first`, from the nearest state on. Errors: the reader's.
  absl::Status FollowMarkets(journal::Reader& reader, engine::SequenceNumber first,
                             MarketFollower& markets);

  // "8,192 commands put to the engines again, from the state at @20,480"
  std::string ToString() const;
  // A row, where anything was replayed again; and what was passed over, as notes.
  void Print(Console& console) const;
  // Into the object that is open.
  void Write(JsonObject& json) const;

 private:
  const std::unique_ptr<journal::Directory> snapshots_;
  replay::SnapshotStates states_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_ENGINE_STATES_H_
