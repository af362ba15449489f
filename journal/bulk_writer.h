// Writes records that exist already into a new journal, closed from the start: what salvage and
// repacking end with.
//
//   Append ─► K open blocks ─► encoded, perhaps at once ─► segment after segment, each sealed
//
// Unlike Writer it is in no hurry: blocks are long, the compression is the strongest that pays, and
// nothing can be believed before Close(), which is when all of it is durable.

#ifndef JOURNAL_BULK_WRITER_H_
#define JOURNAL_BULK_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/parallel_work.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

struct BulkOptions {
  uint64_t segment_bytes = uint64_t{1} << 30;  // A segment is sealed once it has this many.
  uint32_t block_records = 65536;              // Range [1, 65536].
  int zstd_level = 19;                         // Range [1, 19]. Chosen by measurement (DESIGN.md).
  size_t blocks_at_once = 1;                   // How many are encoded by one call of …
  ParallelWork parallel = nullptr;             // … this; empty: one after the other.
};

// Where the new journal begins, and whose it is.
struct BulkOrigin {
  Uuid journal_uuid;
  uint64_t segment_index = 0;  // Not 0: the journal begins after record 1, and says so itself.
  engine::SequenceNumber first_sequence = engine::SequenceNumber::First();
  engine::Timestamp previous_timestamp = {};
  // The log digest of all records before first_sequence, which begins a run; without it, the digest
  // of a journal that begins later is not known.
  std::optional<engine::Digest> log_chain = {};
};

// Not thread-safe: owned by its user. Errors are sticky.
class BulkWriter {
  class Impl;

 public:
  // `to` holds no segments, and outlives it. Its lock is held until the writer is destroyed.
  // Errors: INVALID_ARGUMENT (options), ALREADY_EXISTS (there is a journal), UNAVAILABLE (another
  // writer).
  static absl::StatusOr<std::unique_ptr<BulkWriter>> Create(Directory& to, BulkOrigin origin,
                                                            BulkOptions options);

  // For Create(): Impl is private.
  explicit BulkWriter(std::unique_ptr<Impl> impl);
  ~BulkWriter();
  BulkWriter(const BulkWriter&) = delete;
  BulkWriter& operator=(const BulkWriter&) = delete;

  // What follows goes to a new segment, which says this. Before the first Append().
  absl::Status BeginSegment(const JournalMetadata& metadata, engine::Timestamp created);

  // Records in order. REQUIRES: they follow those before.
  absl::Status Append(const Batch& batch);

  // Seals, syncs. The writer is of no use afterwards.
  absl::Status Close();

  engine::SequenceNumber next_sequence() const;
  uint64_t stored_bytes() const;

  // Of all records, those before the first included. Where the origin does not say what it goes on
  // from: all zero.
  engine::Digest log_digest() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace journal

#endif  // JOURNAL_BULK_WRITER_H_
