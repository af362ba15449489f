// Which snapshots of a journal count when something is to be deleted.

#ifndef TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_
#define TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_

#include "absl/status/statusor.h"
#include "journal/retention.h"
#include "journal/storage/storage.h"

namespace tools {

// The sequence numbers of those that have been restored and compared, of the journal, not beyond
// its end, and whole: the two newest are read through, and their log digests compared with the
// journal's, because what is deleted is gone. Errors: the storage's and the reader's.
absl::StatusOr<journal::EligibleSnapshots> FindEligibleSnapshots(
    const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_ELIGIBLE_SNAPSHOTS_H_
