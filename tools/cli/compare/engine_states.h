// States from which compared engines can start: the journal's snapshots and states saved during the
// comparison. Also reports how they were used.

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
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// Not thread-safe. Owned by the verb.
class EngineStates {
 public:
  // `opened` outlives it. A snapshot folder that cannot be opened is skipped.
  static std::unique_ptr<EngineStates> Open(const OpenedJournal& opened);

  // For Open().
  EngineStates(std::unique_ptr<journal::Directory> snapshots, const journal::Uuid& journal)
      : snapshots_(std::move(snapshots)), states_(snapshots_.get(), journal) {}

  replay::SnapshotStates& states() { return states_; }

  // Adds the markets defined before `first`, starting from the nearest state. Errors: the reader's.
  absl::Status FollowMarkets(journal::Reader& reader, engine::SequenceNumber first,
                             MarketFollower& markets);

  // "8,192 commands put to the engines again, from the state at @20,480"
  std::string ToString() const;
  // Adds a row if commands were replayed, and notes about the snapshots that were skipped.
  void AddTo(Report& report) const;

 private:
  const std::unique_ptr<journal::Directory> snapshots_;
  replay::SnapshotStates states_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_ENGINE_STATES_H_
