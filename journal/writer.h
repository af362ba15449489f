// Appends records to a journal.
//
//   Append ──► open block ──► compressed, handed to the OS ──► on the medium
//              (in memory)    written_sequence()               durable_sequence()
//   └ the sequencing half ┘   └───────────── BlockWriter, the writing half ─────────────┘
//
// The two halves run on one thread, the writing half inside the calls below, or on two. With two,
// the writing half takes all blocks that are waiting whenever it is free: group commit.
//
// FORMAT.md specifies the bytes; its section 7 specifies what a crash may leave of them.

#ifndef JOURNAL_WRITER_H_
#define JOURNAL_WRITER_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/ack_policy.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/write/block_writer.h"
#include "journal/write/takeover.h"
#include "journal/writer_options.h"

namespace journal {

// Not thread-safe: owned by the sequencing thread. RunBackground() belongs to the writing thread,
// and StopBackground() may be called from any thread.
//
// Storage errors are sticky. After the first one every call returns that same error and writes
// nothing more, because the tail of the file is then unknown. The caller stops accepting commands,
// and recovery decides what the tail holds. Destroying a writer without Close() is equivalent to a
// crash of the process: the open block is lost.
//
// With a reserve (WriterOptions::reserve_bytes) a full disk is not a sticky error: Append() returns
// RESOURCE_EXHAUSTED, status() stays OK, and appends succeed again when there is space.
class Writer {
 public:
  // Called at most once, inside Open(), while the writer holds the lock.
  using Restore = std::function<absl::Status()>;

  // Creates a journal in a directory that holds none. `created` is stored, not interpreted.
  // `directory` outlives the writer.
  // Errors: ALREADY_EXISTS (there is a journal), INVALID_ARGUMENT (options, metadata), UNAVAILABLE
  // (locked by another writer), the storage's.
  static absl::StatusOr<std::unique_ptr<Writer>> Create(Directory& directory,
                                                        JournalMetadata metadata, const Uuid& uuid,
                                                        engine::Timestamp created,
                                                        WriterOptions options = {});

  // Recovers a journal and continues it with the next incarnation (FORMAT.md, section 7).
  //   CLEAN    appends after the last record.
  //   TORN     sets the torn tail aside, truncates the segment, then appends.
  //   DAMAGED  returns DATA_LOSS and changes nothing.
  //
  // Before its first write it verifies the headers, seals, indexes and the chain of all segments,
  // and that the blocks it keeps of the last segment are on the disk, not only in the page cache.
  // Then it calls `restore`, in which the caller reads the payloads that it depends on. If
  // `restore` returns an error, Open() returns that error and changes nothing. Without `restore`,
  // Open() verifies every payload itself.
  //
  // If the last segment has other metadata (created_by and time_zone aside), records go to a new
  // segment. `uuid` is used only if the crash came before the journal's first preamble was
  // complete. Errors: INVALID_ARGUMENT (options, metadata), NOT_FOUND (no journal), DATA_LOSS,
  // UNIMPLEMENTED (a newer format), FAILED_PRECONDITION (another row_schema_id; a partial journal
  // whose log digest is unknown), UNAVAILABLE (locked), those of `restore`, the storage's.
  static absl::StatusOr<std::unique_ptr<Writer>> Open(Directory& directory,
                                                      JournalMetadata metadata, const Uuid& uuid,
                                                      engine::Timestamp created,
                                                      WriterOptions options = {},
                                                      const Restore& restore = nullptr);

  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  virtual ~Writer() = default;

  // The disk space that a record may use.
  enum class Space {
    kPlenty,   // Refused when the disk is full.
    kReserve,  // Accepted until the reserve is used up: for cancels and reductions.
  };

  // Adds a record to the open block, and closes the block once it is full. Waits while all blocks
  // are in flight (WriterOptions::blocks_in_flight): back-pressure from a slow disk.
  // REQUIRES: row.sequence == next_sequence(), row.timestamp >= last_timestamp().
  // Errors: INVALID_ARGUMENT (attachment longer than kMaxAttachmentBytes), RESOURCE_EXHAUSTED (no
  // space in reserve): neither is sticky, and nothing was added. Or the storage's, sticky.
  virtual absl::Status Append(const Row& row, engine::Bytes attachment, Space space) = 0;
  absl::Status Append(const Row& row, engine::Bytes attachment = {}) {
    return Append(row, attachment, Space::kPlenty);
  }

  // Whether Append() takes all records of a block without waiting for the writing thread. True
  // without a second thread.
  virtual bool HasRoom() const = 0;

  // Closes the open block and hands it to the writing thread if that thread is idle; never waits.
  // Call it whenever there are no more records to append. Does nothing without a second thread.
  virtual absl::Status HandOver() = 0;

  // Closes the open block. Returns once the operating system has every appended record: they
  // survive a crash of the process.
  virtual absl::Status Write() = 0;

  // As Write(), but returns once every appended record is on the medium: they survive a power cut.
  // J4 rests on this call.
  virtual absl::Status Sync() = 0;

  // Sets the policy from the next record on. Logs the change as a CONTROL block, unless this writer
  // has appended nothing yet, because then no acknowledgement depends on the old policy. Under
  // kDisk the writing thread syncs after every write.
  // Errors: RESOURCE_EXHAUSTED (no space in reserve; the policy is unchanged), the storage's.
  virtual absl::Status SetAckPolicy(AckPolicy policy) = 0;
  virtual AckPolicy ack_policy() const = 0;

  // The last record whose effects may be published. Each record is subject to the policy under
  // which it was sequenced.
  virtual engine::SequenceNumber acknowledged_sequence() = 0;

  // Writes a HEARTBEAT block if the newest block does not yet carry the current watermark. Called
  // when traffic pauses, it closes the window in which damage to the last synced blocks would look
  // like a torn tail (FORMAT.md, section 7). Does nothing with a second thread, which writes
  // heartbeats itself, or while the open block holds records.
  virtual absl::Status Heartbeat() = 0;

  // Syncs, then seals the segment: SEAL block, index, footer. Every later call returns
  // FAILED_PRECONDITION. The writer holds the directory's lock until it is destroyed, so that the
  // caller can still write files beside the segments, such as the last checkpoint.
  virtual absl::Status Close() = 0;

  // Runs the writing half on the calling thread. Returns once the journal is closed, the storage
  // has failed, or StopBackground() was called. REQUIRES: WriterOptions::threads.
  virtual void RunBackground(engine::SteadyClock& clock) = 0;
  // Any thread. A writer that is stopped before it is closed has failed: UNAVAILABLE.
  virtual void StopBackground() = 0;
  // For tests, which take its steps one by one instead of calling RunBackground().
  virtual BlockWriter& writing_half() = 0;

  virtual const Uuid& journal_uuid() const = 0;
  virtual engine::SequenceNumber next_sequence() const = 0;
  // The last record that survives a process crash, and the last that survives a power cut.
  virtual engine::SequenceNumber written_sequence() const = 0;
  virtual engine::SequenceNumber durable_sequence() const = 0;
  virtual engine::Timestamp last_timestamp() const = 0;

  // Over all records up to the last one appended, the open block included.
  virtual engine::Digest log_digest() = 0;

  // Whether WriterOptions::threads were given.
  virtual bool has_second_thread() const = 0;

  // OK, or the sticky error that every call returns.
  virtual absl::Status status() const = 0;
  // Exact when no block is in flight.
  virtual WriterStats stats() const = 0;
  virtual const RecoverySummary& recovery() const = 0;  // What Open() did; empty after Create().
};

}  // namespace journal

#endif  // JOURNAL_WRITER_H_
