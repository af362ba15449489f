#include "journal/write/takeover.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/reader.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/recovery.h"
#include "journal/recovery/repair.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/write/segment_writer.h"

namespace journal {

using engine::SequenceNumber;
using engine::Timestamp;

namespace {

// Sets `digest` to the log digest up to the end of the segment `last`. Reads the records after the
// last known chain: less than a run if the segment is sealed, else the whole segment. Errors:
// DATA_LOSS (records cannot be read, or the digest differs from the footer's), FAILED_PRECONDITION
// (the digest of the records before the journal's first is unknown).
absl::Status ResumeLogDigest(const Directory& directory, const SegmentState& last,
                             std::optional<LogDigest>& digest) {
  const Preamble& preamble = last.preamble->preamble;
  const SequenceNumber next = last.position.next_sequence;
  // A journal without a known log digest cannot be continued (FORMAT.md, section 12).
  if (next > SequenceNumber::First() && last.digests.has_value() &&
      last.digests->log == engine::Digest()) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory.path(),
                     ": no writer can continue it: it is a part of a journal, made by "
                     "copying or salvaging records, and the log digest of the records before is "
                     "not known"));
  }
  const bool has_chain = last.digests.has_value();
  const SequenceNumber run_end = CompleteRunsEnd((has_chain ? next : preamble.first_sequence) - 1);
  digest.emplace(run_end, has_chain ? last.digests->chain : preamble.log_chain);
  if (run_end.Next() < next) {
    ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, Reader::Open(directory));
    RETURN_IF_ERROR(reader->SeekToSequence(run_end.Next()));
    while (digest->last().Next() < next) {
      ASSIGN_OR_RETURN(const Batch batch, reader->NextBatch());
      if (batch.empty()) break;
      digest->Add(batch.rows, batch.attachments);
    }
  }
  if (digest->last().Next() != next) {
    return absl::DataLossError(absl::StrCat(directory.path(), ": records end at ",
                                            digest->last().value(), ", expected ",
                                            next.value() - 1));
  }
  if (last.digests.has_value() && last.digests->log != digest->Value()) {
    return absl::DataLossError(absl::StrCat(directory.path(), ": the log digest at ",
                                            next.value() - 1, " is ", digest->Value().ToString(),
                                            ", the footer says ", last.digests->log.ToString()));
  }
  return absl::OkStatus();
}

// Cuts off checkpoints beyond the end of the segment `last`: after a crash the sidecar may be ahead
// of the journal. A sidecar that cannot be read is left unchanged.
absl::Status TrimSidecar(Directory& directory, const SegmentState& last,
                         RecoverySummary& recovery) {
  const Uuid& uuid = last.preamble->preamble.journal_uuid;
  const SequenceNumber end = last.position.next_sequence - 1;
  const auto checkpoints = ReadSidecar(directory, uuid, end);
  if (!checkpoints.ok() || checkpoints->empty() || checkpoints->back().sequence <= end) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SidecarWriter> trimmed,
                   SidecarWriter::Open(directory, uuid, end));
  recovery.sidecar_notes = trimmed->notes();
  return absl::OkStatus();
}

absl::Status CheckRowSchema(const Directory& directory, const JournalMetadata& metadata,
                            const SegmentState& last) {
  const uint64_t found = last.preamble->preamble.metadata.row_schema_id;
  if (found == metadata.row_schema_id) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(directory.path(), ": rows have schema 0x",
                                                    absl::Hex(found), ", this program writes 0x",
                                                    absl::Hex(metadata.row_schema_id)));
}

// Ignores what is for people and may differ from run to run: it does not affect the records.
bool IsSameApplication(JournalMetadata a, const JournalMetadata& b) {
  a.created_by = b.created_by;
  a.time_zone = b.time_zone;
  return a == b;
}

// Leaves `chain` with a segment that blocks can be appended to.
absl::Status Continue(Directory& directory, const JournalMetadata& metadata,
                      const SegmentState& last, const LogDigests& digests, Timestamp created,
                      SegmentChain& chain, RecoverySummary& recovery) {
  const Preamble& preamble = last.preamble->preamble;
  LogPosition next = last.position;  // Where a segment of this writer begins.
  ++next.incarnation;
  const RecoveryAction action = last.recovery_case->action;
  if (action == RecoveryAction::kBeginNext || last.has_footer) {
    if (IsSparse(last.blocks, last.file_bytes)) {
      chain.sparse().push_back(SealedOf(last, digests));
    }
    return chain.BeginAfter(preamble, next, digests, created);
  }

  ASSIGN_OR_RETURN(std::unique_ptr<File> file, CutTail(directory, last));
  if (last.tail_not_zero) recovery.bytes_set_aside += last.file_bytes - last.end_offset;
  chain.Continue(std::move(file), last);
  SegmentWriter& segment = chain.segment();
  if (action == RecoveryAction::kFinishSeal || last.is_sealed) {
    RETURN_IF_ERROR(segment.WriteFooter(digests));
    return chain.BeginAfter(preamble, next, digests, created);
  }
  RETURN_IF_ERROR(segment.WriteBlockWithoutRecords(BlockKind::kRecovery));
  RETURN_IF_ERROR(segment.Sync());
  RETURN_IF_ERROR(directory.Sync());
  // A segment of an earlier minor version must stay readable for readers of that version.
  if (IsSameApplication(metadata, preamble.metadata) && preamble.format_minor >= kWrittenMinor) {
    return absl::OkStatus();
  }
  return chain.Roll(digests, created);
}

}  // namespace

absl::Status TakeOver(Directory& directory, const JournalMetadata& metadata, Timestamp created,
                      const std::function<absl::Status()>& restore, SegmentChain& chain,
                      std::optional<LogDigest>& digest, RecoverySummary& recovery) {
  // With `restore`, the caller reads the payloads that it needs; without it, all are read here.
  const InspectDepth depth = restore ? InspectDepth::kHeaders : InspectDepth::kBlocks;
  ASSIGN_OR_RETURN(const JournalState state, InspectForWriting(directory, depth));
  // The segment to continue: the last one, or the one before a file that never became a segment.
  const SegmentState* last = &state.segments.back();
  const bool never_began = last->recovery_case->action == RecoveryAction::kSetSegmentAside;
  const SegmentState* aside = never_began ? last : nullptr;
  if (never_began) last = state.segments.size() > 1 ? last - 1 : nullptr;
  if (last != nullptr) {
    RETURN_IF_ERROR(CheckRowSchema(directory, metadata, *last));
    RETURN_IF_ERROR(ResumeLogDigest(directory, *last, digest));
  }
  if (restore) RETURN_IF_ERROR(restore());
  if (last != nullptr) {
    RETURN_IF_ERROR(last->is_sealed ? chain.AnnounceNext() : chain.RemoveSpare());
  }
  if (aside != nullptr) {
    RETURN_IF_ERROR(SetSegmentAside(directory, *aside));
    recovery.bytes_set_aside = aside->file_bytes;
  }
  if (last == nullptr) return absl::OkStatus();
  RETURN_IF_ERROR(TrimSidecar(directory, *last, recovery));
  return Continue(directory, metadata, *last, digest->digests(), created, chain, recovery);
}

}  // namespace journal
