// Writes existing records into a new journal of sealed segments, for salvage and repacking.
//
//   Append ─► K open blocks ─► encoded in parallel ─► segment after segment, each sealed
//
// Unlike Writer it trades speed for size: blocks are large and the compression is strong. The new
// journal is durable only after Close(); before that it must not be used.

#ifndef JOURNAL_MAINTENANCE_BULK_WRITER_H_
#define JOURNAL_MAINTENANCE_BULK_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
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
  uint64_t segment_bytes = uint64_t{1} << 30;  // A segment is sealed before it would exceed this.
  uint32_t block_records = 65536;              // Range [1, 65536].
  int zstd_level = 19;                         // Range [1, 19]. Chosen by measurement (DESIGN.md).
  size_t blocks_in_parallel = 1;               // Blocks encoded in one call of `parallel`; >= 1.
  ParallelWork parallel = OneByOne;
};

// Where the new journal begins, and its UUID.
struct BulkOrigin {
  Uuid journal_uuid;
  uint64_t segment_index = 0;  // If not 0, the caller also writes `beginning` (beginning.h).
  engine::SequenceNumber first_sequence = engine::SequenceNumber::First();
  engine::Timestamp previous_timestamp = {};
  // The log digest of all records before first_sequence, which must be the first record of a run.
  // Without it, the log digest of a journal that begins after record 1 is unknown.
  std::optional<engine::Digest> log_chain = {};
};

// Not thread-safe: owned by its caller. Errors are sticky.
class BulkWriter {
 public:
  // `to` outlives the writer, which holds its writer lock until it is destroyed.
  // Errors: INVALID_ARGUMENT (options), ALREADY_EXISTS (there is a journal), UNAVAILABLE (locked by
  // another writer), the storage's.
  static absl::StatusOr<std::unique_ptr<BulkWriter>> Create(Directory& to, BulkOrigin origin,
                                                            BulkOptions options);

  BulkWriter() = default;
  BulkWriter(const BulkWriter&) = delete;
  BulkWriter& operator=(const BulkWriter&) = delete;
  virtual ~BulkWriter() = default;

  // Later records go to a segment with this metadata: begins one unless the current one has it.
  // Errors: INVALID_ARGUMENT (metadata too long), the storage's.
  virtual absl::Status SetMetadata(const JournalMetadata& metadata, engine::Timestamp created) = 0;

  // Appends the records. REQUIRES: the first has next_sequence(); SetMetadata() was called.
  virtual absl::Status Append(Batch batch) = 0;

  // Appends a block as it is stored elsewhere, without encoding it again. REQUIRES: `records` are
  // what it decodes to, all of them; otherwise as Append().
  virtual absl::Status AppendBlock(const TakenBlock& block, Batch records) = 0;

  // Seals and syncs the last segment. Later calls return FAILED_PRECONDITION.
  virtual absl::Status Close() = 0;

  virtual engine::SequenceNumber next_sequence() const = 0;
  virtual uint64_t stored_bytes() const = 0;

  // Of all records of the log, those before first_sequence included. All zero if it is unknown
  // (BulkOrigin::log_chain).
  virtual engine::Digest log_digest() const = 0;
};

// Appends the records from writer.next_sequence() to `last`, with their segments' metadata, or up
// to the journal's end if that is earlier. Calls `copied` after each block with the last record
// copied. REQUIRES: the next record of `reader` is writer.next_sequence(). Errors: those of both.
absl::Status CopyRecords(Reader& reader, engine::SequenceNumber last, BulkWriter& writer,
                         absl::FunctionRef<void(engine::SequenceNumber)> copied);

// The same, but keeps each large block that it copies whole as it is stored: faster, and as small
// as it was.
absl::Status CopyBlocks(Reader& reader, engine::SequenceNumber last, BulkWriter& writer,
                        absl::FunctionRef<void(engine::SequenceNumber)> copied);

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_BULK_WRITER_H_
