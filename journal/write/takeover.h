// Takes over an existing journal for a writer (FORMAT.md, section 7): inspects it, makes the data
// it keeps durable, truncates a torn tail, and begins the next incarnation.

#ifndef JOURNAL_WRITE_TAKEOVER_H_
#define JOURNAL_WRITE_TAKEOVER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/storage/storage.h"
#include "journal/write/segment_chain.h"

namespace journal {

// What a takeover did to the end of the journal. A regular value type.
struct RecoverySummary {
  uint64_t bytes_set_aside = 0;            // Bytes of the tail kept in a .torn file.
  std::vector<std::string> sidecar_notes;  // For people: checkpoints after the end, cut off.
};

// Leaves `chain` with the segment to append to, `digest` with the log digest of all records, and
// the actions taken in `recovery`. See Writer::Open() for `restore`. If `digest` stays empty, the
// writer before stopped before the first segment had begun, and the caller begins it.
// Errors: as Writer::Open(). With DATA_LOSS, FAILED_PRECONDITION or an error of `restore` nothing
// is changed.
absl::Status TakeOver(Directory& directory, const JournalMetadata& metadata,
                      engine::Timestamp created, const std::function<absl::Status()>& restore,
                      SegmentChain& chain, std::optional<LogDigest>& digest,
                      RecoverySummary& recovery);

}  // namespace journal

#endif  // JOURNAL_WRITE_TAKEOVER_H_
