// What is seen of one segment without its neighbours: the evidence that recovery decides by.
//
//   preamble ─► footer ─► the index, where it is right by its hash
//                   └───► else, or if asked for, every block

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
  std::string not_a_file;           // What stands there instead of a regular file; else empty.
  std::optional<SegmentScan> scan;  // Of the blocks, where they were read.
};

enum class InspectDepth {
  kTail,     // Trusts the index of a sealed segment: reads what was not sealed, and little else.
  kHeaders,  // And holds the index against the header of every block, the SEAL block's too.
  kBlocks,   // Reads every block of every segment.
};

// Fills `segment`, of which the name is known, with what is there. `watermark` was read before, and
// is this journal's or another's. Different segments may be looked at from different threads.
// Errors: UNIMPLEMENTED (a newer format), the storage's. Damage is none.
absl::StatusOr<SegmentLook> LookAtSegment(const Directory& directory, bool is_last,
                                          InspectDepth depth,
                                          const std::optional<Watermark>& watermark,
                                          SegmentState& segment);

// The file of a segment that was looked at, to read its blocks.
struct OpenedSegment {
  std::unique_ptr<File> file;
  // Compaction has replaced the file since: the segment as it is now, with the same records.
  std::optional<SegmentState> replacement;
};

// Errors: the storage's.
absl::StatusOr<OpenedSegment> OpenSegment(const Directory& directory, const SegmentState& segment);

}  // namespace journal

#endif  // JOURNAL_SEGMENT_LOOK_H_
