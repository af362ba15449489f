#include "journal/repair.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/status_macros.h"
#include "journal/fault.h"
#include "journal/format/preamble.h"
#include "journal/set_aside.h"

namespace journal {

absl::StatusOr<RepairedTail> CutTail(Directory& directory, const SegmentState& segment) {
  RepairedTail repaired;
  ASSIGN_OR_RETURN(repaired.file, directory.OpenForWrite(segment.file_name));
  if (segment.tail_not_zero && !JOURNAL_FAULT(kTailNotKept)) {
    RETURN_IF_ERROR(SetAside(directory, *repaired.file, segment.file_name, segment.end_offset,
                             segment.file_bytes)
                        .status());
    repaired.bytes_set_aside = segment.file_bytes - segment.end_offset;
  }
  if (segment.preamble->copy_damaged) {
    const uint64_t copy_bytes = segment.preamble->preamble.copy_bytes;
    const uint64_t bad = segment.preamble->damaged_offset;
    const uint64_t good = copy_bytes - bad;
    RETURN_IF_ERROR(CopyBytes(*repaired.file, good, good + copy_bytes, bad, *repaired.file));
  }
  if (segment.file_bytes != segment.end_offset && !JOURNAL_FAULT(kTailNotCut)) {
    RETURN_IF_ERROR(repaired.file->Truncate(segment.end_offset));
  }
  RETURN_IF_ERROR(repaired.file->Sync());
  return repaired;
}

absl::StatusOr<uint64_t> SetSegmentAside(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, segment.file_name));
  RETURN_IF_ERROR(segment.file_bytes == 0 ? directory.Remove(segment.file_name)
                                          : directory.Rename(segment.file_name, name));
  RETURN_IF_ERROR(directory.Sync());
  return segment.file_bytes;
}

}  // namespace journal
