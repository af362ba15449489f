#include "journal/maintenance/repair_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/recovery/content_check.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/recovery.h"
#include "journal/recovery/repair.h"
#include "journal/storage/file_operations.h"

namespace journal {
namespace {

using engine::SequenceNumber;

bool NeedsIndex(const SegmentState& segment) {
  return segment.is_readable() && segment.is_sealed && !segment.has_footer;
}

void PlanSegment(const SegmentState& segment, RepairPlan& plan) {
  const auto step = [&](std::string description) {
    plan.steps.push_back({.file_name = segment.file_name, .description = std::move(description)});
  };
  if (!segment.is_readable()) {
    step("set the file aside: it never became a segment");
    return;
  }
  if (segment.preamble->copy_damaged) {
    step(absl::StrFormat("restore the preamble at 0x%x from its other copy",
                         segment.preamble->damaged_offset));
  }
  if (NeedsIndex(segment)) {
    step(absl::StrFormat("write the index of %d blocks at 0x%x", segment.blocks.size(),
                         segment.end_offset));
  } else if (segment.recovery_case->action == RecoveryAction::kSetTailAside) {
    step(
        absl::StrFormat("set aside the %d bytes from 0x%x on, which were never acknowledged, and "
                        "cut them off",
                        segment.file_bytes - segment.end_offset, segment.end_offset));
  }
}

// ---- Checkpoints

// Returns the checkpoints that the sidecar should hold: one for each run, and every present one
// that agrees with the records.
absl::StatusOr<std::vector<Checkpoint>> RightCheckpoints(const Directory& directory,
                                                         const std::vector<Checkpoint>& present) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, Reader::Open(directory));
  std::vector<Checkpoint> right;
  LogDigest digest;
  auto next = present.begin();
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<Record> record, reader->Next());
    if (!record.has_value()) return right;
    digest.Add(*record);
    const SequenceNumber sequence = record->sequence();
    while (next != present.end() && next->sequence < sequence) ++next;
    const bool is_present = next != present.end() && next->sequence == sequence;
    if (!is_present && !EndsRun(sequence)) continue;
    const engine::Digest log = digest.Value();
    if (is_present && (!next->log.has_value() || *next->log == log)) {
      right.push_back(*next);
      right.back().log = log;
    } else if (EndsRun(sequence)) {
      right.push_back({.sequence = sequence, .log = log});
    }
  }
}

// The checkpoints to write, and why.
struct SidecarRepair {
  std::vector<Checkpoint> checkpoints;
  SequenceNumber last;  // Of the journal.
  bool replaces = false;
  std::string damage;  // The faults of the present sidecar.
};

// Returns the repair; nothing if the present sidecar is right.
absl::StatusOr<std::optional<SidecarRepair>> SidecarToWrite(const Directory& directory,
                                                            const JournalState& state) {
  std::optional<SidecarRepair> nothing;
  const SegmentState& first = state.segments.front();
  // Without record 1 there is no digest to compute.
  if (!first.is_readable() || first.first_sequence() != SequenceNumber::First()) return nothing;
  SidecarRepair repair;
  for (const SegmentState& segment : state.segments) {
    if (segment.is_readable()) repair.last = segment.position.next_sequence - 1;
  }
  const Uuid& uuid = first.preamble->preamble.journal_uuid;
  auto present = InspectSidecar(directory, uuid, repair.last);
  repair.replaces = !absl::IsNotFound(present.status());
  if (absl::IsDataLoss(present.status())) {
    repair.damage = std::string(present.status().message());
  } else if (repair.replaces) {
    RETURN_IF_ERROR(present.status());
    repair.damage = present->damage;
  }
  const SidecarContents there = present.ok() ? *std::move(present) : SidecarContents();
  ASSIGN_OR_RETURN(repair.checkpoints, RightCheckpoints(directory, there.checkpoints));
  const bool is_right = repair.damage.empty() && there.checkpoints == repair.checkpoints;
  if (is_right) return nothing;
  return std::optional(std::move(repair));
}

absl::StatusOr<std::string> Describe(const Directory& directory, const SidecarRepair& repair) {
  std::string text =
      absl::StrCat("write ", repair.checkpoints.size(), " checkpoints from the records");
  if (!repair.replaces) return text;
  ASSIGN_OR_RETURN(const std::string name, UnusedTornName(directory, kSidecarFileName));
  absl::StrAppend(&text, "; as it is, it is kept in ", name);
  if (!repair.damage.empty()) absl::StrAppend(&text, "; ", repair.damage);
  return text;
}

// ---- Carrying out the plan

// Overwrites all bytes after the SEAL block without a copy, because they are derived.
absl::Status RebuildIndex(Directory& directory, const JournalState& state, size_t i) {
  const SegmentState& segment = state.segments[i];
  ContentCheck check;
  RETURN_IF_ERROR(CheckContents(
      directory, state, i, {}, [](uint64_t) {}, check));
  SegmentIndex index{.blocks = segment.blocks,
                     .end = segment.position,
                     .digests = {},
                     .raw_bytes = segment.raw_bytes};
  if (check.digest.has_value() && check.digest->last().Next() == index.end.next_sequence) {
    index.digests = check.digest->digests();
  }

  const std::vector<std::byte> footer =
      EncodeFooter(index, segment.end_offset, SeedOf(segment.preamble->preamble.segment_uuid));
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForWrite(segment.file_name));
  RETURN_IF_ERROR(file->Truncate(segment.end_offset));
  RETURN_IF_ERROR(file->Sync());
  RETURN_IF_ERROR(file->Write(segment.end_offset, footer));
  return file->Sync();
}

absl::Status RepairSegment(Directory& directory, const JournalState& state, size_t i) {
  const SegmentState& segment = state.segments[i];
  if (!segment.is_readable()) return SetSegmentAside(directory, segment);
  if (segment.preamble->copy_damaged) {
    ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForWrite(segment.file_name));
    RETURN_IF_ERROR(RestorePreamble(*file, segment));
    RETURN_IF_ERROR(file->Sync());
  }
  if (NeedsIndex(segment)) return RebuildIndex(directory, state, i);
  if (segment.recovery_case->action == RecoveryAction::kSetTailAside) {
    return CutTail(directory, segment).status();
  }
  return absl::OkStatus();
}

// Leaves in `sidecar` what is to be written of it.
absl::StatusOr<RepairPlan> PlanFor(const Directory& directory, const JournalState& state,
                                   std::optional<SidecarRepair>& sidecar) {
  RepairPlan plan{.verdict = state.verdict, .findings = state.findings, .steps = {}};
  if (state.verdict == Verdict::kDamaged) return plan;
  for (const SegmentState& segment : state.segments) PlanSegment(segment, plan);
  ASSIGN_OR_RETURN(sidecar, SidecarToWrite(directory, state));
  if (sidecar.has_value()) {
    ASSIGN_OR_RETURN(std::string description, Describe(directory, *sidecar));
    plan.steps.push_back(
        {.file_name = std::string(kSidecarFileName), .description = std::move(description)});
  }
  return plan;
}

}  // namespace

absl::StatusOr<RepairPlan> PlanRepair(const Directory& directory) {
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory, InspectDepth::kBlocks));
  std::optional<SidecarRepair> sidecar;
  return PlanFor(directory, state, sidecar);
}

absl::StatusOr<RepairPlan> Repair(Directory& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DirectoryLock> lock, directory.Lock());
  ASSIGN_OR_RETURN(const std::unique_ptr<DirectoryLock> maintenance,
                   directory.LockForMaintenance());
  ASSIGN_OR_RETURN(const JournalState state, InspectForWriting(directory, InspectDepth::kBlocks));
  std::optional<SidecarRepair> sidecar;
  ASSIGN_OR_RETURN(RepairPlan plan, PlanFor(directory, state, sidecar));
  for (size_t i = 0; i < state.segments.size(); ++i) {
    RETURN_IF_ERROR(RepairSegment(directory, state, i));
  }
  RETURN_IF_ERROR(directory.Sync());
  if (sidecar.has_value()) {
    const Uuid& uuid = state.segments.front().preamble->preamble.journal_uuid;
    RETURN_IF_ERROR(ReplaceSidecar(directory, uuid, sidecar->last, sidecar->checkpoints).status());
  }
  return plan;
}

}  // namespace journal
