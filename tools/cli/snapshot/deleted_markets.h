// The markets of a pruned journal whose definitions were deleted with its first segments: its
// snapshots have them.

#ifndef TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_
#define TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_

#include "absl/status/status.h"
#include "journal/journal_info.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// Nothing where the journal begins with its first record. Where no snapshot can be used, a note
// says so, and what is printed has numbers instead of names. Errors: the storage's.
absl::Status KnowDeletedMarkets(const journal::Directory& directory,
                                const journal::JournalInfo& info, Console& console,
                                MarketFollower& markets);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_DELETED_MARKETS_H_
