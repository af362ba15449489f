// How a writer goes on with a journal that is there (FORMAT.md, section 7): it looks, makes durable
// what it believes, cuts off what nobody was promised, and says in the journal that it has come.

#ifndef JOURNAL_TAKEOVER_H_
#define JOURNAL_TAKEOVER_H_

#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/recovery_summary.h"
#include "journal/segment_chain.h"
#include "journal/storage/storage.h"

namespace journal {

// Leaves `chain` with the segment that goes on, `digest` with that of all records, and in
// `recovery` what was done for it. `restore` as Writer::Open says. Without a digest: no segment had
// begun when its writer stopped, and `chain` is to begin the first one. Errors: as Writer::Open;
// nothing was changed when it is DATA_LOSS or FAILED_PRECONDITION, or what `restore` gave.
absl::Status TakeOver(Directory& directory, const JournalMetadata& metadata,
                      engine::Timestamp created, const std::function<absl::Status()>& restore,
                      SegmentChain& chain, std::optional<LogDigest>& digest,
                      RecoverySummary& recovery);

}  // namespace journal

#endif  // JOURNAL_TAKEOVER_H_
