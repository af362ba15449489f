// The markets of a pruned journal whose definitions were deleted with its first segments; they come
// from its snapshots.

#ifndef TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_
#define TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_

#include "absl/status/status.h"
#include "journal/journal_info.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// Does nothing if the journal begins with its first record. If no snapshot can be used, prints a
// note, and output has numbers instead of symbols. Errors: the storage's.
absl::Status KnowDeletedMarkets(const journal::Directory& directory,
                                const journal::JournalInfo& info, Console& console,
                                MarketFollower& markets);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_
