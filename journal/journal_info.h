// A summary of a journal, read from preambles, indexes and the tail without decoding a record.

#ifndef JOURNAL_JOURNAL_INFO_H_
#define JOURNAL_JOURNAL_INFO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/finding.h"
#include "journal/journal_metadata.h"
#include "journal/uuid.h"

namespace journal {

struct SegmentInfo {
  uint64_t segment_index = 0;
  std::string file_name;
  Uuid uuid;
  uint32_t incarnation = 0;  // Of the writer that began it: the number of takeovers before.
  engine::Timestamp created;
  bool sealed = false;
  bool index_intact = false;  // Sealed and not intact: the index was rebuilt from the blocks.
  engine::SequenceNumber first_sequence;  // Of the first record it holds, or would hold.
  engine::SequenceNumber last_sequence;   // first_sequence - 1 when it holds none.
  engine::Timestamp first_time;           // Of its records; both are zero when it holds none.
  engine::Timestamp last_time;
  uint64_t block_count = 0;  // DATA blocks.
  uint64_t file_bytes = 0;
  JournalMetadata metadata;
  // From its preamble: the log digest of the runs complete before first_sequence (FORMAT.md,
  // section 9). Nothing if it is unknown, or if the segment does not continue the one before.
  std::optional<engine::Digest> log_chain;

  uint64_t record_count() const { return last_sequence.value() + 1 - first_sequence.value(); }
};

struct JournalInfo {
  std::string path;
  Uuid uuid;
  uint16_t format_major = 0;
  uint16_t format_minor = 0;
  engine::Timestamp created;
  JournalMetadata metadata;  // Of the newest segment.
  std::vector<SegmentInfo> segments;

  engine::SequenceNumber first_sequence;  // 1 unless the first segments were deleted.
  // The journal begins after record 1 and its file `beginning` (beginning.h) does not allow that:
  // the first segments were lost, not deleted on purpose.
  bool beginning_is_missing = false;
  // The journal's last record; first_sequence - 1 when it has none. For a DAMAGED journal this is a
  // record that cannot be read: the last one known to be missing, or one more than last_readable.
  // So every loop that reads up to it meets the damage as an error.
  engine::SequenceNumber last_sequence;
  engine::SequenceNumber last_readable;  // The last readable record; first_sequence - 1: none.
  engine::Timestamp first_time;
  engine::Timestamp last_time;

  // Whether the last segment is sealed. If not, a writer is active or was killed.
  bool sealed = false;
  // Covers everything except the blocks of sealed segments, which verify.h checks.
  Verdict verdict = Verdict::kClean;
  std::string verdict_reason;         // Empty when CLEAN.
  std::vector<std::string> warnings;  // Faults that affect no record.
  // The newest record that the journal's own watermarks say is durable.
  engine::SequenceNumber durable_sequence;

  // Count from first_sequence to last_sequence, and to last_readable.
  uint64_t record_count() const { return last_sequence.value() + 1 - first_sequence.value(); }
  uint64_t readable_count() const { return last_readable.value() + 1 - first_sequence.value(); }
  uint64_t file_bytes() const {
    uint64_t sum = 0;
    for (const SegmentInfo& segment : segments) sum += segment.file_bytes;
    return sum;
  }
};

}  // namespace journal

#endif  // JOURNAL_JOURNAL_INFO_H_
