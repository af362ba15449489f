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

#include <cstddef>
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

  // Adds the records up to `last`, and removes them from the front of `rows` and `attachments`.
  // REQUIRES: `rows` is not empty and begins with last() + 1; last() is before `last`.
  void AddUpTo(engine::SequenceNumber last, std::span<const Row>& rows,
               std::span<const AttachmentView>& attachments);

  // Returns the digest of all records added so far; more may follow.
  engine::Digest Value() const;

  // chain() is L_k of the complete runs; last() is the last record added.
  const engine::Digest& chain() const { return chain_; }
  engine::SequenceNumber last() const { return last_; }

 private:
  void AddAttachment(engine::SequenceNumber sequence, engine::Bytes bytes);
  void AddRows(std::span<const Row> rows);
  engine::Digest Extended() const;  // L_{k-1} ‖ the open run, as if it ended here.

  engine::Digest chain_;
  engine::SequenceNumber last_;
  engine::Digester rows_;
  engine::Digester attachments_;
};

}  // namespace journal

#endif  // JOURNAL_LOG_DIGEST_H_
