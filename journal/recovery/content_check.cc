#include "journal/recovery/content_check.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/record.h"
#include "journal/recovery/segment_inspection.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// Sets `begun` to the digest before segment i: the chain of its preamble plus the earlier records
// of the run in which it begins. Nothing if they are unknown.
absl::Status BeginDigest(const Directory& directory, const JournalState& state, size_t i,
                         std::optional<LogDigest>& begun) {
  const Preamble& preamble = state.segments[i].preamble->preamble;
  const SequenceNumber before = preamble.first_sequence - 1;
  const SequenceNumber run_end = CompleteRunsEnd(before);
  if (run_end.value() > 0 && preamble.log_chain == engine::Digest()) {
    return absl::OkStatus();  // Zeros: the segment's writer did not know the chain.
  }
  LogDigest& digest =
      begun.emplace(run_end, run_end.value() > 0 ? preamble.log_chain : engine::Digest());
  size_t first = i;
  while (first > 0 && state.segments[first].is_readable() &&
         state.segments[first].first_sequence() > run_end.Next()) {
    --first;
  }
  for (size_t j = first; j < i && digest.last() < before; ++j) {
    const SegmentState& segment = state.segments[j];
    if (!segment.is_readable()) break;
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockWalk> walk, BlockWalk::Open(directory, segment));
    for (const BlockEntry& entry : walk->blocks()) {
      if (entry.next_sequence() <= digest.last().Next()) continue;
      if (entry.first_sequence > digest.last().Next()) break;
      absl::StatusOr<Batch> records = walk->Read(entry);
      if (!records.ok()) break;
      *records = records->Part(digest.last().Next() - entry.first_sequence);
      digest.AddUpTo(before, *records);
      if (digest.last() == before) break;
    }
  }
  if (digest.last() != before) begun.reset();
  return absl::OkStatus();
}

class Checker {
 public:
  Checker(const SegmentState& segment, const std::vector<Checkpoint>& checkpoints,
          ContentCheck& check)
      : segment_(segment), checkpoints_(checkpoints), check_(check), digest_(check.digest) {
    const auto next =
        std::ranges::lower_bound(checkpoints, segment.first_sequence(), {}, &Checkpoint::sequence);
    next_checkpoint_ = static_cast<size_t>(next - checkpoints.begin());
  }

  absl::Status Walk(const Directory& directory, const std::function<void(uint64_t)>& advance) {
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockWalk> walk, BlockWalk::Open(directory, segment_));
    for (const BlockEntry& entry : walk->blocks()) {
      const absl::StatusOr<Batch> records = walk->Read(entry);
      if (records.ok()) {
        AddToDigest(*records);
      } else if (absl::IsDataLoss(records.status()) || absl::IsUnimplemented(records.status())) {
        Undecodable(entry, records.status().message());
      } else {
        return records.status();
      }
      advance(entry.stored_bytes);
    }
    if (!digest_.has_value()) return absl::OkStatus();
    // If the segment has a hole, its index covers more than the records before the hole.
    const bool is_whole = segment_.recovery_case->verdict != Verdict::kDamaged;
    if (is_whole && segment_.digests.has_value() && segment_.digests->log != engine::Digest() &&
        digest_->last().Next() == segment_.position.next_sequence &&
        segment_.digests->log != digest_->Value()) {
      Differs("the footer", segment_.digests->log);
    }
    return absl::OkStatus();
  }

 private:
  // Adds the records up to the first gap; there is no digest after a gap.
  void AddToDigest(Batch records) {
    if (!digest_.has_value()) return;
    while (!records.empty() && records.rows.front().sequence == digest_->last().Next()) {
      SequenceNumber stop = records.rows.back().sequence;
      if (next_checkpoint_ < checkpoints_.size()) {
        stop = std::min(stop, checkpoints_[next_checkpoint_].sequence);
      }
      digest_->AddUpTo(stop, records);
      CheckCheckpoint();
    }
  }

  void CheckCheckpoint() {
    if (next_checkpoint_ == checkpoints_.size() ||
        checkpoints_[next_checkpoint_].sequence != digest_->last()) {
      return;
    }
    const Checkpoint& checkpoint = checkpoints_[next_checkpoint_++];
    if (!checkpoint.log.has_value()) return;
    ++check_.checkpoint_count;
    if (*checkpoint.log != digest_->Value()) Differs("the sidecar", *checkpoint.log);
  }

  // Reports a wrong digest under right hashes: the records are not those that were appended.
  void Differs(absl::string_view who, const engine::Digest& expected) {
    Finding finding = FindingAtEnd(segment_, Verdict::kDamaged);
    finding.message =
        absl::StrCat("the log digest at ", digest_->last().value(), " is ",
                     digest_->Value().ToString(), ", ", who, " says ", expected.ToString());
    check_.findings.push_back(std::move(finding));
  }

  void Undecodable(const BlockEntry& entry, absl::string_view message) {
    Finding finding = FindingAtEnd(segment_, Verdict::kDamaged);
    finding.byte_begin = entry.offset;
    finding.byte_end = entry.offset + entry.stored_bytes;
    finding.first_sequence = entry.first_sequence;
    finding.last_sequence = entry.next_sequence() - 1;
    finding.may_have_been_acknowledged = true;
    finding.message = absl::StrCat("a block with the right hashes cannot be decoded: ", message);
    check_.findings.push_back(std::move(finding));
  }

  const SegmentState& segment_;
  const std::vector<Checkpoint>& checkpoints_;
  ContentCheck& check_;
  std::optional<LogDigest>& digest_;
  size_t next_checkpoint_ = 0;
};

}  // namespace

absl::Status CheckContents(const Directory& directory, const JournalState& state, size_t i,
                           const std::vector<Checkpoint>& checkpoints,
                           const std::function<void(uint64_t)>& advance, ContentCheck& check) {
  RETURN_IF_ERROR(BeginDigest(directory, state, i, check.digest));
  return Checker(state.segments[i], checkpoints, check).Walk(directory, advance);
}

}  // namespace journal
