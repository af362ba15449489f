#include "journal/repair.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/fault.h"
#include "journal/format/preamble.h"
#include "journal/set_aside.h"

namespace journal {
namespace {

constexpr char kAnewName[] = "segment.anew";

absl::Status CopySegment(Directory& directory, const SegmentState& segment,
                         const std::string& name) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> from, directory.OpenForRead(segment.file_name));
  ASSIGN_OR_RETURN(const std::unique_ptr<File> to, directory.Create(name));
  RETURN_IF_ERROR(CopyBytes(*from, 0, segment.file_bytes, 0, *to));
  return to->Sync();
}

}  // namespace

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

absl::Status WriteAnew(Directory& directory, const SegmentState& segment) {
  // An earlier attempt may have been interrupted.
  const absl::Status removed = directory.Remove(kAnewName);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  const absl::Status written = CopySegment(directory, segment, kAnewName);
  if (!written.ok()) {
    directory.Remove(kAnewName).IgnoreError();
    return absl::Status(
        written.code(),
        absl::StrCat(segment.file_name,
                     ": what is read of it may be in memory alone, and it could not be written "
                     "anew: ",
                     written.message()));
  }
  RETURN_IF_ERROR(directory.Replace(kAnewName, segment.file_name));
  return directory.Sync();
}

absl::StatusOr<uint64_t> SetSegmentAside(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, segment.file_name));
  RETURN_IF_ERROR(segment.file_bytes == 0 ? directory.Remove(segment.file_name)
                                          : directory.Rename(segment.file_name, name));
  RETURN_IF_ERROR(directory.Sync());
  return segment.file_bytes;
}

}  // namespace journal
