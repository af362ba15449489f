#include "journal/verify.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/block_codec.h"
#include "journal/block_header.h"
#include "journal/digest_sidecar.h"
#include "journal/file_window.h"
#include "journal/hash64.h"
#include "journal/journal_state.h"
#include "journal/log_digest.h"
#include "journal/segment_index.h"

namespace journal {
namespace {

using engine::SequenceNumber;

class Verifier {
 public:
  Verifier(const Directory& directory, JournalState state, bool deep,
           const std::function<void(const VerifyProgress&)>& progress)
      : directory_(directory), state_(std::move(state)), progress_(progress) {
    report_.verdict = state_.verdict;
    report_.findings = state_.findings;
    report_.segment_count = state_.segments.size();
    report_.durable_sequence = state_.durable_sequence;
    for (const SegmentState& segment : state_.segments) TakeSegment(segment);
    progress_now_.bytes_total = deep ? 2 * bytes_ : bytes_;
    Advance(bytes_);
  }

  absl::Status CheckContents() {
    ReadCheckpoints();
    for (const SegmentState& segment : state_.segments) {
      RETURN_IF_ERROR(CheckSegment(segment));
    }
    Advance(progress_now_.bytes_total - progress_now_.bytes_done);
    if (next_checkpoint_ < checkpoints_.size()) {
      Warn(state_.segments.back(), absl::StrCat("the sidecar has a checkpoint at ",
                                                checkpoints_[next_checkpoint_].sequence.value(),
                                                ", which is not in the readable prefix"));
    }
    if (report_.first_sequence == SequenceNumber::First()) report_.log_digest = digest_.Value();
    return absl::OkStatus();
  }

  VerifyReport Report() && {
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) {
                       return std::pair(a.segment_index, a.byte_begin) <
                              std::pair(b.segment_index, b.byte_begin);
                     });
    return std::move(report_);
  }

 private:
  void TakeSegment(const SegmentState& segment) {
    bytes_ += segment.file_bytes;
    if (!segment.is_readable()) return;
    if (report_.first_sequence.value() == 0) {
      report_.first_sequence = segment.first_sequence();
      report_.last_sequence = segment.first_sequence() - 1;
    }
    for (const BlockEntry& block : segment.blocks) {
      ++report_.block_count;
      report_.record_count += block.record_count;
      if (block.first_sequence == report_.last_sequence.Next()) {
        report_.last_sequence = block.next_sequence() - 1;
      }
    }
  }

  // The sidecar is derived: whatever is wrong with it is a warning.
  void ReadCheckpoints() {
    const auto readable =
        std::find_if(state_.segments.begin(), state_.segments.end(),
                     [](const SegmentState& segment) { return segment.is_readable(); });
    if (readable == state_.segments.end()) return;
    auto checkpoints = ReadSidecar(directory_, readable->preamble->preamble.journal_uuid);
    if (checkpoints.ok()) {
      checkpoints_ = *std::move(checkpoints);
    } else if (!absl::IsNotFound(checkpoints.status())) {
      Warn(*readable, std::string(checkpoints.status().message()));
    }
  }

  absl::Status CheckSegment(const SegmentState& segment) {
    if (!segment.is_readable()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory_.OpenForRead(segment.file_name));
    FileWindow window(*file);
    const uint64_t seed = SeedOf(segment.preamble->preamble.segment_uuid);
    for (const BlockEntry& entry : segment.blocks) {
      ASSIGN_OR_RETURN(const engine::Bytes block, window.At(entry.offset, entry.stored_bytes));
      const absl::StatusOr<BlockHeader> header = ParseBlockHeader(block, seed);
      const absl::Status decoded =
          header.ok()
              ? decoder_.Decode(*header, block.subspan(kBlockHeaderBytes, header->payload_bytes))
              : header.status();
      if (decoded.ok()) {
        AddToDigest(segment);
      } else {
        Undecodable(segment, entry, decoded.message());
      }
      Advance(entry.stored_bytes);
    }
    if (segment.log_digest.has_value() && digest_.last().Next() == segment.position.next_sequence &&
        *segment.log_digest != digest_.Value()) {
      Differs(segment, "the footer", *segment.log_digest);
    }
    return absl::OkStatus();
  }

  // Only a prefix without gaps has a digest.
  void AddToDigest(const SegmentState& segment) {
    std::span<const Row> rows = decoder_.rows();
    std::span<const AttachmentView> attachments = decoder_.attachments();
    while (!rows.empty() && rows.front().sequence == digest_.last().Next()) {
      size_t count = rows.size();
      if (next_checkpoint_ < checkpoints_.size()) {
        const SequenceNumber stop = checkpoints_[next_checkpoint_].sequence;
        if (stop > digest_.last()) count = std::min<uint64_t>(count, stop - digest_.last());
      }
      const SequenceNumber last = rows[count - 1].sequence;
      size_t attachment_count = 0;
      while (attachment_count < attachments.size() &&
             attachments[attachment_count].sequence <= last) {
        ++attachment_count;
      }
      digest_.Add(rows.first(count), attachments.first(attachment_count));
      rows = rows.subspan(count);
      attachments = attachments.subspan(attachment_count);
      CheckCheckpoint(segment);
    }
  }

  void CheckCheckpoint(const SegmentState& segment) {
    if (next_checkpoint_ == checkpoints_.size() ||
        checkpoints_[next_checkpoint_].sequence != digest_.last()) {
      return;
    }
    const Checkpoint& checkpoint = checkpoints_[next_checkpoint_++];
    if (!checkpoint.log.has_value()) return;
    ++report_.checkpoint_count;
    if (*checkpoint.log != digest_.Value()) Differs(segment, "the sidecar", *checkpoint.log);
  }

  // The hashes are right and the digest is not: the records are not those that were appended.
  void Differs(const SegmentState& segment, absl::string_view who, const engine::Digest& expected) {
    Finding finding = At(segment, Verdict::kDamaged);
    finding.message =
        absl::StrCat("the log digest at ", digest_.last().value(), " is ",
                     digest_.Value().ToString(), ", ", who, " says ", expected.ToString());
    Add(std::move(finding));
  }

  void Undecodable(const SegmentState& segment, const BlockEntry& entry,
                   absl::string_view message) {
    Finding finding = At(segment, Verdict::kDamaged);
    finding.byte_begin = entry.offset;
    finding.byte_end = entry.offset + entry.stored_bytes;
    finding.first_sequence = entry.first_sequence;
    finding.last_sequence = entry.next_sequence() - 1;
    finding.may_have_been_acknowledged = true;
    finding.message = absl::StrCat("a block with the right hashes cannot be decoded: ", message);
    Add(std::move(finding));
  }

  void Warn(const SegmentState& segment, std::string message) {
    Finding finding = At(segment, Verdict::kClean);
    finding.message = std::move(message);
    Add(std::move(finding));
  }

  static Finding At(const SegmentState& segment, Verdict verdict) {
    return {.verdict = verdict,
            .segment_index = segment.segment_index,
            .byte_begin = segment.end_offset,
            .byte_end = segment.end_offset};
  }

  void Add(Finding finding) {
    report_.verdict = std::max(report_.verdict, finding.verdict);
    report_.findings.push_back(std::move(finding));
  }

  void Advance(uint64_t bytes) {
    progress_now_.bytes_done += bytes;
    if (progress_) progress_(progress_now_);
  }

  const Directory& directory_;
  const JournalState state_;
  const std::function<void(const VerifyProgress&)>& progress_;
  VerifyProgress progress_now_;
  uint64_t bytes_ = 0;
  VerifyReport report_;
  LogDigest digest_;
  std::vector<Checkpoint> checkpoints_;
  size_t next_checkpoint_ = 0;
  BlockDecoder decoder_;
};

}  // namespace

absl::StatusOr<VerifyReport> Verify(const Directory& directory, VerifyOptions options,
                                    const std::function<void(const VerifyProgress&)>& progress) {
  ASSIGN_OR_RETURN(JournalState state, InspectJournal(directory, InspectDepth::kBlocks));
  Verifier verifier(directory, std::move(state), options.deep, progress);
  if (options.deep) RETURN_IF_ERROR(verifier.CheckContents());
  return std::move(verifier).Report();
}

}  // namespace journal
