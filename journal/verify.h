// Verifies every byte of a journal and reports findings. Changes nothing and takes no lock.

#ifndef JOURNAL_VERIFY_H_
#define JOURNAL_VERIFY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/finding.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"

namespace journal {

// Evidence from outside the journal that all records up to `sequence` were durable. Example: a
// snapshot that was restored and compared, because snapshots are taken of durable records only.
struct ExpectedEnd {
  engine::SequenceNumber sequence;
  std::string who;  // Names the source: "the snapshot at 8192".
};

struct VerifyOptions {
  // False: verifies headers, hashes, the chain and indexes, and that no checkpoint or hold lies
  // after the journal's end. True: also decodes every block, checks its rows (dense sequences,
  // monotone time), and compares the log digest with every checkpoint and every index.
  bool deep = true;
  // Of earlier segments, reads preambles and indexes only, to check that the later ones continue.
  uint64_t from_segment = 0;
  // A journal that ends before one of these is DAMAGED.
  std::vector<ExpectedEnd> expected_ends = {};
  // May spread the segments over threads. Then all of them call the directory's const functions
  // simultaneously, which posix_storage supports.
  ParallelWork parallel = OneByOne;
};

struct VerifyReport {
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;  // Ordered by segment and offset. CLEAN findings are warnings.

  uint64_t segment_count = 0;
  uint64_t block_count = 0;   // Valid DATA blocks.
  uint64_t record_count = 0;  // In valid DATA blocks.
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;      // Of the readable prefix.
  engine::SequenceNumber durable_sequence;   // The newest record the journal says is durable.
  uint64_t checkpoint_count = 0;             // Checkpoints compared; only when deep.
  std::optional<engine::Digest> log_digest;  // Of the readable prefix; only when deep.
};

// Calls `progress` with bytes, from this thread.
// Errors: NOT_FOUND (no journal), UNIMPLEMENTED (a newer format), the storage's. Damage is reported
// in the result, not as an error.
absl::StatusOr<VerifyReport> Verify(const Directory& directory, VerifyOptions options = {},
                                    const WorkProgress& progress = nullptr);

}  // namespace journal

#endif  // JOURNAL_VERIFY_H_
