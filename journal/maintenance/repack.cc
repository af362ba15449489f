#include "journal/maintenance/repack.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/verify.h"

namespace journal {
namespace {

using engine::SequenceNumber;

class Repacker {
 public:
  Repacker(const Directory& from, Reader& reader, Directory& to, const RepackOptions& options,
           const std::function<void(uint64_t, uint64_t)>& progress)
      : from_(from), reader_(reader), to_(to), options_(options), progress_(progress) {}

  absl::Status Copy() {
    RETURN_IF_ERROR(ChooseSegments());
    ASSIGN_OR_RETURN(const std::unique_ptr<BulkWriter> writer,
                     BulkWriter::Create(to_, {.journal_uuid = reader_.info().uuid}, options_.bulk));
    const JournalMetadata* metadata = nullptr;
    for (size_t i = 0; i < sealed_count_; ++i) {
      const SegmentInfo& segment = reader_.info().segments[i];
      // A segment's metadata names the build and rules of its records, and stays with them.
      if (metadata == nullptr || *metadata != segment.metadata) {
        metadata = &segment.metadata;
        RETURN_IF_ERROR(writer->BeginSegment(*metadata, segment.created));
      }
      RETURN_IF_ERROR(CopyUpTo(segment.last_sequence, *writer));
    }
    RETURN_IF_ERROR(writer->Close());
    report_.log_digest = writer->log_digest();
    report_.bytes_after = writer->stored_bytes();
    return CopyCheckpoints();
  }

  RepackReport& report() { return report_; }

 private:
  absl::Status ChooseSegments() {
    const JournalInfo& info = reader_.info();
    if (info.verdict == Verdict::kDamaged) {
      return absl::DataLossError(absl::StrCat(info.path, " is DAMAGED: ", info.verdict_reason));
    }
    if (info.first_sequence != SequenceNumber::First()) {
      return absl::UnimplementedError(
          absl::StrCat(info.path, " begins at ", info.first_sequence.value(),
                       "; only a journal that begins at 1 can be repacked"));
    }
    for (const SegmentInfo& segment : info.segments) {
      if (!segment.sealed) break;
      ++sealed_count_;
      report_.bytes_before += segment.file_bytes;
      report_.record_count += segment.record_count();
      report_.last_sequence = segment.last_sequence;
    }
    report_.segments_left_out = info.segments.size() - sealed_count_;
    if (sealed_count_ > 0) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(info.path, ": no segment is sealed yet, so there is nothing to repack"));
  }

  absl::Status CopyUpTo(SequenceNumber last, BulkWriter& writer) {
    while (writer.next_sequence() <= last) {
      ASSIGN_OR_RETURN(const Batch batch, reader_.NextBatch());
      if (batch.empty()) {
        return absl::DataLossError(absl::StrCat(reader_.info().path, ": the records end at ",
                                                writer.next_sequence().value() - 1, ", expected ",
                                                last.value()));
      }
      RETURN_IF_ERROR(writer.Append(batch));
      if (progress_) progress_(writer.next_sequence().value() - 1, report_.record_count);
    }
    return absl::OkStatus();
  }

  // Copies the checkpoints of the copied records. A fault in the original sidecar is ignored.
  absl::Status CopyCheckpoints() {
    const auto checkpoints = ReadSidecar(from_, reader_.info().uuid, reader_.info().last_sequence);
    if (!checkpoints.ok()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::unique_ptr<SidecarWriter> sidecar,
                     SidecarWriter::Create(to_, reader_.info().uuid));
    for (const Checkpoint& checkpoint : *checkpoints) {
      if (checkpoint.sequence <= report_.last_sequence) {
        RETURN_IF_ERROR(sidecar->Append(checkpoint));
      }
    }
    RETURN_IF_ERROR(sidecar->Close());
    return to_.Sync();
  }

  const Directory& from_;
  Reader& reader_;
  Directory& to_;
  const RepackOptions& options_;
  const std::function<void(uint64_t, uint64_t)>& progress_;
  size_t sealed_count_ = 0;
  RepackReport report_;
};

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
                                    const RepackOptions& options,
                                    const std::function<void(uint64_t, uint64_t)>& progress) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, Reader::Open(from));
  Repacker repacker(from, *reader, to, options, progress);
  RETURN_IF_ERROR(repacker.Copy());
  RETURN_IF_ERROR(CheckCopy(to, repacker.report(), options.bulk.parallel));
  return repacker.report();
}

}  // namespace journal
