#include "journal/maintenance/archive.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/write/segment_writer.h"

namespace journal {
namespace {

// Returns the size of the segment afterwards.
absl::StatusOr<uint64_t> Compact(Directory& directory, const SegmentState& segment,
                                 const CompactionOptions& options) {
  Compactor compactor(directory, SealedOf(segment, *segment.digests), options);
  Compactor::State state = Compactor::State::kWorking;
  while (state == Compactor::State::kWorking) {
    ASSIGN_OR_RETURN(state, compactor.Step());
  }
  return state == Compactor::State::kReplaced ? compactor.bytes_after() : segment.file_bytes;
}

}  // namespace

absl::StatusOr<ArchiveReport> Archive(Directory& directory, const CompactionOptions& options,
                                      const WorkProgress& progress) {
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory, InspectDepth::kTail));
  if (state.verdict == Verdict::kDamaged) {
    return absl::DataLossError(absl::StrCat(
        directory.path(), " is DAMAGED, nothing was changed: ", state.VerdictReason()));
  }
  ArchiveReport report;
  report.segment_count = state.segments.size();
  for (const SegmentState& segment : state.segments) {
    if (!segment.has_footer) continue;
    report.bytes_before += segment.file_bytes;
    report.record_count += segment.position.next_sequence - segment.first_sequence();
  }
  uint64_t done = 0;
  for (const SegmentState& segment : state.segments) {
    if (!segment.has_footer) continue;
    uint64_t bytes_after = segment.file_bytes;
    if (IsSparse(segment.blocks, segment.file_bytes)) {
      ASSIGN_OR_RETURN(bytes_after, Compact(directory, segment, options));
    }
    if (bytes_after < segment.file_bytes) {
      report.compacted.push_back({.file_name = segment.file_name,
                                  .first_sequence = segment.first_sequence(),
                                  .last_sequence = segment.position.next_sequence - 1,
                                  .bytes_before = segment.file_bytes,
                                  .bytes_after = bytes_after});
    }
    report.bytes_after += bytes_after;
    done += segment.file_bytes;
    if (progress) progress(done, report.bytes_before);
  }
  return report;
}

}  // namespace journal
