// Appends records to a journal.
//
//   Append ──► open block ──► Write: encoded, compressed, handed to the OS ──► Sync: on the medium
//              (in memory)    next_sequence() > written_sequence()             durable_sequence()
//
// The bytes are specified in FORMAT.md; what a crash may leave of them in its section 7.

#ifndef JOURNAL_WRITER_H_
#define JOURNAL_WRITER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

enum class Compression {
  kNone,  // Rows as they are: 64 bytes a record, the least work on the way to the disk.
  kZstd,  // Columns, then zstd, for blocks where it saves a sector or more.
};

struct WriterOptions {
  // A segment is sealed and the next one begun before it would exceed this. Range [64 KiB, 16 GiB].
  uint64_t segment_bytes = uint64_t{256} << 20;

  // A block is written once it has this many records … Range [1, 65536]. More compresses better
  // and costs a reader more memory; a block is also what one damaged byte can take away.
  uint32_t block_records = 1024;

  // … or this many bytes of attachments. Range [1, 4 MiB].
  uint32_t block_attachment_bytes = 256 << 10;

  Compression compression = Compression::kZstd;
  int zstd_level = 1;  // Range [1, 19]. More than 1 has not been seen to pay.
};

// Counted since this writer was made.
struct WriterStats {
  uint64_t records = 0;
  uint64_t blocks = 0;  // Data blocks.
  uint64_t blocks_compressed = 0;
  uint64_t segments = 0;      // Begun.
  uint64_t raw_bytes = 0;     // Bodies before compression.
  uint64_t stored_bytes = 0;  // Everything written to segments, padding included.
  uint64_t attachment_bytes = 0;
  uint64_t syncs = 0;
};

// What Writer::Open found and did.
struct RecoverySummary {
  bool was_sealed = false;       // The previous writer had closed the journal.
  bool torn = false;             // A tail nobody was promised was cut off …
  uint64_t bytes_set_aside = 0;  // … and kept in a .torn file.
  uint64_t records_dropped = 0;  // As far as the tail's own headers tell.
  engine::SequenceNumber last_sequence;
};

// Not thread-safe: owned by the thread that sequences, or by the one that writes for it.
//
// Failure is sticky. After the first error of the storage every call returns that same error and
// writes nothing more, because the tail of the file is then unknown; the caller stops accepting
// commands, and recovery decides what the tail holds. Destroying a writer without Close() is a
// crash as far as the journal is concerned: the open block is lost.
class Writer {
  class Impl;

 public:
  // Begins a journal in a directory that holds none. `created` is written down, not interpreted.
  // `directory` outlives the writer.
  // Errors: ALREADY_EXISTS (there is a journal), INVALID_ARGUMENT (options, metadata), UNAVAILABLE
  // (locked by another writer).
  static absl::StatusOr<std::unique_ptr<Writer>> Create(Directory& directory,
                                                        JournalMetadata metadata, const Uuid& uuid,
                                                        engine::Timestamp created,
                                                        WriterOptions options = {});

  // Recovers a journal and appends to it (FORMAT.md, section 7). CLEAN: goes on. TORN: sets the
  // torn tail aside, cuts it off, goes on with the next incarnation. DAMAGED: DATA_LOSS, and
  // nothing has been changed.
  //
  // A journal whose last segment carries other metadata (created_by aside) goes on in a new
  // segment. `uuid` is used only where the crash came before the first preamble was whole. Errors:
  // NOT_FOUND (no journal), DATA_LOSS, UNIMPLEMENTED (a newer format), FAILED_PRECONDITION (another
  // row_schema_id), UNAVAILABLE (locked).
  static absl::StatusOr<std::unique_ptr<Writer>> Open(Directory& directory,
                                                      JournalMetadata metadata, const Uuid& uuid,
                                                      engine::Timestamp created,
                                                      WriterOptions options = {});

  // For Create() and Open(): Impl is private.
  explicit Writer(std::unique_ptr<Impl> impl);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Adds a record to the open block; writes the block once it is full.
  // REQUIRES: row.sequence == next_sequence(), row.timestamp >= last_timestamp().
  // Errors: INVALID_ARGUMENT (attachment longer than kMaxAttachmentBytes; not sticky, nothing was
  // added), or the storage's.
  absl::Status Append(const Row& row, engine::Bytes attachment = {});

  // Closes the open block and hands it to the operating system: every appended record survives the
  // process.
  absl::Status Write();

  // Write(), and returns once every appended record survives the machine. J4 rests on this call.
  absl::Status Sync();

  // Writes a block without records when the newest block does not yet carry the durability
  // watermark; does nothing otherwise. Called when traffic pauses, it closes the window in which
  // damage to the last synced blocks would look like a torn tail (FORMAT.md, section 7).
  absl::Status Heartbeat();

  // Sync, then seals the segment: index, footer. The writer is of no use afterwards.
  absl::Status Close();

  const Uuid& journal_uuid() const;
  engine::SequenceNumber next_sequence() const;
  engine::SequenceNumber written_sequence() const;  // The last that survives the process.
  engine::SequenceNumber durable_sequence() const;  // The last that survives the machine.
  engine::Timestamp last_timestamp() const;

  // Over everything appended so far.
  engine::Digest log_digest() const;

  const WriterStats& stats() const;
  const RecoverySummary& recovery() const;  // As Create() leaves it: empty.

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace journal

#endif  // JOURNAL_WRITER_H_
