// Whose log is it? The log digest of a prefix, as the journal itself knows it.
//
//   segment 4              segment 5              segment 6
//   preamble: L_7          preamble: L_15         preamble: L_24
//        └── records ──► L_11 ── records ──► L_15
//
// Each preamble says the digest of the complete runs before it, and the records lead from one to
// the next. So the digest at any end of a run is checked from the nearest preamble, before it or
// behind it; of a journal whose first segments were deleted as well. The sidecar is not asked: it
// is a file beside the journal, and may be another's.

#ifndef JOURNAL_PREFIX_DIGESTS_H_
#define JOURNAL_PREFIX_DIGESTS_H_

#include <map>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe. Remembers what it has computed: however often it is asked, no record is read
// twice. Sees the journal as it was when it was first asked.
class PrefixDigests {
 public:
  // `directory` outlives it.
  explicit PrefixDigests(const Directory& directory) : directory_(directory) {}

  // OK if `digest` is the log digest of the records up to `sequence`, which is the end of a run.
  // Errors: FAILED_PRECONDITION (it is another log's, or the journal has not got the records that
  // would tell: in words, with both digests), those of Reader::Open, the storage's.
  absl::Status Check(engine::SequenceNumber sequence, const engine::Digest& digest);

 private:
  using Chains = std::map<engine::SequenceNumber, engine::Digest>;  // By the ends of runs.

  absl::Status Open();
  absl::StatusOr<Chains> Lead(engine::SequenceNumber from, const engine::Digest& chain,
                              engine::SequenceNumber to);
  absl::Status CheckForward(engine::SequenceNumber from, engine::SequenceNumber sequence,
                            const engine::Digest& digest);
  absl::Status CheckOnward(engine::SequenceNumber sequence, const engine::Digest& digest,
                           engine::SequenceNumber to);

  const Directory& directory_;
  std::unique_ptr<Reader> reader_;
  Chains known_;
};

}  // namespace journal

#endif  // JOURNAL_PREFIX_DIGESTS_H_
