// The log digest: equal for two journals with the same records, however these are batched,
// compressed and cut into segments.
//
//   records 1 … 4096        4097 … 8192            …  the unfinished run
//           └─ leaf_1 ─┐        └─ leaf_2 ─┐               └─ leaf ─┐
//   L_0 ────────────► L_1 ───────────────► L_2 ── … ──────────────► the log's digest
//
// leaf = H( H(rows) ‖ H(attachments) ),  L_k = H( L_{k-1} ‖ leaf_k ),  H = XXH3-128, L_0 = 16 zero
// bytes. FORMAT.md, section 9, specifies it, with test vectors.

#ifndef JOURNAL_LOG_DIGEST_H_
#define JOURNAL_LOG_DIGEST_H_

#include <cstdint>
#include <span>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/record.h"

namespace journal {

// The number of records in a run, and the distance between two checkpoints.
inline constexpr uint64_t kCheckpointInterval = 4096;

// The last sequence of the last complete run at or before `sequence`.
constexpr engine::SequenceNumber CompleteRunsEnd(engine::SequenceNumber sequence) {
  return engine::SequenceNumber(sequence.value() / kCheckpointInterval * kCheckpointInterval);
}

// Whether `sequence` ends a run; so does 0, the position before the first.
constexpr bool EndsRun(engine::SequenceNumber sequence) {
  return sequence == CompleteRunsEnd(sequence);
}

// The number of records from `next` to the end of its run, both included.
constexpr uint64_t LeftOfRun(engine::SequenceNumber next) {
  return kCheckpointInterval - (next.value() - 1) % kCheckpointInterval;
}

// The digest of a log, and L_k of its complete runs. A regular value type.
struct LogDigests {
  engine::Digest log = {};
  engine::Digest chain = {};

  friend bool operator==(const LogDigests&, const LogDigests&) = default;
};

// The leaf of any number of records, however they are grouped into blocks. Not thread-safe: owned
// by its caller.
class RecordsDigest {
 public:
  void Add(const Batch& batch);
  engine::Digest Finish() const;
  void Reset();

 private:
  engine::Digester rows_;
  engine::Digester attachments_;
};

// Not thread-safe: owned by its caller.
class LogDigest {
 public:
  // The digest of the empty log.
  LogDigest() = default;

  // Resumes after complete runs: `chain` is L_k and `last` is k * 4096.
  // REQUIRES: last is a multiple of kCheckpointInterval.
  LogDigest(engine::SequenceNumber last, const engine::Digest& chain);

  // Adds the next record. REQUIRES: its sequence is last() + 1.
  void Add(const Record& record) { Add(*record.row, record.attachment); }
  void Add(const Row& row, engine::Bytes attachment);

  // Adds many records, which is faster. REQUIRES: `rows` continue after last(); `attachments`
  // ascend by sequence, all within `rows`.
  void Add(std::span<const Row> rows, std::span<const AttachmentView> attachments);

  // Adds the records up to `last`, and removes them from the front of `batch`.
  // REQUIRES: `batch` begins with last() + 1, or is empty.
  void AddUpTo(engine::SequenceNumber last, Batch& batch);

  // Returns the digest of all records added so far; more may follow.
  engine::Digest Value() const;

  // chain() is L_k of the complete runs; last() is the last record added.
  const engine::Digest& chain() const { return chain_; }
  engine::SequenceNumber last() const { return last_; }
  LogDigests digests() const { return {.log = Value(), .chain = chain_}; }

 private:
  void AddToRun(const Batch& part);
  engine::Digest Extended() const;  // L_{k-1} ‖ the open run, as if it ended here.

  engine::Digest chain_;
  engine::SequenceNumber last_;
  RecordsDigest run_;
};

}  // namespace journal

#endif  // JOURNAL_LOG_DIGEST_H_
