#include "journal/maintenance/salvage.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/format/beginning.h"
#include "journal/format/missing_records.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/segment_inspection.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Calls `visit` with the segment and the records of every readable block, in order of place.
absl::Status VisitBlocks(const Directory& directory, const JournalState& state,
                         absl::FunctionRef<absl::Status(const SegmentState&, const Batch&)> visit) {
  for (const SegmentState& segment : state.segments) {
    if (!segment.is_readable()) continue;
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockWalk> walk, BlockWalk::Open(directory, segment));
    for (const BlockEntry& entry : walk->blocks()) {
      const absl::StatusOr<Batch> records = walk->Read(entry);
      if (absl::IsDataLoss(records.status()) || absl::IsUnimplemented(records.status())) continue;
      RETURN_IF_ERROR(records.status());
      RETURN_IF_ERROR(visit(segment, *records));
    }
  }
  return absl::OkStatus();
}

void AddHole(SequenceNumber first, SequenceNumber last, const JournalState& state,
             SalvagePlan& plan) {
  if (last < first) return;
  const SequenceNumber durable = std::min(last, state.durable_sequence);
  plan.holes.push_back({.first_sequence = first,
                        .last_sequence = last,
                        .last_durable = durable < first ? SequenceNumber() : durable});
}

void AddHoles(const JournalState& state, SalvagePlan& plan) {
  SequenceNumber expected = SequenceNumber::First();
  if (state.beginning.has_value() && state.segments.front().is_readable()) {
    expected = state.segments.front().first_sequence();
  }
  for (const SalvageRun& run : plan.runs) {
    AddHole(expected, run.first_sequence - 1, state, plan);
    expected = run.last_sequence.Next();
  }
  AddHole(expected, state.durable_sequence, state, plan);
}

// Begins the journal of a run, with the file `beginning` if it begins after record 1, and `missing`
// if the plan has holes.
absl::StatusOr<std::unique_ptr<BulkWriter>> BeginRun(Directory& to, const SalvageRun& run,
                                                     const SegmentState& segment,
                                                     const SalvagePlan& plan, const Uuid& uuid) {
  BulkOrigin origin{.journal_uuid = uuid, .first_sequence = run.first_sequence};
  const bool begins_later = run.first_sequence != SequenceNumber::First();
  if (begins_later) {
    origin.segment_index = std::max<uint64_t>(1, segment.segment_index);
    origin.previous_timestamp = segment.preamble->preamble.previous_timestamp;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<BulkWriter> writer,
                   BulkWriter::Create(to, origin, {.block_records = 4096, .zstd_level = 3}));
  if (begins_later) {
    RETURN_IF_ERROR(
        WriteBeginning(to, {.journal_uuid = uuid,
                            .segment_index = origin.segment_index,
                            .first_sequence = run.first_sequence,
                            .reason = absl::StrCat("salvaged; earlier records cannot be read")}));
  }
  if (plan.holes.empty()) return writer;
  MissingRecords missing{.journal_uuid = uuid, .range_count = plan.holes.size()};
  for (const SalvageHole& hole : plan.holes) {
    missing.ranges.push_back(
        {.first_sequence = hole.first_sequence, .last_sequence = hole.last_sequence});
  }
  RETURN_IF_ERROR(WriteMissing(to, missing));
  return writer;
}

}  // namespace

uint64_t SalvagePlan::record_count() const {
  uint64_t sum = 0;
  for (const SalvageRun& run : runs) sum += run.record_count();
  return sum;
}

absl::StatusOr<SalvagePlan> PlanSalvage(const Directory& directory) {
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory, InspectDepth::kBlocks));
  SalvagePlan plan;
  plan.findings = state.findings;
  RETURN_IF_ERROR(VisitBlocks(directory, state, [&](const SegmentState&, const Batch& batch) {
    const Row& first = batch.rows.front();
    const Row& last = batch.rows.back();
    const bool follows = !plan.runs.empty() &&
                         plan.runs.back().last_sequence.Next() == first.sequence &&
                         plan.runs.back().last_time <= first.timestamp;
    // A block out of order belongs to another log.
    if (!plan.runs.empty() && !follows && first.sequence <= plan.runs.back().last_sequence) {
      return absl::OkStatus();
    }
    if (!follows) {
      plan.runs.push_back({.first_sequence = first.sequence,
                           .last_sequence = last.sequence,
                           .first_time = first.timestamp,
                           .last_time = last.timestamp});
    }
    plan.runs.back().last_sequence = last.sequence;
    plan.runs.back().last_time = last.timestamp;
    return absl::OkStatus();
  }));
  AddHoles(state, plan);
  return plan;
}

absl::Status Salvage(const Directory& directory, const SalvagePlan& plan,
                     absl::FunctionRef<absl::StatusOr<Directory*>(const SalvageRun&)> destination,
                     absl::FunctionRef<Uuid()> uuids) {
  ASSIGN_OR_RETURN(const JournalState state, InspectJournal(directory, InspectDepth::kBlocks));
  size_t run = 0;
  std::unique_ptr<BulkWriter> writer;
  RETURN_IF_ERROR(VisitBlocks(
      directory, state, [&](const SegmentState& segment, const Batch& batch) -> absl::Status {
        const SequenceNumber first = batch.rows.front().sequence;
        if (writer == nullptr && run < plan.runs.size() && first == plan.runs[run].first_sequence) {
          ASSIGN_OR_RETURN(Directory* const to, destination(plan.runs[run]));
          ASSIGN_OR_RETURN(writer, BeginRun(*to, plan.runs[run], segment, plan, uuids()));
        }
        if (writer == nullptr || first != writer->next_sequence()) return absl::OkStatus();
        const Preamble& preamble = segment.preamble->preamble;
        RETURN_IF_ERROR(writer->SetMetadata(preamble.metadata, preamble.created));
        RETURN_IF_ERROR(writer->Append(batch));
        if (batch.rows.back().sequence != plan.runs[run].last_sequence) return absl::OkStatus();
        RETURN_IF_ERROR(writer->Close());
        writer.reset();
        ++run;
        return absl::OkStatus();
      }));
  if (run == plan.runs.size()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(directory.path(), ": records from ",
                                          plan.runs[run].first_sequence.value(),
                                          " on cannot be read any more"));
}

}  // namespace journal
