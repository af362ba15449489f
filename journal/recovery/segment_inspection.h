// Inspects one segment without its neighbours: collects the evidence for the recovery table.
//
//   preamble ─► footer ─► the index, if its hash is right
//                   └───► else, or with InspectDepth::kBlocks, every block

#ifndef JOURNAL_RECOVERY_SEGMENT_INSPECTION_H_
#define JOURNAL_RECOVERY_SEGMENT_INSPECTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/format/watermark_file.h"
#include "journal/recovery/recovery.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/storage.h"

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

struct SegmentInspection {
  SegmentEvidence evidence;
  std::string not_a_file;           // The error if the name is not a regular file; else empty.
  std::optional<SegmentScan> scan;  // Set if the blocks were read.
};

enum class InspectDepth {
  kTail,     // Trusts the index of a sealed segment; reads the blocks of unsealed ones only.
  kHeaders,  // Also compares the index with the header of every block, SEAL block included.
  kBlocks,   // Reads every block of every segment.
};

// Inspects the segment with the name in `segment` and fills in the rest of it. `watermark` was read
// before the segments, and may be another journal's. Different segments may be inspected from
// different threads. Errors: UNIMPLEMENTED (a newer format), the storage's. Damage is reported in
// the result, not as an error.
absl::StatusOr<SegmentInspection> InspectSegment(const Directory& directory, bool is_last,
                                                 InspectDepth depth,
                                                 const std::optional<Watermark>& watermark,
                                                 SegmentState& segment);

// The open file of an inspected segment.
struct OpenedSegment {
  std::unique_ptr<File> file;
  // If compaction has replaced the file since: the state of the new file, with the same records.
  std::optional<SegmentState> replacement;
};

// Opens the file of an inspected segment to read its blocks. Errors: UNIMPLEMENTED (a newer
// format), the storage's.
absl::StatusOr<OpenedSegment> OpenSegment(const Directory& directory, const SegmentState& segment);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_SEGMENT_INSPECTION_H_
