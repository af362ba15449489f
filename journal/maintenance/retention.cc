#include "journal/maintenance/retention.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/format/beginning.h"
#include "journal/holds.h"
#include "journal/log_digest.h"
#include "journal/recovery/journal_state.h"
#include "journal/verify.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// The first record that must stay, and the reason.
struct Need {
  SequenceNumber from;
  std::string reason;

  void Lower(SequenceNumber to, std::string why) {
    if (to >= from) return;
    from = to;
    reason = std::move(why);
  }
};

// Restoring a snapshot needs the records after it.
Need NeedOf(EligibleSnapshots snapshots, const std::vector<Hold>& holds) {
  Need need{
      .from = SequenceNumber::First(),
      .reason = absl::StrCat(snapshots.size(),
                             " eligible snapshots, and two are needed before anything is deleted")};
  std::ranges::sort(snapshots, std::greater<>());
  snapshots.erase(std::unique(snapshots.begin(), snapshots.end()), snapshots.end());
  if (snapshots.size() < 2) return need;
  need.from = snapshots[1].Next();
  need.reason = absl::StrCat("the second-newest eligible snapshot, at ", snapshots[1].value());
  for (const Hold& hold : holds) {
    need.Lower(hold.sequence,
               hold.damage.empty()
                   ? absl::StrCat("hold '", hold.name, "' at ", hold.sequence.value())
                   : absl::StrCat("hold '", hold.name, "', whose file cannot be read"));
  }
  return need;
}

absl::StatusOr<PrunePlan> PlanByIndexes(const Directory& directory,
                                        const EligibleSnapshots& snapshots) {
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory, InspectDepth::kTail));
  ASSIGN_OR_RETURN(const std::vector<Hold> holds, ListHolds(directory));
  if (state.verdict == Verdict::kDamaged) {
    return absl::DataLossError(
        absl::StrCat("the journal is DAMAGED, nothing is deleted: ", state.VerdictReason()));
  }
  const std::vector<SegmentState>& segments = state.segments;
  if (!segments.front().is_readable()) {
    return absl::NotFoundError(
        "there is no journal yet: its writer stopped before the first segment");
  }
  // A writer needs the last readable segment, and the whole run in which it begins.
  size_t last = segments.size() - 1;
  if (!segments[last].is_readable()) --last;
  Need need = NeedOf(snapshots, holds);
  need.Lower(segments[last].first_sequence(), "the last segment, which a writer continues");
  const SequenceNumber needed_run = CompleteRunsEnd(need.from - 1).Next();

  PrunePlan plan;
  plan.journal_uuid = segments.front().preamble->preamble.journal_uuid;
  plan.needed_from = need.from;
  plan.reason = need.reason;
  size_t first_kept = 0;
  while (first_kept < last && segments[first_kept].is_sealed &&
         segments[first_kept].position.next_sequence <= needed_run) {
    const SegmentState& segment = segments[first_kept++];
    plan.deletable.push_back({.file_name = segment.file_name,
                              .first_sequence = segment.first_sequence(),
                              .last_sequence = segment.position.next_sequence - 1,
                              .file_bytes = segment.file_bytes});
  }
  plan.first_kept_segment = segments[first_kept].segment_index;
  plan.first_kept = segments[first_kept].first_sequence();
  return plan;
}

// Verifies all records that are kept: an index tells what was written, not whether it is readable.
absl::Status CheckKept(const Directory& directory, const KeptCheck& check, PrunePlan& plan) {
  ASSIGN_OR_RETURN(
      const VerifyReport report,
      Verify(directory,
             {.deep = true, .from_segment = plan.first_kept_segment, .parallel = check.parallel},
             check.progress));
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::kDamaged) continue;
    return absl::DataLossError(absl::StrCat(
        "the journal is DAMAGED in the kept segments, nothing is deleted: ", finding.ToString()));
  }
  plan.checked_segments = report.segment_count - plan.deletable.size();
  return absl::OkStatus();
}

absl::Status WriteBeginningOf(Directory& directory, const PrunePlan& plan) {
  return WriteBeginning(directory,
                        {.journal_uuid = plan.journal_uuid,
                         .segment_index = plan.first_kept_segment,
                         .first_sequence = plan.first_kept,
                         .reason = absl::StrCat("pruned; kept from ", plan.needed_from.value(),
                                                " on: ", plan.reason)});
}

}  // namespace

uint64_t PrunePlan::deletable_bytes() const {
  uint64_t sum = 0;
  for (const DeletableSegment& segment : deletable) sum += segment.file_bytes;
  return sum;
}

absl::StatusOr<PrunePlan> PlanPrune(const Directory& directory, const EligibleSnapshots& snapshots,
                                    const KeptCheck& check) {
  ASSIGN_OR_RETURN(PrunePlan plan, PlanByIndexes(directory, snapshots));
  if (!plan.deletable.empty()) RETURN_IF_ERROR(CheckKept(directory, check, plan));
  return plan;
}

absl::StatusOr<PrunePlan> Prune(Directory& directory, const EligibleSnapshots& snapshots,
                                const BeforeDeleting& before, const KeptCheck& check) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DirectoryLock> lock, directory.LockForMaintenance());
  ASSIGN_OR_RETURN(PrunePlan plan, PlanPrune(directory, snapshots, check));
  if (plan.deletable.empty()) return plan;
  if (before) RETURN_IF_ERROR(before(plan));
  RETURN_IF_ERROR(WriteBeginningOf(directory, plan));
  // A later AddHold() sees the file `beginning`; an earlier one is seen here.
  ASSIGN_OR_RETURN(PrunePlan now, PlanByIndexes(directory, snapshots));
  // Segments that became deletable only now, because a hold moved or the writer began a segment,
  // are not covered by `beginning`: they stay until the next Prune().
  if (now.first_kept_segment < plan.first_kept_segment) {
    plan = std::move(now);
    RETURN_IF_ERROR(WriteBeginningOf(directory, plan));
    if (!plan.deletable.empty()) RETURN_IF_ERROR(CheckKept(directory, check, plan));
  }
  for (const DeletableSegment& segment : plan.deletable) {
    RETURN_IF_ERROR(directory.Remove(segment.file_name));
    RETURN_IF_ERROR(directory.Sync());
  }
  return plan;
}

}  // namespace journal
