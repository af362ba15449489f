// The end of a journal that its snapshots imply. Snapshots are taken of durable records only, so a
// proven one guarantees that all records up to it existed: if the journal ends earlier, segments
// are missing.

#ifndef TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_
#define TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"

namespace tools {

// Returns the end implied by the newest snapshot that was restored and compared; empty if there is
// no such snapshot, or no journal that can be opened. Call it before determining the journal's end,
// because a writer may be active. Errors: the storage's.
absl::StatusOr<std::vector<journal::ExpectedEnd>> FindExpectedEnds(
    const journal::Directory& directory);

// For a process that will append: ensures that it does not reuse the numbers of records that a
// snapshot covers. Errors: DATA_LOSS if the journal ends before them, with instructions; the
// storage's. Returns OK if the journal is DAMAGED or does not exist.
absl::Status CheckEndsBehindSnapshots(const journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_EXPECTED_ENDS_H_
