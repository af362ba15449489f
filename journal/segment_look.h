// Inspects one segment without its neighbours: collects the evidence for the recovery table.
//
//   preamble ─► footer ─► the index, if its hash is right
//                   └───► else, or with InspectDepth::kBlocks, every block

#ifndef JOURNAL_SEGMENT_LOOK_H_
#define JOURNAL_SEGMENT_LOOK_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "journal/recovery.h"
#include "journal/segment_scan.h"
#include "journal/segment_state.h"
#include "journal/storage/storage.h"
#include "journal/watermark_file.h"

namespace journal {

struct SegmentLook {
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
absl::StatusOr<SegmentLook> LookAtSegment(const Directory& directory, bool is_last,
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

#endif  // JOURNAL_SEGMENT_LOOK_H_
