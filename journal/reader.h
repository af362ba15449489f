// Reads a journal forward, from any sequence number or time.
//
//   std::unique_ptr<Reader> reader = …Reader::Open(directory);
//   while (true) {
//     ASSIGN_OR_RETURN(const std::optional<Record> record, reader->Next());
//     if (!record.has_value()) break;  // The end, as it was when the reader was opened.
//     …
//   }
//
// Read-only and without a lock: any number of readers may run beside one writer. A journal that is
// being written, is not sealed or has a torn tail is read up to its readable end. Reading never
// reaches the end of a DAMAGED journal without an error: its info().last_sequence is a record that
// cannot be read.

#ifndef JOURNAL_READER_H_
#define JOURNAL_READER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/segment_index.h"
#include "journal/journal_info.h"
#include "journal/record.h"
#include "journal/storage/storage.h"

namespace journal {

// A thread's working memory for decoding. Not thread-safe: owned by one thread, which reuses it.
using DecodingRoom = BlockDecoder;

// A block that a reader takes from its file in order, and that another thread decodes.
//
//   Reader::TakeBlock ─► header, payload as stored ─► Decode ─► records
//     in order, on one thread, cheap                  in any order, on any thread
//
// Not thread-safe: one thread at a time fills, decodes or uses it. Reuses its memory.
class TakenBlock {
 public:
  // For Reader: copies the payload of the block that `entry` describes. Decode() leaves out records
  // before `first`.
  void Fill(std::string_view file_name, const BlockEntry& entry, const BlockHeader& header,
            engine::Bytes payload, engine::SequenceNumber first);

  // Returns its records, valid until the next Fill(). `room` belongs to the calling thread. Errors:
  // DATA_LOSS, UNIMPLEMENTED, as Reader::Next() for a block's content.
  absl::StatusOr<Batch> Decode(DecodingRoom& room);

  // The block as it is stored. Use it only after Decode() has checked it.
  const BlockHeader& header() const { return header_; }
  engine::Bytes payload() const { return payload_.first(header_.payload_bytes); }

 private:
  std::string file_name_;
  BlockEntry entry_;
  BlockHeader header_;
  engine::SequenceNumber first_;
  AlignedBuffer payload_{kRowsOffset};  // As stored; uncompressed rows are used in place.
  DecodedBlock decoded_;
};

// Not thread-safe: owned by its caller. `directory` outlives it.
//
// Validates every block before it returns a record of it: header, payload, place in the chain, then
// the rows (dense sequences, monotone time). A record that is returned equals the record that was
// appended (J2). An error is sticky until the next successful seek.
class Reader {
 public:
  // Positions the reader at the first record.
  // Errors: NOT_FOUND (no segment there), DATA_LOSS (no preamble can be read), UNIMPLEMENTED (the
  // format is newer than this build; the message names both versions), the storage's.
  static absl::StatusOr<std::unique_ptr<Reader>> Open(const Directory& directory);

  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  // The journal as it was when the reader was opened.
  virtual const JournalInfo& info() const = 0;

  // Returns the status that reading past the last readable record would return. For callers that
  // rely on where the journal ends without reading up to there.
  // Errors: DATA_LOSS (the journal is DAMAGED; the message says what is missing).
  virtual absl::Status CheckEnd() const = 0;

  // Makes the record with this number the next one. One past the last is legal: the end follows.
  // Errors: OUT_OF_RANGE (the message names the journal's range), DATA_LOSS (the segment does not
  // continue the one before it, or the block cannot be read), UNIMPLEMENTED, the storage's.
  virtual absl::Status SeekToSequence(engine::SequenceNumber sequence) = 0;

  // Makes the first record whose timestamp is not before `time` the next one; the end of the
  // journal if there is no such record. Errors: as SeekToSequence(), except OUT_OF_RANGE.
  virtual absl::Status SeekToTime(engine::Timestamp time) = 0;

  // Returns the next record; nothing at the end of the journal.
  // Errors: DATA_LOSS (the message names segment, byte offset and sequences that cannot be read),
  // UNIMPLEMENTED (a newer row layout with content this build does not know), the storage's.
  virtual absl::StatusOr<std::optional<Record>> Next() = 0;

  // Returns the unread records of the current block, or the next block: faster than Next(). The
  // batch points into the decoded block. Empty at the end of the journal. Errors: as Next().
  virtual absl::StatusOr<Batch> NextBatch() = 0;

  // As NextBatch(), but passes over blocks without attachments, of which it reads only the headers.
  // Also empty if no block that begins before `end` has any. For what only attachments tell, such
  // as the definitions before a late range.
  virtual absl::StatusOr<Batch> NextBatchWithAttachments(engine::SequenceNumber end) = 0;

  // Makes the last `count` records of the last batch unread again. REQUIRES: NextBatch() was the
  // last call and returned at least `count` records.
  virtual void GiveBack(size_t count) = 0;

  // Fills `block` with the records that NextBatch() would return, as they are stored, so that
  // another thread can decode them. `block` may outlive the reader. False at the end of the
  // journal. Errors: as Next(), except those that decoding finds.
  virtual absl::StatusOr<bool> TakeBlock(TakenBlock& block) = 0;
};

}  // namespace journal

#endif  // JOURNAL_READER_H_
