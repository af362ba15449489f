// Checks the records of one segment: decodes every row, and compares the log digest with the index
// and the checkpoints. Each segment is checked by itself, so that many can be checked in parallel.
//
//   segment 1              │ segment 2                          │ segment 3
//   … run 7 ──┬─ run 8 ────┼────────────┬─ run 9 … ──┬─ run 15 ─┼─ …
//             └ L_7: in the preamble of segment 2    └ L_14: must equal the preamble of segment 3
//
// A preamble holds the log digest's chain at the last complete run before it, so of earlier
// segments only the records of the run in which the segment begins are needed. The check of the
// segment before verifies that this chain is right.

#ifndef JOURNAL_RECOVERY_CONTENT_CHECK_H_
#define JOURNAL_RECOVERY_CONTENT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/log_digest.h"
#include "journal/recovery/journal_state.h"
#include "journal/storage/storage.h"

namespace journal {

struct ContentCheck {
  std::vector<Finding> findings;
  uint64_t checkpoint_count = 0;  // Checkpoints compared.
  // After the segment's last record, or before the first gap in it. Nothing if the digest before
  // the segment is unknown, because earlier records were deleted or cannot be read.
  std::optional<LogDigest> digest;
};

// Checks the records of state.segments[i] and stores the result in `check`. `checkpoints` are those
// of the whole journal, ascending. `advance` receives the bytes of each block that is done. Changes
// nothing; several calls may run in parallel. REQUIRES: the segment is readable.
// Errors: the storage's.
absl::Status CheckContents(const Directory& directory, const JournalState& state, size_t i,
                           const std::vector<Checkpoint>& checkpoints,
                           const std::function<void(uint64_t)>& advance, ContentCheck& check);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_CONTENT_CHECK_H_
