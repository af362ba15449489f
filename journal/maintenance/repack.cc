#include "journal/maintenance/repack.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/format/missing_records.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/verify.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Returns a report of what is to be copied: the segments before the first that is not sealed.
absl::StatusOr<RepackReport> ChooseSegments(const JournalInfo& info) {
  if (info.verdict == Verdict::kDamaged) {
    return absl::DataLossError(absl::StrCat(info.path, " is DAMAGED: ", info.verdict_reason));
  }
  if (info.first_sequence != SequenceNumber::First()) {
    return absl::UnimplementedError(
        absl::StrCat(info.path, " begins at ", info.first_sequence.value(),
                     "; only a journal that begins at 1 can be repacked"));
  }
  RepackReport report;
  report.segments_left_out = info.segments.size();
  for (const SegmentInfo& segment : info.segments) {
    if (!segment.sealed) break;
    --report.segments_left_out;
    report.bytes_before += segment.file_bytes;
    report.record_count += segment.record_count();
    report.last_sequence = segment.last_sequence;
  }
  if (report.segments_left_out < info.segments.size()) return report;
  return absl::FailedPreconditionError(
      absl::StrCat(info.path, ": no segment is sealed yet, so there is nothing to repack"));
}

// Copies the checkpoints of the copied records. A fault in the original sidecar is ignored.
absl::Status CopyCheckpoints(const Directory& from, const JournalInfo& info, SequenceNumber last,
                             Directory& to) {
  const auto checkpoints = ReadSidecar(from, info.uuid, info.last_sequence);
  if (!checkpoints.ok()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::unique_ptr<SidecarWriter> sidecar,
                   SidecarWriter::Create(to, info.uuid));
  for (const Checkpoint& checkpoint : *checkpoints) {
    if (checkpoint.sequence <= last) RETURN_IF_ERROR(sidecar->Append(checkpoint));
  }
  RETURN_IF_ERROR(sidecar->Close());
  return to.Sync();
}

// The copy is the same journal, so the same records are missing in it.
absl::Status CopyMissing(const Directory& from, Directory& to) {
  const absl::StatusOr<MissingRecords> missing = ReadMissing(from);
  return missing.ok() ? WriteMissing(to, *missing) : absl::OkStatus();
}

// Reads the result back, and checks that it decodes to the same records.
absl::Status CheckCopy(const Directory& to, const RepackReport& report,
                       const ParallelWork& parallel) {
  ASSIGN_OR_RETURN(const VerifyReport verified, Verify(to, {.deep = true, .parallel = parallel}));
  if (verified.verdict == Verdict::kClean && verified.record_count == report.record_count &&
      verified.last_sequence == report.last_sequence && verified.log_digest == report.log_digest) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat(to.path(), ": the result read back differs: ", ToString(verified.verdict), ", ",
                   verified.record_count, " records, expected ", report.record_count,
                   verified.findings.empty() ? "" : "; ",
                   verified.findings.empty() ? "" : verified.findings.front().ToString()));
}

}  // namespace

absl::StatusOr<RepackReport> Repack(const Directory& from, Directory& to,
                                    const BulkOptions& options, const WorkProgress& progress) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, Reader::Open(from));
  const JournalInfo& info = reader->info();
  ASSIGN_OR_RETURN(RepackReport report, ChooseSegments(info));
  ASSIGN_OR_RETURN(const std::unique_ptr<BulkWriter> writer,
                   BulkWriter::Create(to, {.journal_uuid = info.uuid}, options));
  for (const SegmentInfo& segment : info.segments) {
    if (!segment.sealed) break;
    // Also of a segment without records.
    RETURN_IF_ERROR(writer->SetMetadata(segment.metadata, segment.created));
    RETURN_IF_ERROR(CopyRecords(*reader, segment.last_sequence, *writer, [&](SequenceNumber last) {
      if (progress) progress(last.value(), report.record_count);
    }));
    if (writer->next_sequence() <= segment.last_sequence) {
      return absl::DataLossError(absl::StrCat(info.path, ": the records end at ",
                                              writer->next_sequence().value() - 1, ", expected ",
                                              segment.last_sequence.value()));
    }
  }
  RETURN_IF_ERROR(writer->Close());
  report.log_digest = writer->log_digest();
  report.bytes_after = writer->stored_bytes();
  RETURN_IF_ERROR(CopyCheckpoints(from, info, report.last_sequence, to));
  RETURN_IF_ERROR(CopyMissing(from, to));
  RETURN_IF_ERROR(CheckCopy(to, report, options.parallel));
  return report;
}

}  // namespace journal
