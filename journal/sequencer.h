// Assigns each command its sequence number and timestamp.
//
//   row (payload filled) ──► sequence = next, timestamp = max(previous, now) ──► Writer ──► Record
//
// The record is in the journal's open block before Append() returns it, so its order and bytes are
// fixed before any code can act on it. The only place where the log depends on a clock.

#ifndef JOURNAL_SEQUENCER_H_
#define JOURNAL_SEQUENCER_H_

#include <algorithm>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "journal/writer.h"

namespace journal {

// Not thread-safe: owned by the sequencing thread. Writer and clock outlive it.
class Sequencer {
 public:
  Sequencer(Writer& writer, engine::Clock& clock) : writer_(writer), clock_(clock) {}
  Sequencer(const Sequencer&) = delete;
  Sequencer& operator=(const Sequencer&) = delete;

  // Appends `row` with the next sequence number and the current time; ignores the row's own. The
  // returned row is valid until the next call, its attachment as long as the caller's bytes.
  // Errors: as Writer::Append(). A refused record uses no sequence number.
  absl::StatusOr<Record> Append(const Row& row, engine::Bytes attachment = {},
                                Writer::Space space = Writer::Space::kPlenty) {
    row_ = row;
    row_.sequence = writer_.next_sequence();
    row_.timestamp = std::max(writer_.last_timestamp(), clock_.Now());
    RETURN_IF_ERROR(writer_.Append(row_, attachment, space));
    return Record{.row = &row_, .attachment = attachment};
  }

  // Known before Append(), so that an identifier can be the number of the command that creates it.
  engine::SequenceNumber next_sequence() const { return writer_.next_sequence(); }

 private:
  Writer& writer_;
  engine::Clock& clock_;
  Row row_;
};

}  // namespace journal

#endif  // JOURNAL_SEQUENCER_H_
