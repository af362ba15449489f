// Appends records to a journal.
//
//   Append ──► open block ──► compressed, handed to the OS ──► on the medium
//              (in memory)    written_sequence()               durable_sequence()
//   └ the sequencing half ┘   └───────────── BlockWriter, the writing half ─────────────┘
//
// The two halves run on one thread, the writing one inside the calls below; or on two, and then the
// writing one takes what has gathered whenever it is free: group commit.
//
// The bytes are specified in FORMAT.md; what a crash may leave of them in its section 7.

#ifndef JOURNAL_WRITER_H_
#define JOURNAL_WRITER_H_

#include <cstdint>
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
#include "journal/block_writer.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/recovery_summary.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer_options.h"
#include "journal/writer_stats.h"

namespace journal {

// Which thread: the one that sequences, for everything but RunBackground().
//
// Failure is sticky. After the first error of the storage every call returns that same error and
// writes nothing more, because the tail of the file is then unknown; the caller stops accepting
// commands, and recovery decides what the tail holds. Destroying a writer without Close() is a
// crash as far as the journal is concerned: the open block is lost.
//
// A full disk that is met by the reserve (WriterOptions::reserve_bytes) is no failure: Append()
// refuses with RESOURCE_EXHAUSTED, status() stays OK, and it goes on when there is space.
class Writer {
  class Impl;

 public:
  // Called once at most, while the writer is opened and has the lock.
  using Restore = std::function<absl::Status()>;

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
  // Before the first write it has proven the headers, seals, indexes and the chain of all segments,
  // and that what it keeps of the last one is on the disk, not in the system's memory alone. Then
  // it calls `restore`, which reads the payloads that the caller goes on from: with its error
  // nothing has been changed. Without `restore` it has read every payload itself.
  //
  // A journal whose last segment carries other metadata (created_by aside) goes on in a new
  // segment. `uuid` is used only where the crash came before the first preamble was whole. Errors:
  // NOT_FOUND (no journal), DATA_LOSS, UNIMPLEMENTED (a newer format), FAILED_PRECONDITION (another
  // row_schema_id; a part of a journal whose log digest is not known), UNAVAILABLE (locked), those
  // of `restore`.
  static absl::StatusOr<std::unique_ptr<Writer>> Open(Directory& directory,
                                                      JournalMetadata metadata, const Uuid& uuid,
                                                      engine::Timestamp created,
                                                      WriterOptions options = {},
                                                      const Restore& restore = nullptr);

  // For Create() and Open(): Impl is private.
  explicit Writer(std::unique_ptr<Impl> impl);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // What a record may use.
  enum class Space {
    kPlenty,   // Refused when the disk is full.
    kReserve,  // Accepted until the reserve is used up: what makes things smaller.
  };

  // Adds a record to the open block, and closes the block once it is full. Waits while too many
  // blocks are on their way: a slow disk slows intake.
  // REQUIRES: row.sequence == next_sequence(), row.timestamp >= last_timestamp().
  // Errors: INVALID_ARGUMENT (attachment longer than kMaxAttachmentBytes), RESOURCE_EXHAUSTED (no
  // space in reserve): neither is sticky, nothing was added. Or the storage's.
  absl::Status Append(const Row& row, engine::Bytes attachment = {}, Space space = Space::kPlenty);

  // Gives the open block to the writing thread if that has nothing to do; does not wait. To be
  // called whenever no more records are at hand. Does nothing without a second thread.
  absl::Status HandOver();

  // Closes the open block and hands it to the operating system: every appended record survives the
  // process.
  absl::Status Write();

  // Write(), and returns once every appended record survives the machine. J4 rests on this call.
  absl::Status Sync();

  // From the next record on. Logged in the journal, unless nothing was appended by this writer: no
  // one was promised anything by the policy before. Under kDisk a writing thread syncs what it
  // writes.
  absl::Status SetAckPolicy(AckPolicy policy);
  AckPolicy ack_policy() const;

  // The last record that may be acted on by others: each by the policy it was sequenced under.
  engine::SequenceNumber acknowledged_sequence();

  // Writes a block without records when the newest block does not yet carry the durability
  // watermark; does nothing otherwise. Called when traffic pauses, it closes the window in which
  // damage to the last synced blocks would look like a torn tail (FORMAT.md, section 7).
  absl::Status Heartbeat();

  // Sync, then seals the segment: index, footer. The writer is of no use afterwards, but holds the
  // directory's lock until it is destroyed: what is written last may stand beside the segments.
  absl::Status Close();

  // The writing half, on the second thread: until the journal is closed or the thread stopped, by
  // StopBackground(), from any thread. REQUIRES: WriterOptions::threads.
  void RunBackground(engine::SteadyClock& clock);
  void StopBackground();
  // For tests: takes the steps instead of RunBackground().
  BlockWriter& writing_half();

  const Uuid& journal_uuid() const;
  engine::SequenceNumber next_sequence() const;
  engine::SequenceNumber written_sequence() const;  // The last that survives the process.
  engine::SequenceNumber durable_sequence() const;  // The last that survives the machine.
  engine::Timestamp last_timestamp() const;

  // Over everything appended so far.
  engine::Digest log_digest() const;

  // Whether WriterOptions::threads were given.
  bool has_second_thread() const;

  // OK, or the error that every call returns.
  absl::Status status() const;
  // Exact when nothing is on its way.
  WriterStats stats() const;
  const RecoverySummary& recovery() const;  // As Create() leaves it: empty.

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace journal

#endif  // JOURNAL_WRITER_H_
