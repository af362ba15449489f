// The snapshots of a journal that deletions may rely on.

#ifndef TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_
#define TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_

#include "absl/status/statusor.h"
#include "journal/retention.h"
#include "journal/storage/storage.h"

namespace tools {

// Returns the sequence numbers of the journal's snapshots that have been restored and compared, are
// whole and not beyond its end. The two newest are read completely, and their log digests compared
// with the journal's, because deletion cannot be undone. Errors: the storage's and the reader's.
absl::StatusOr<journal::EligibleSnapshots> FindEligibleSnapshots(
    const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_
