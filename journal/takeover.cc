#include "journal/takeover.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/fault.h"
#include "journal/format/format.h"
#include "journal/reader.h"
#include "journal/verdict.h"

namespace journal {

using engine::SequenceNumber;

absl::StatusOr<JournalState> InspectForTakeover(Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  std::optional<uint64_t> last;
  for (const std::string& name : names) last = std::max(last, ParseSegmentFileName(name));
  if (last.has_value()) {
    ASSIGN_OR_RETURN(const std::unique_ptr<File> file,
                     directory.OpenForWrite(SegmentFileName(*last)));
    RETURN_IF_ERROR(file->Sync());
    RETURN_IF_ERROR(directory.Sync());
  }
  ASSIGN_OR_RETURN(JournalState state, InspectJournal(directory, InspectDepth::kTail));
  if (state.verdict == Verdict::kDamaged && !JOURNAL_FAULT(kDamagedTakenOver)) {
    return absl::DataLossError(absl::StrCat(
        directory.path(), " is DAMAGED, nothing was changed: ", state.VerdictReason()));
  }
  return state;
}

absl::Status ResumeLogDigest(const Directory& directory, const SegmentState& last,
                             std::optional<LogDigest>& digest) {
  const Preamble& preamble = last.preamble->preamble;
  const SequenceNumber next = last.position.next_sequence;
  const bool has_chain = last.log_chain.has_value();
  const SequenceNumber run_end = CompleteRunsEnd((has_chain ? next : preamble.first_sequence) - 1);
  digest.emplace(run_end, has_chain ? *last.log_chain : preamble.log_chain);
  if (run_end.Next() < next) {
    ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, Reader::Open(directory));
    RETURN_IF_ERROR(reader->SeekToSequence(run_end.Next()));
    while (digest->last().Next() < next) {
      ASSIGN_OR_RETURN(const Batch batch, reader->NextBatch());
      if (batch.empty()) break;
      if (JOURNAL_FAULT(kAttachmentsNotDigested)) {
        digest->Add(batch.rows, {});
        continue;
      }
      digest->Add(batch.rows, batch.attachments);
    }
  }
  if (digest->last().Next() != next) {
    return absl::DataLossError(absl::StrCat(directory.path(), ": records end at ",
                                            digest->last().value(), ", expected ",
                                            next.value() - 1));
  }
  if (last.log_digest.has_value() && *last.log_digest != digest->Value()) {
    return absl::DataLossError(absl::StrCat(directory.path(), ": the log digest at ",
                                            next.value() - 1, " is ", digest->Value().ToString(),
                                            ", the footer says ", last.log_digest->ToString()));
  }
  return absl::OkStatus();
}

absl::Status TrimSidecar(Directory& directory, const SegmentState& last) {
  const Uuid& uuid = last.preamble->preamble.journal_uuid;
  const auto checkpoints = ReadSidecar(directory, uuid);
  if (!checkpoints.ok() || checkpoints->empty() ||
      checkpoints->back().sequence < last.position.next_sequence) {
    return absl::OkStatus();
  }
  return SidecarWriter::Open(directory, uuid, last.position.next_sequence - 1).status();
}

}  // namespace journal
