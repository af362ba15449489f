#include "journal/inspect_for_writing.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/fault.h"
#include "journal/format/preamble.h"
#include "journal/repair.h"
#include "journal/verdict.h"

namespace journal {
namespace {

// Syncs the last segment and the names. Returns whether later reads of it come from the disk.
absl::StatusOr<bool> SyncLastSegment(Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  std::optional<uint64_t> last;
  for (const std::string& name : names) last = std::max(last, ParseSegmentFileName(name));
  if (!last.has_value()) return true;
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file,
                   directory.OpenForWrite(SegmentFileName(*last)));
  RETURN_IF_ERROR(file->Sync());
  RETURN_IF_ERROR(directory.Sync());
  return JOURNAL_FAULT(kCacheBelieved) || file->DropCache();
}

}  // namespace

absl::StatusOr<JournalState> InspectForWriting(Directory& directory, InspectDepth depth) {
  ASSIGN_OR_RETURN(const bool is_on_disk, SyncLastSegment(directory));
  ASSIGN_OR_RETURN(JournalState state, InspectJournal(directory, depth));
  if (state.verdict == Verdict::kDamaged && !JOURNAL_FAULT(kDamagedTakenOver)) {
    return absl::DataLossError(absl::StrCat(
        directory.path(), " is DAMAGED, nothing was changed: ", state.VerdictReason()));
  }
  const SegmentState& last = state.segments.back();
  // The footer is written after the blocks are synced, so a valid footer proves them durable.
  const bool is_proven = is_on_disk || last.has_footer || !last.is_readable();
  if (!is_proven && !JOURNAL_FAULT(kCachedTailNotCopied)) {
    RETURN_IF_ERROR(WriteAnew(directory, last));
  }
  return state;
}

}  // namespace journal
