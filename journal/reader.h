// Reads a journal forward, from any place.
//
//   std::unique_ptr<Reader> reader = …Reader::Open(directory);
//   while (true) {
//     ASSIGN_OR_RETURN(const std::optional<Record> record, reader->Next());
//     if (!record.has_value()) break;  // The end, as it was when the reader was opened.
//     …
//   }
//
// Read-only, and no lock: any number of readers beside one writer. A journal that is being written,
// was left unsealed or has a torn tail is read up to its readable end. The end of a DAMAGED journal
// is never reached without an error: info().last_sequence is then a record that cannot be read.

#ifndef JOURNAL_READER_H_
#define JOURNAL_READER_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/journal_info.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/taken_block.h"

namespace journal {

// Not thread-safe: owned by whoever reads. `directory` outlives it.
//
// Every block is checked before it is believed: header, payload, place in the chain, then the rows
// (dense sequences, monotone time). A record that is returned is the record that was appended (J2).
// An error is sticky until the next successful seek.
class Reader {
  class Impl;

 public:
  // Errors: NOT_FOUND (no segment there), DATA_LOSS (no preamble can be read), UNIMPLEMENTED (the
  // format is newer than this build; the message names both versions).
  static absl::StatusOr<std::unique_ptr<Reader>> Open(const Directory& directory);

  // For Open(): Impl is private.
  explicit Reader(std::unique_ptr<Impl> impl);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const JournalInfo& info() const;

  // What reading on from the last record would say. For what is concluded from where a journal ends
  // without reading up to there. Errors: DATA_LOSS (the journal is DAMAGED, and how).
  absl::Status CheckEnd() const;

  // The next record is the one with this number. One past the last is legal: the end follows.
  // Errors: OUT_OF_RANGE, naming the journal's range; DATA_LOSS where a segment up to there does
  // not continue the one before it.
  absl::Status SeekToSequence(engine::SequenceNumber sequence);

  // The next record is the first whose timestamp is not before `time`; the end, if there is none.
  absl::Status SeekToTime(engine::Timestamp time);

  // The next record; nothing at the end of the journal.
  // Errors: DATA_LOSS (segment, byte offset and sequences of what cannot be read), UNIMPLEMENTED (a
  // newer row layout with content this build does not know), the storage's.
  absl::StatusOr<std::optional<Record>> Next();

  // What is left of the current block, or the next block: a pointer into the decoded block, so the
  // fast way. Empty at the end of the journal. Errors: as Next().
  absl::StatusOr<Batch> NextBatch();

  // The last `count` records of the batch that NextBatch gave come again: nothing but it was asked
  // since. REQUIRES: the batch has as many.
  void GiveBack(size_t count);

  // Takes what NextBatch would give as it is stored, to be decoded elsewhere; the block may outlive
  // the reader. False at the end of the journal. Errors: as Next(), but for what decoding finds.
  absl::StatusOr<bool> TakeBlock(TakenBlock& block);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace journal

#endif  // JOURNAL_READER_H_
