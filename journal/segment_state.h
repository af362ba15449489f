// The state of a segment in its directory, as an inspection found it.

#ifndef JOURNAL_SEGMENT_STATE_H_
#define JOURNAL_SEGMENT_STATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/recovery.h"
#include "journal/segment_scan.h"

namespace journal {

struct SegmentState {
  uint64_t segment_index = 0;
  std::string file_name;
  uint64_t file_bytes = 0;
  std::optional<PreambleRead> preamble;      // Nothing: neither copy can be read.
  std::optional<engine::Digest> log_digest;  // From the index, as is log_chain.
  std::optional<engine::Digest> log_chain;
  bool has_footer = false;
  bool is_sealed = false;
  const RecoveryCase* recovery_case = nullptr;

  // The position in the log after the segment's valid prefix, and the bytes of that prefix.
  LogPosition position;
  uint64_t end_offset = 0;
  uint64_t raw_bytes = 0;
  bool tail_not_zero = false;
  bool continues = true;  // It continues the segment before, or the journal may begin with it.
  // Whether its records have a place in the log: it has the journal's UUID, and begins at or after
  // the end of the segments before it. Set only for a readable segment.
  bool is_of_journal = true;

  // DATA blocks by offset: those of the prefix and, if the segment is damaged, the islands.
  std::vector<BlockEntry> blocks;

  bool is_readable() const { return preamble.has_value(); }
  bool has_records_of_journal() const { return is_readable() && is_of_journal; }
  engine::SequenceNumber first_sequence() const { return preamble->preamble.first_sequence; }
};

}  // namespace journal

#endif  // JOURNAL_SEGMENT_STATE_H_
