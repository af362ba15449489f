// Checks what the blocks of one segment hold: decodes every row, and holds the log digest against
// the index and the checkpoints. Each segment by itself, so that many can be checked at once.
//
//   segment 1              │ segment 2                          │ segment 3
//   … run 7 ──┬─ run 8 ────┼────────────┬─ run 9 … ──┬─ run 15 ─┼─ …
//             └ L_7: segment 2's preamble says it    └ L_14: must be what segment 3's says
//
// A preamble says the digest's chain at the last complete run before it, so the digest of a segment
// needs of earlier ones only the records of the run in which it begins. That what it says is so is
// checked from the other side.

#ifndef JOURNAL_CONTENT_CHECK_H_
#define JOURNAL_CONTENT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/journal_state.h"
#include "journal/storage/storage.h"

namespace journal {

// What a log digest comes to. A regular value type.
struct DigestReached {
  engine::SequenceNumber last;
  engine::Digest chain;  // Of the complete runs up to there.
  engine::Digest value;
};

struct ContentCheck {
  std::vector<Finding> findings;
  uint64_t checkpoint_count = 0;  // Compared.
  // After the segment's last record, or before the first gap in it. Nothing: what it would go on
  // from is not known, as the records before have been deleted or cannot be read.
  std::optional<DigestReached> digest;
};

// Checks into `check` the records of state.segments[i], which is readable. `checkpoints` are all of
// the journal. `advance` is told of bytes as they are done. Reads only; several calls may run at
// once. Errors: the storage's.
absl::Status CheckContents(const Directory& directory, const JournalState& state, size_t i,
                           const std::vector<Checkpoint>& checkpoints,
                           const std::function<void(uint64_t)>& advance, ContentCheck& check);

}  // namespace journal

#endif  // JOURNAL_CONTENT_CHECK_H_
