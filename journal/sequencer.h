// Gives commands their place and their time.
//
//   row (payload filled) ──► sequence = next, timestamp = max(previous, now) ──► Writer ──► Record
//
// The record is in the journal's open block before Append() returns it, so its order and bytes are
// fixed before anyone can act on it. The only place where the log meets a clock.

#ifndef JOURNAL_SEQUENCER_H_
#define JOURNAL_SEQUENCER_H_

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "journal/record.h"
#include "journal/writer.h"

namespace journal {

// Not thread-safe: owned by the sequencing thread, as the writer is. Both references outlive it.
class Sequencer {
 public:
  Sequencer(Writer& writer, engine::Clock& clock) : writer_(writer), clock_(clock) {}
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  // Overwrites row.sequence and row.timestamp. The record's row is valid until the next call, its
  // attachment as long as the caller's own bytes.
  // Errors: the writer's. A record that was refused took no sequence number.
  absl::StatusOr<Record> Append(const Row& row, engine::Bytes attachment = {},
                                Writer::Space space = Writer::Space::kPlenty);

  // Known before Append(): an identifier may be the sequence number of the command that makes it.
  engine::SequenceNumber next_sequence() const { return writer_.next_sequence(); }

 private:
  Writer& writer_;
  engine::Clock& clock_;
  Row row_;
};

}  // namespace journal

#endif  // JOURNAL_SEQUENCER_H_
