// How a segment begins: twice the same preamble, then blocks. FORMAT.md, section 2.
//
//   ├─ preamble, n * 4096 ─┼─ the same again ─┼─ block ─┼─ …
//
// Two copies, because the preamble is the only part whose loss would make all the rest unreadable.

#ifndef JOURNAL_FORMAT_PREAMBLE_H_
#define JOURNAL_FORMAT_PREAMBLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/format/format.h"
#include "journal/journal_metadata.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

// A regular value type.
struct Preamble {
  uint16_t format_minor = kWrittenMinor;
  Uuid journal_uuid;
  Uuid segment_uuid;
  uint64_t segment_index = 0;
  engine::SequenceNumber first_sequence;
  uint64_t first_block = 0;
  uint32_t incarnation = 0;
  uint64_t previous_block_hash = 0;
  engine::Digest log_chain;  // L_k of the runs complete before first_sequence.
  engine::Timestamp created;
  engine::Timestamp previous_timestamp;  // Of the last record before first_sequence.
  JournalMetadata metadata;
  uint64_t copy_bytes = 0;  // One copy's length; set by encoding and by reading.

  uint64_t blocks_offset() const { return 2 * copy_bytes; }

  friend bool operator==(const Preamble&, const Preamble&) = default;
};

// Both copies; sets `preamble.copy_bytes`.
// Errors: INVALID_ARGUMENT when the metadata does not fit.
absl::StatusOr<std::vector<std::byte>> EncodePreamble(Preamble& preamble);

struct PreambleRead {
  Preamble preamble;
  bool copy_damaged = false;  // One of the two; the other was used.
  uint64_t damaged_offset = 0;
};

// Errors: DATA_LOSS (neither copy can be read), UNIMPLEMENTED (written for a newer reader), the
// file's.
absl::StatusOr<PreambleRead> ReadPreamble(const File& file);

// The UUID a writer gives the segment it begins.
Uuid DeriveSegmentUuid(const Uuid& journal_uuid, uint64_t segment_index, uint32_t incarnation);

// The UUID of the segment that replaces the one with `segment_uuid`. Another one, so that no block
// of the one file is taken for a block of the other.
Uuid DeriveCompactedUuid(const Uuid& segment_uuid);

}  // namespace journal

#endif  // JOURNAL_FORMAT_PREAMBLE_H_
