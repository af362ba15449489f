// The preamble that begins a segment, in two identical copies. FORMAT.md, section 2.
//
//   ├─ preamble, n * 4096 ─┼─ second copy ─┼─ block ─┼─ …
//
// Two copies, because without a preamble the whole segment would be unreadable.

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

// The fields that are in memory as they are on disk. A regular value type.
struct PreambleFields {
  Uuid journal_uuid;
  Uuid segment_uuid;
  uint64_t segment_index = 0;
  engine::SequenceNumber first_sequence;
  uint64_t first_block = 0;
  uint32_t incarnation = 0;
  uint32_t flags = 0;  // None is defined.
  uint64_t previous_block_hash = 0;
  engine::Digest log_chain;  // L_k of the runs complete before first_sequence.
  engine::Timestamp created;

  friend bool operator==(const PreambleFields&, const PreambleFields&) = default;
};

// A regular value type.
struct Preamble : PreambleFields {
  uint16_t format_minor = kWrittenMinor;
  engine::Timestamp previous_timestamp = {};  // Of the last record before first_sequence.
  JournalMetadata metadata = {};
  uint64_t copy_bytes = 0;  // The length of one copy; set by EncodePreamble() and ReadPreamble().

  uint64_t blocks_offset() const { return 2 * copy_bytes; }

  friend bool operator==(const Preamble&, const Preamble&) = default;
};

// Returns both copies; sets `preamble.copy_bytes`.
// Errors: INVALID_ARGUMENT (the metadata or the name of the time zone is too long).
absl::StatusOr<std::vector<std::byte>> EncodePreamble(Preamble& preamble);

struct PreambleRead {
  Preamble preamble;
  bool copy_damaged = false;  // One of the two copies is damaged; the other was used.
  uint64_t damaged_offset = 0;
};

// Reads the first valid copy. Errors: DATA_LOSS (neither copy is valid), UNIMPLEMENTED (a newer
// format), the file's.
absl::StatusOr<PreambleRead> ReadPreamble(const File& file);

// Returns the UUID of a segment that a writer begins.
Uuid DeriveSegmentUuid(const Uuid& journal_uuid, uint64_t segment_index, uint32_t incarnation);

// Returns the UUID of the compacted segment that replaces the one with `segment_uuid`. It differs,
// so that no block of one file is valid in the other.
Uuid DeriveCompactedUuid(const Uuid& segment_uuid);

}  // namespace journal

#endif  // JOURNAL_FORMAT_PREAMBLE_H_
