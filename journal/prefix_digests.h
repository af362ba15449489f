// Checks that the log digest of a prefix of the records is this journal's.
//
//   segment 4              segment 5              segment 6
//   preamble: L_7          preamble: L_15         preamble: L_24
//        └── records ──► L_11 ── records ──► L_15
//
// Each preamble holds the digest of the complete runs before it, and the records lead from one to
// the next. So the digest at the end of any run can be checked from the nearest preamble before or
// after it, even if the first segments were deleted. The sidecar is not used, because it may be
// another journal's file.

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

// Not thread-safe: owned by its caller. Caches the digests it computes, to avoid reading records
// again. Sees the journal as it was at the first call.
class PrefixDigests {
 public:
  // `directory` outlives it.
  explicit PrefixDigests(const Directory& directory) : directory_(directory) {}

  // OK if `digest` is the log digest of the records up to `sequence`. REQUIRES: `sequence` is the
  // end of a run. Errors: FAILED_PRECONDITION (the digest is another log's, or the journal lacks
  // the records to compare; the message says which), those of Reader::Open(), the storage's.
  absl::Status Check(engine::SequenceNumber sequence, const engine::Digest& digest);

 private:
  using Chains = std::map<engine::SequenceNumber, engine::Digest>;  // Keyed by the ends of runs.

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
