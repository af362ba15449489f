// What a writer does before it goes on with a journal: look, read, change nothing that matters.

#ifndef JOURNAL_TAKEOVER_H_
#define JOURNAL_TAKEOVER_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal_state.h"
#include "journal/log_digest.h"
#include "journal/storage/storage.h"

namespace journal {

// Makes durable what an earlier writer left in the system's cache, then inspects. In this order:
// what was only written could be believed now and be gone after the next crash. Errors: as
// InspectJournal; a DAMAGED journal is DATA_LOSS.
absl::StatusOr<JournalState> InspectForTakeover(Directory& directory);

// The digest over all records up to the end of the segment `last`. Reads what the open run covers:
// of a sealed segment less than a run, else all of it. Errors: DATA_LOSS when those records cannot
// be read, or are not those of the segment's footer.
absl::Status ResumeLogDigest(const Directory& directory, const SegmentState& last,
                             std::optional<LogDigest>& digest);

// Drops checkpoints beyond the end of the segment `last`: a sidecar may be ahead of what survived
// of the journal. A damaged one is left for its owner.
absl::Status TrimSidecar(Directory& directory, const SegmentState& last);

}  // namespace journal

#endif  // JOURNAL_TAKEOVER_H_
