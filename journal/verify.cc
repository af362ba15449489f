#include "journal/verify.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/format/segment_index.h"
#include "journal/holds.h"
#include "journal/log_digest.h"
#include "journal/recovery/content_check.h"
#include "journal/recovery/journal_state.h"

namespace journal {
namespace {

using engine::SequenceNumber;

class Verifier {
 public:
  Verifier(const Directory& directory, const VerifyOptions& options, const WorkProgress& progress)
      : directory_(directory), options_(options), progress_(progress) {}

  absl::StatusOr<VerifyReport> Run() && {
    const InspectOptions inspect{
        .depth = InspectDepth::kBlocks,
        .from_segment = options_.from_segment,
        .parallel = options_.parallel,
        .begin = [&](uint64_t bytes) { bytes_total_ = options_.deep ? 2 * bytes : bytes; },
        .advance = [&](uint64_t bytes) { bytes_done_ += bytes; },
        .tend = [&] { ReportProgress(); }};
    ASSIGN_OR_RETURN(state_, InspectJournal(directory_, inspect));
    report_.verdict = state_.verdict;
    report_.findings = state_.findings;
    report_.segment_count = state_.segments.size();
    report_.durable_sequence = state_.durable_sequence;
    for (const SegmentState& segment : state_.segments) TakeSegment(segment);
    RETURN_IF_ERROR(LookBeside());
    if (options_.deep) RETURN_IF_ERROR(CheckContents());
    bytes_done_ = bytes_total_;
    ReportProgress();
    std::ranges::stable_sort(report_.findings, {}, [](const Finding& finding) {
      return std::pair(finding.segment_index, finding.byte_begin);
    });
    return std::move(report_);
  }

 private:
  void ReportProgress() const {
    if (progress_) progress_(std::min(bytes_done_.load(), bytes_total_), bytes_total_);
  }

  // Checks the files beside the segments.
  absl::Status LookBeside() {
    RETURN_IF_ERROR(ReadCheckpoints());
    if (end_.value() == 0) return absl::OkStatus();
    WarnOfCheckpointsBeyond();
    RETURN_IF_ERROR(WarnOfHoldsBeyond());
    CheckExpectedEnds();
    return absl::OkStatus();
  }

  absl::Status CheckContents() {
    checks_ = std::vector<ContentCheck>(state_.segments.size());
    std::vector<absl::Status> statuses(checks_.size());
    options_.parallel(
        checks_.size(),
        [&](size_t i) {
          const SegmentState& segment = state_.segments[i];
          if (!segment.is_readable() || segment.segment_index < options_.from_segment) return;
          statuses[i] = journal::CheckContents(
              directory_, state_, i, checkpoints_, [&](uint64_t bytes) { bytes_done_ += bytes; },
              checks_[i]);
        },
        [&] { ReportProgress(); });
    for (size_t i = 0; i < checks_.size(); ++i) {
      RETURN_IF_ERROR(statuses[i]);
      Take(i, checks_[i]);
    }
    return absl::OkStatus();
  }

  void TakeSegment(const SegmentState& segment) {
    if (!segment.is_readable()) return;
    if (report_.first_sequence.value() == 0) {
      report_.first_sequence = segment.first_sequence();
      report_.last_sequence = segment.first_sequence() - 1;
    }
    if (segment.is_of_journal) end_ = std::max(end_, segment.first_sequence());
    for (const BlockEntry& block : segment.blocks) {
      ++report_.block_count;
      report_.record_count += block.record_count;
      if (segment.is_of_journal) end_ = std::max(end_, block.next_sequence());
      if (block.first_sequence == report_.last_sequence.Next()) {
        report_.last_sequence = block.next_sequence() - 1;
      }
    }
  }

  // The sidecar is derived from the records, so every fault in it is only a warning.
  absl::Status ReadCheckpoints() {
    const auto readable = std::ranges::find_if(state_.segments, &SegmentState::is_readable);
    if (readable == state_.segments.end()) return absl::OkStatus();
    const SequenceNumber last = end_ == SequenceNumber() ? end_ : end_ - 1;
    auto sidecar = InspectSidecar(directory_, readable->preamble->preamble.journal_uuid, last);
    if (sidecar.ok()) {
      checkpoints_ = std::move(sidecar->checkpoints);
      if (!sidecar->damage.empty()) Warn(*readable, std::move(sidecar->damage));
    } else if (absl::IsDataLoss(sidecar.status()) || absl::IsUnimplemented(sidecar.status())) {
      Warn(*readable, std::string(sidecar.status().message()));
    } else if (!absl::IsNotFound(sidecar.status())) {
      return sidecar.status();
    }
    return absl::OkStatus();
  }

  void Take(size_t i, const ContentCheck& check) {
    const SegmentState& segment = state_.segments[i];
    for (const Finding& finding : check.findings) Add(finding);
    report_.checkpoint_count += check.checkpoint_count;
    if (!segment.is_readable()) {
      is_one_chain_ = false;
      return;
    }
    CheckLink(segment, check);
    if (is_one_chain_ && check.digest.has_value()) report_.log_digest = check.digest->Value();
    previous_ = check.digest.has_value() ? &*check.digest : nullptr;
  }

  // The log_chain in the preamble, from which the segment was checked, must equal the digest of the
  // records before the segment.
  void CheckLink(const SegmentState& segment, const ContentCheck& check) {
    const bool follows =
        previous_ != nullptr && previous_->last().Next() == segment.first_sequence();
    if (follows && check.digest.has_value()) {
      const engine::Digest& recorded = segment.preamble->preamble.log_chain;
      if (previous_->chain() == recorded) return;
      is_one_chain_ = false;
      Finding finding = FindingAtEnd(segment, Verdict::kDamaged);
      finding.byte_begin = 0;
      finding.byte_end = segment.preamble->preamble.blocks_offset();
      finding.message = absl::StrCat("the preamble says that the log digest up to ",
                                     CompleteRunsEnd(segment.first_sequence() - 1).value(), " is ",
                                     recorded.ToString(), ", the digest of the records is ",
                                     previous_->chain().ToString());
      Add(std::move(finding));
      return;
    }
    // The records before the first segment with a digest were deleted on purpose, or are a gap.
    const bool is_first = !report_.log_digest.has_value() && state_.beginning.has_value();
    if (segment.first_sequence() != SequenceNumber::First() && !is_first) is_one_chain_ = false;
  }

  // After a crash the sidecar may be ahead of the log.
  void WarnOfCheckpointsBeyond() {
    // Ascending.
    const auto beyond = std::ranges::lower_bound(checkpoints_, end_, {}, &Checkpoint::sequence);
    if (beyond == checkpoints_.end()) return;
    WarnOfEnd(absl::StrCat("the sidecar has a checkpoint at ", beyond->sequence.value()));
  }

  // A hold may be for a future record: the next record gets no warning.
  absl::Status WarnOfHoldsBeyond() {
    ASSIGN_OR_RETURN(const std::vector<Hold> holds, ListHolds(directory_));
    for (const Hold& hold : holds) {
      if (hold.sequence <= end_) continue;
      WarnOfEnd(absl::StrCat("hold '", hold.name, "' is at ", hold.sequence.value()));
    }
    return absl::OkStatus();
  }

  void WarnOfEnd(absl::string_view what) {
    Warn(state_.segments.back(),
         absl::StrCat(
             what, ", and the journal ends at ", end_.value() - 1,
             ": an active writer or a crash may leave that, or its last segments are missing"));
  }

  void CheckExpectedEnds() {
    for (const ExpectedEnd& expected_end : options_.expected_ends) {
      if (expected_end.sequence < end_) continue;
      Finding finding = FindingAtEnd(state_.segments.back(), Verdict::kDamaged);
      finding.first_sequence = end_;
      finding.last_sequence = finding.last_durable = expected_end.sequence;
      finding.may_have_been_acknowledged = true;
      finding.message =
          absl::StrCat(expected_end.who,
                       " says that they were durable, and the journal ends before them: its last "
                       "segments are missing, or it was copied while its writer was at work: then "
                       "copy it again");
      Add(std::move(finding));
    }
  }

  void Warn(const SegmentState& segment, std::string message) {
    Finding finding = FindingAtEnd(segment, Verdict::kClean);
    finding.message = std::move(message);
    Add(std::move(finding));
  }

  void Add(Finding finding) {
    report_.verdict = std::max(report_.verdict, finding.verdict);
    report_.findings.push_back(std::move(finding));
  }

  const Directory& directory_;
  const VerifyOptions& options_;
  const WorkProgress& progress_;
  std::atomic<uint64_t> bytes_done_ = 0;  // Incremented by all threads.
  uint64_t bytes_total_ = 0;
  JournalState state_;
  VerifyReport report_;
  SequenceNumber end_;  // One past the last record present, gaps or not; 0: nothing readable.
  std::vector<Checkpoint> checkpoints_;
  std::vector<ContentCheck> checks_;     // Of the segments.
  const LogDigest* previous_ = nullptr;  // After the segment before; in checks_.
  bool is_one_chain_ = true;             // No record is missing before or between segments.
};

}  // namespace

absl::StatusOr<VerifyReport> Verify(const Directory& directory, VerifyOptions options,
                                    const WorkProgress& progress) {
  return Verifier(directory, options, progress).Run();
}

}  // namespace journal
