// What a journal's snapshots know of its end. They are taken of durable records only, so one that
// was proven vouches for all records up to it: where the journal ends earlier, segments are
// missing.

#ifndef TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_
#define TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"

namespace tools {

// The newest that was restored and compared; none where there is no such snapshot, or no journal
// that can be opened. To be asked for before the journal's end is: a writer may be at work. Errors:
// the storage's.
absl::StatusOr<std::vector<journal::ExpectedEnd>> FindExpectedEnds(
    const journal::Directory& directory);

// For whoever is to append: the numbers of records that a snapshot knows are not given again.
// Errors: DATA_LOSS where the journal ends before them, with what to do; the storage's. Says
// nothing of a journal that is DAMAGED, or none.
absl::Status CheckEndsBehindSnapshots(const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_
