// What a journal holds, as far as preambles, indexes and the tail tell without decoding a record.

#ifndef JOURNAL_JOURNAL_INFO_H_
#define JOURNAL_JOURNAL_INFO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/uuid.h"
#include "journal/verdict.h"

namespace journal {

struct SegmentInfo {
  uint64_t segment_index = 0;
  std::string file_name;
  Uuid uuid;
  uint32_t incarnation = 0;  // How many times a writer had taken the journal over when it began.
  engine::Timestamp created;
  bool sealed = false;
  bool index_intact = false;  // A sealed segment without: the index was rebuilt by scanning.
  engine::SequenceNumber first_sequence;  // Of the first record it holds, or would hold.
  engine::SequenceNumber last_sequence;   // first_sequence - 1 when it holds none.
  engine::Timestamp first_time;           // Of its records; both zero when it holds none.
  engine::Timestamp last_time;
  uint64_t block_count = 0;  // Data blocks.
  uint64_t file_bytes = 0;
  JournalMetadata metadata;
  // By its preamble: the log digest of the runs that are complete before first_sequence (FORMAT.md,
  // section 9). Nothing where that was not known, or the segment does not continue the one before.
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

  engine::SequenceNumber first_sequence;  // 1 in a whole journal.
  // It begins after record 1, and does not say so itself (beginning.h): its first segments are
  // gone, and nobody meant them to be.
  bool beginning_is_missing = false;
  // The journal's last record; first_sequence - 1 when there is none. Of a DAMAGED journal it is
  // one that cannot be read: the last that is known to be missing, or one more than can be read. So
  // who reads up to it has met the damage, and who has read it has a complete journal.
  engine::SequenceNumber last_sequence;
  engine::SequenceNumber last_readable;  // The last that can be read; first_sequence - 1: none.
  engine::Timestamp first_time;
  engine::Timestamp last_time;

  // Sealed by Close(). An unsealed journal is being written, or its writer was killed.
  bool sealed = false;
  // Of what was looked at, which is everything but the inside of sealed segments (verify.h looks
  // there), and the reason in words, empty when CLEAN.
  Verdict verdict = Verdict::kClean;
  std::string verdict_reason;
  std::vector<std::string> warnings;  // What touches no record: verify says the same.
  // The newest record known to be durable from the log itself.
  engine::SequenceNumber durable_sequence;

  // From the first to the last, those that cannot be read included; and without those at the end.
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
