#include "journal/recovery/repair.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/storage/file_operations.h"

namespace journal {

namespace {

// Syncs the last segment and the names. Returns whether later reads of it come from the disk.
absl::StatusOr<bool> SyncLastSegment(Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, ListSegments(directory));
  if (segments.empty()) return true;
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file,
                   directory.OpenForWrite(SegmentFileName(segments.back())));
  RETURN_IF_ERROR(file->Sync());
  RETURN_IF_ERROR(directory.Sync());
  return file->DropCache();
}

// Copies the segment to a new file, durably, and renames that over the segment, so that all bytes
// that are read of it are on the disk.
absl::Status RewriteSegment(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> from, directory.OpenForRead(segment.file_name));
  const auto replaced = ReplaceFile(directory, "segment.anew", segment.file_name, [&](File& to) {
    return CopyBytes(*from, 0, segment.file_bytes, 0, to);
  });
  if (replaced.ok()) return absl::OkStatus();
  return absl::Status(replaced.status().code(),
                      absl::StrCat(segment.file_name,
                                   ": what is read of it may be in memory alone, and it could not "
                                   "be rewritten: ",
                                   replaced.status().message()));
}

}  // namespace

absl::StatusOr<JournalState> InspectForWriting(Directory& directory, InspectDepth depth) {
  ASSIGN_OR_RETURN(const bool is_on_disk, SyncLastSegment(directory));
  ASSIGN_OR_RETURN(JournalState state, InspectJournal(directory, depth));
  if (state.verdict == Verdict::kDamaged) {
    return absl::DataLossError(absl::StrCat(
        directory.path(), " is DAMAGED, nothing was changed: ", state.VerdictReason()));
  }
  const SegmentState& last = state.segments.back();
  // The footer is written after the blocks are synced, so a valid footer proves them durable.
  const bool is_proven = is_on_disk || last.has_footer || !last.is_readable();
  if (!is_proven) RETURN_IF_ERROR(RewriteSegment(directory, last));
  return state;
}

absl::StatusOr<std::unique_ptr<File>> CutTail(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.OpenForWrite(segment.file_name));
  if (segment.tail_not_zero) {
    RETURN_IF_ERROR(
        SetAside(directory, *file, segment.file_name, segment.end_offset, segment.file_bytes)
            .status());
  }
  if (segment.preamble->copy_damaged) RETURN_IF_ERROR(RestorePreamble(*file, segment));
  const bool is_longer = segment.file_bytes != segment.end_offset;
  if (is_longer) RETURN_IF_ERROR(file->Truncate(segment.end_offset));
  RETURN_IF_ERROR(file->Sync());
  return file;
}

absl::Status RestorePreamble(File& file, const SegmentState& segment) {
  const uint64_t copy_bytes = segment.preamble->preamble.copy_bytes;
  const uint64_t bad = segment.preamble->damaged_offset;
  const uint64_t good = copy_bytes - bad;
  return CopyBytes(file, good, good + copy_bytes, bad, file);
}

absl::Status SetSegmentAside(Directory& directory, const SegmentState& segment) {
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, segment.file_name));
  RETURN_IF_ERROR(segment.file_bytes == 0 ? directory.Remove(segment.file_name)
                                          : directory.Rename(segment.file_name, name));
  return directory.Sync();
}

}  // namespace journal
