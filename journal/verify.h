// Checks every byte of a journal and says what it found. Changes nothing, needs no lock.

#ifndef JOURNAL_VERIFY_H_
#define JOURNAL_VERIFY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/finding.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"
#include "journal/verdict.h"

namespace journal {

// Who knows from elsewhere that all records up to `sequence` were durable: a snapshot that was
// restored and compared, as none is taken of less.
struct ExpectedEnd {
  engine::SequenceNumber sequence;
  std::string who;  // "the snapshot at 8192".
};

struct VerifyOptions {
  // Also decodes every block, checks its rows (dense sequences, monotone time), and compares the
  // log digest with every checkpoint of the sidecar and with every footer. Otherwise: headers,
  // hashes, chain, indexes. Always: whether checkpoints and holds lie after the journal's end.
  bool deep = true;
  // Of segments before this one only what their indexes say is looked at, as to whether the later
  // ones continue them.
  uint64_t from_segment = 0;
  // A journal that ends before what one of them vouches for is DAMAGED.
  std::vector<ExpectedEnd> expected_ends = {};
  // Spreads the segments over threads; empty: one after the other. With threads, the directory's
  // const calls are made from all of them, which one of posix_storage bears.
  ParallelWork parallel = nullptr;
};

struct VerifyProgress {
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
};

struct VerifyReport {
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;  // In order of place. Warnings may stand beside CLEAN.

  uint64_t segment_count = 0;
  uint64_t block_count = 0;   // Valid data blocks.
  uint64_t record_count = 0;  // In valid data blocks.
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;      // Of the readable prefix.
  engine::SequenceNumber durable_sequence;   // The newest the log itself says is durable.
  uint64_t checkpoint_count = 0;             // Of the sidecar, compared when deep.
  std::optional<engine::Digest> log_digest;  // Of the readable prefix; only when deep.
};

// `progress` is called now and then, from this thread; it may be empty.
// Errors: NOT_FOUND (no journal), UNIMPLEMENTED (a newer format), the storage's. Damage is no
// error: it is the report.
absl::StatusOr<VerifyReport> Verify(
    const Directory& directory, VerifyOptions options = {},
    const std::function<void(const VerifyProgress&)>& progress = nullptr);

}  // namespace journal

#endif  // JOURNAL_VERIFY_H_
