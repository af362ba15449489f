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
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "journal/finding.h"
#include "journal/format/block_codec.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/format/watermark_file.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "journal/recovery/file_window.h"
#include "journal/recovery/recovery.h"
#include "journal/recovery/segment_scan.h"
#include "journal/storage/storage.h"

namespace journal {

struct SegmentState {
  uint64_t segment_index = 0;
  std::string file_name;
  uint64_t file_bytes = 0;
  std::optional<PreambleRead> preamble;  // Nothing: neither copy can be read.
  std::optional<LogDigests> digests;     // From the index.
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

// A finding at the end of the segment's valid prefix, without a message.
inline Finding FindingAtEnd(const SegmentState& segment, Verdict verdict) {
  return {.verdict = verdict,
          .segment_index = segment.segment_index,
          .byte_begin = segment.end_offset,
          .byte_end = segment.end_offset};
}

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

// The blocks of an inspected segment, read from its file in any order. Unlike Reader, it does not
// stop at the first fault. Not thread-safe: owned by its caller.
class BlockWalk {
 public:
  // `segment` outlives it. REQUIRES: segment.is_readable(). Errors: UNIMPLEMENTED (a newer format),
  // the storage's.
  static absl::StatusOr<std::unique_ptr<BlockWalk>> Open(const Directory& directory,
                                                         const SegmentState& segment);

  // For Open().
  BlockWalk(std::unique_ptr<File> file, const SegmentState& segment,
            std::optional<SegmentState> replacement);

  // If compaction has replaced the file since: the state of the new file, with the same records.
  std::optional<SegmentState>& replacement() { return replacement_; }
  // The DATA blocks of the file.
  const std::vector<BlockEntry>& blocks() const {
    return replacement_.has_value() ? replacement_->blocks : segment_.blocks;
  }

  // Reads and validates a DATA block. Its records are valid until the next call.
  // Errors: DATA_LOSS, UNIMPLEMENTED (rows with unknown content), the storage's.
  absl::StatusOr<Batch> Read(const BlockEntry& entry);
  // Its two steps: ReadKnownBlock(), and checking and decoding the payload.
  absl::StatusOr<StoredBlock> ReadStored(const BlockEntry& entry, absl::string_view known_as) {
    return ReadKnownBlock(window_, seed_, entry, known_as);
  }
  absl::StatusOr<Batch> Decode(const StoredBlock& block);
  // Reads the header of a DATA block alone; nothing if there is another one. Errors: the storage's.
  absl::StatusOr<std::optional<BlockHeader>> HeaderOf(const BlockEntry& entry) const;

 private:
  const std::unique_ptr<File> file_;
  const SegmentState& segment_;
  std::optional<SegmentState> replacement_;
  const uint64_t seed_;
  FileWindow window_;
  BlockDecoder decoder_;
  DecodedBlock decoded_;
};

}  // namespace journal

#endif  // JOURNAL_RECOVERY_SEGMENT_INSPECTION_H_
