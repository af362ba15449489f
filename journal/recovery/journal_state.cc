#include "journal/recovery/journal_state.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/format/missing_records.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/log_digest.h"
#include "journal/recovery/recovery.h"
#include "journal/recovery/segment_scan.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr absl::string_view kMayBeCopy =
    "as in a journal that was copied while its writer was at work: then copy it again";

// Whether the file `beginning` allows the journal to begin with `segment`.
bool MayBeginWith(const std::optional<Beginning>& beginning, const SegmentState& segment) {
  if (!beginning.has_value() || segment.segment_index > beginning->segment_index) return false;
  if (!segment.is_readable()) return true;
  const Preamble& preamble = segment.preamble->preamble;
  return preamble.journal_uuid == beginning->journal_uuid &&
         (segment.segment_index < beginning->segment_index ||
          preamble.first_sequence == beginning->first_sequence);
}

// Whether the first readable records are ones that the journal may begin with.
bool BeginsWhereItMay(const JournalState& state) {
  const SegmentState& first = state.segments.front();
  if (first.is_readable()) return first.continues;
  // An unreadable first segment counts as a missing one.
  return MayBeginWith(state.beginning,
                      *std::ranges::find_if(state.segments, &SegmentState::is_readable));
}

// Keeps the content of a file beside the segments; a damaged file counts as a missing one.
template <typename T>
absl::Status Keep(absl::StatusOr<T> content, std::optional<T>& kept) {
  if (content.ok()) {
    kept = *std::move(content);
  } else if (!absl::IsNotFound(content.status()) && !absl::IsDataLoss(content.status())) {
    return content.status();
  }
  return absl::OkStatus();
}

class Inspector {
 public:
  Inspector(const Directory& directory, const InspectOptions& options)
      : directory_(directory), options_(options) {}

  // Inspects each segment by itself, then decides on them in order, because a decision also depends
  // on the neighbouring segments.
  absl::StatusOr<JournalState> Inspect() && {
    // Before the blocks, because a writer may append at the same time.
    RETURN_IF_ERROR(Keep(ReadWatermark(directory_), state_.watermark));
    RETURN_IF_ERROR(ListSegments());
    inspections_.resize(state_.segments.size());
    RETURN_IF_ERROR(AddUpBytes());
    std::vector<absl::Status> statuses(inspections_.size());
    options_.parallel(
        inspections_.size(), [&](size_t i) { statuses[i] = Look(i); },
        options_.tend ? options_.tend : [] {});
    for (size_t i = 0; i < inspections_.size(); ++i) {
      RETURN_IF_ERROR(statuses[i]);
      Judge(i);
    }
    WarnOfWatermark();
    RETURN_IF_ERROR(WarnOfMissing());
    return std::move(state_);
  }

 private:
  // Warns if `watermark` covers a block after the journal's end. It is no proof of damage, because
  // the file is never synced and may come from a copy.
  void WarnOfWatermark() {
    const SegmentState& last = state_.segments.back();
    if (!state_.watermark.has_value() || !last.has_records_of_journal() ||
        last.recovery_case->verdict == Verdict::kDamaged ||
        state_.watermark->journal_uuid != last.preamble->preamble.journal_uuid ||
        state_.watermark->durable_block < last.position.next_block) {
      return;
    }
    Report(
        state_.segments.size() - 1, Verdict::kClean, last.end_offset, last.end_offset,
        absl::StrCat("`", kWatermarkFileName, "` says that block ", state_.watermark->durable_block,
                     " and sequence ", state_.watermark->durable_sequence.value(),
                     " were durable, and the journal ends before, at sequence ",
                     last.position.next_sequence.value() - 1,
                     ": its end is missing, or it was copied while its writer was at work"));
  }

  // Warns of the records that could not be read when this journal was salvaged.
  absl::Status WarnOfMissing() {
    if (!has_missing_) return absl::OkStatus();
    std::optional<MissingRecords> missing;
    RETURN_IF_ERROR(Keep(ReadMissing(directory_), missing));
    const auto readable = std::ranges::find_if(state_.segments, &SegmentState::is_readable);
    const size_t at = state_.segments.size() - 1;
    const uint64_t end = state_.segments[at].end_offset;
    if (!missing.has_value()) {
      Report(at, Verdict::kClean, end, end,
             absl::StrCat("`", kMissingFileName,
                          "`, which lists records that could not be salvaged, ", "is damaged"));
      return absl::OkStatus();
    }
    if (readable == state_.segments.end() ||
        missing->journal_uuid != readable->preamble->preamble.journal_uuid) {
      return absl::OkStatus();
    }
    for (const MissingRange& range : missing->ranges) {
      Finding& finding =
          Report(at, Verdict::kClean, end, end,
                 "missing records: this journal was salvaged from one in which they could not be "
                 "read");
      finding.first_sequence = range.first_sequence;
      finding.last_sequence = range.last_sequence;
    }
    const uint64_t others = missing->range_count - missing->ranges.size();
    if (others > 0) {
      Report(at, Verdict::kClean, end, end,
             absl::StrCat("missing records: ", others,
                          " more ranges could not be read when this "
                          "journal was salvaged"));
    }
    return absl::OkStatus();
  }

  absl::Status AddUpBytes() const {
    if (!options_.begin) return absl::OkStatus();
    uint64_t bytes = 0;
    for (const SegmentState& segment : state_.segments) {
      if (segment.segment_index < options_.from_segment) continue;
      const absl::StatusOr<std::unique_ptr<File>> file = directory_.OpenForRead(segment.file_name);
      if (absl::IsDataLoss(file.status())) continue;  // Not a regular file.
      RETURN_IF_ERROR(file.status());
      ASSIGN_OR_RETURN(const uint64_t file_bytes, (*file)->Size());
      bytes += file_bytes;
    }
    options_.begin(bytes);
    return absl::OkStatus();
  }

  absl::Status ListSegments() {
    ASSIGN_OR_RETURN(std::vector<std::string> names, directory_.List());
    ASSIGN_OR_RETURN(const std::vector<std::string> others, directory_.ListOthers());
    names.insert(names.end(), others.begin(), others.end());
    has_missing_ = std::ranges::count(names, kMissingFileName) > 0;
    for (const std::string& name : names) {
      const std::optional<uint64_t> segment_index = ParseSegmentFileName(name);
      if (!segment_index.has_value()) continue;
      SegmentState& segment = state_.segments.emplace_back();
      segment.segment_index = *segment_index;
      segment.file_name = name;
    }
    if (state_.segments.empty()) {
      return absl::NotFoundError(
          absl::StrCat(directory_.path(), ": no journal there (no segment-NNNNNN.tape)"));
    }
    // By number, because names of more than six digits do not sort.
    std::ranges::sort(state_.segments, {}, &SegmentState::segment_index);
    if (state_.segments.front().segment_index == 0) return absl::OkStatus();
    // Without the file, the segments before the first are missing.
    return Keep(ReadBeginning(directory_), state_.beginning);
  }

  absl::Status Look(size_t i) {
    const bool is_last = i + 1 == state_.segments.size();
    SegmentState& segment = state_.segments[i];
    const bool is_asked_for = segment.segment_index >= options_.from_segment;
    const InspectDepth depth = is_asked_for ? options_.depth : InspectDepth::kTail;
    ASSIGN_OR_RETURN(inspections_[i],
                     InspectSegment(directory_, is_last, depth, state_.watermark, segment));
    if (is_asked_for && options_.advance) options_.advance(segment.file_bytes);
    return absl::OkStatus();
  }

  void Judge(size_t i) {
    SegmentState& segment = state_.segments[i];
    const SegmentInspection& inspection = inspections_[i];
    segment.recovery_case = &Decide(inspection.evidence);
    state_.verdict = std::max(state_.verdict, segment.recovery_case->verdict);
    segment.is_sealed = inspection.evidence.is_sealed || inspection.evidence.has_footer;
    if (segment.is_readable()) NoteDurable(segment.first_sequence() - 1);
    if (segment.is_readable() && segment.preamble->copy_damaged) {
      const uint64_t offset = segment.preamble->damaged_offset;
      Report(i, Verdict::kClean, offset, offset + segment.preamble->preamble.copy_bytes,
             "one of the two preambles is damaged; the other was used");
    }
    if (inspection.scan.has_value()) {
      NoteDurable(inspection.scan->durable_sequence);
      for (const uint64_t offset : inspection.scan->padding_not_zero) {
        Report(i, Verdict::kClean, offset, offset + kAlignment,
               "the padding of this block is not zero; its records are whole");
      }
    }

    ReportCase(i, inspection.scan);
    CheckNeighbours(i);
  }

  // Reports one finding for the end of the prefix, and one for each hole between islands.
  void ReportCase(size_t i, const std::optional<SegmentScan>& scan) {
    const SegmentState& segment = state_.segments[i];
    const RecoveryCase& recovery_case = *segment.recovery_case;
    if (recovery_case.reason.empty()) return;
    if (!scan.has_value()) {
      const std::string& not_a_file = inspections_[i].not_a_file;
      Finding& finding =
          Report(i, recovery_case.verdict, 0, segment.file_bytes,
                 not_a_file.empty() ? std::string(recovery_case.reason) : not_a_file);
      finding.may_have_been_acknowledged = recovery_case.verdict == Verdict::kDamaged;
      return;
    }
    const bool is_damaged = recovery_case.verdict == Verdict::kDamaged;
    const size_t findings_before = state_.findings.size();
    uint64_t begin = segment.end_offset;
    SequenceNumber expected = segment.position.next_sequence;
    for (const BlockEntry& island : segment.blocks) {
      if (island.offset < segment.end_offset) continue;
      if (island.first_sequence > expected) {
        ReportLoss(i, *scan, begin, island.offset, expected, island.first_sequence - 1,
                   island.first_timestamp);
      }
      begin = island.offset + island.stored_bytes;
      expected = island.next_sequence();
    }
    const SequenceNumber last = is_damaged
                                    ? std::max(scan->tail_last_sequence, scan->durable_sequence)
                                    : scan->tail_last_sequence;
    if (last >= expected) {
      ReportLoss(i, *scan, begin, segment.file_bytes, expected, last, std::nullopt);
    }
    if (state_.findings.size() == findings_before) {
      // No record is known to be missing; the fault may be in a block without records.
      Report(i, recovery_case.verdict, std::min(segment.end_offset, segment.file_bytes),
             std::max(segment.end_offset, segment.file_bytes), Reason(i, *scan));
    }
  }

  void ReportLoss(size_t i, const SegmentScan& scan, uint64_t begin, uint64_t end,
                  SequenceNumber first, SequenceNumber last,
                  std::optional<engine::Timestamp> before_time) {
    const Verdict verdict = state_.segments[i].recovery_case->verdict;
    Finding& finding = Report(i, verdict, begin, end, Reason(i, scan));
    finding.first_sequence = first;
    finding.last_sequence = last;
    finding.may_have_been_acknowledged = verdict == Verdict::kDamaged;
    finding.last_durable = std::min(last, scan.durable_sequence);
    finding.after_time = LastTimeBefore(i, first);
    finding.before_time = before_time;
  }

  // The time of the last record before `sequence` that is present.
  std::optional<engine::Timestamp> LastTimeBefore(size_t i, SequenceNumber sequence) const {
    const SegmentState& segment = state_.segments[i];
    const auto after =
        std::ranges::upper_bound(segment.blocks, sequence, {}, &BlockEntry::next_sequence);
    if (after != segment.blocks.begin()) return std::prev(after)->last_timestamp;
    if (segment.first_sequence() == SequenceNumber::First()) return std::nullopt;
    return segment.preamble->preamble.previous_timestamp;
  }

  std::string Reason(size_t i, const SegmentScan& scan) const {
    const RecoveryCase& recovery_case = *state_.segments[i].recovery_case;
    // With zeros written ahead, a copying program may read a place before the writer does.
    const bool may_be_copy =
        recovery_case.verdict == Verdict::kDamaged && (scan.zeros_at_end || scan.ends_in_preambles);
    return absl::StrCat(recovery_case.reason, scan.break_reason.empty() ? "" : "; ",
                        scan.break_reason,
                        scan.zeros_at_end && may_be_copy ? "; it reads as zeros" : "",
                        may_be_copy ? absl::StrCat(", ", kMayBeCopy) : "");
  }

  // Whether the segment's records continue those before it: same journal, later sequence numbers
  // and times. A segment of another journal, or one in the wrong place, may reuse numbers.
  bool HasPlaceInLog(size_t i) const {
    const SegmentState& segment = state_.segments[i];
    for (size_t j = i; segment.is_readable() && j-- > 0;) {
      const SegmentState& before = state_.segments[j];
      if (!before.has_records_of_journal()) continue;
      if (segment.preamble->preamble.journal_uuid != before.preamble->preamble.journal_uuid) {
        return false;
      }
      if (before.blocks.empty()) continue;
      const BlockEntry& end = before.blocks.back();
      const bool time_runs_back =
          !segment.blocks.empty() && segment.blocks.front().first_timestamp < end.last_timestamp;
      return segment.first_sequence() >= end.next_sequence() && !time_runs_back;
    }
    return true;
  }

  // Checks that the segment's preamble agrees with the end of the segment before it.
  void CheckNeighbours(size_t i) {
    SegmentState& segment = state_.segments[i];
    segment.is_of_journal = HasPlaceInLog(i);
    const uint64_t expected_index = i == 0 ? 0 : state_.segments[i - 1].segment_index + 1;
    const bool may_begin_here = i == 0 && MayBeginWith(state_.beginning, segment);
    if (segment.segment_index != expected_index && !may_begin_here) {
      ReportMissingSegments(i, expected_index);
      if (!segment.is_of_journal) ReportStranger(i, "");
      return;
    }
    if (!segment.is_readable()) return;
    const Preamble& preamble = segment.preamble->preamble;
    bool agrees = preamble.segment_index == segment.segment_index && segment.is_of_journal;
    bool may_be_copy = false;
    if (i == 0 && !may_begin_here) {
      const LogPosition start{.incarnation = preamble.incarnation};
      agrees &= PositionBefore(preamble) == start;
    } else if (i > 0 && state_.segments[i - 1].is_readable()) {
      const SegmentState& previous = state_.segments[i - 1];
      agrees &= preamble.journal_uuid == previous.preamble->preamble.journal_uuid;
      LogPosition before = PositionBefore(preamble);
      agrees &= before.incarnation >= previous.position.incarnation;
      before.incarnation = previous.position.incarnation;
      // A damaged neighbour is already reported, and its end is unknown.
      agrees &= !previous.is_sealed || previous.recovery_case->verdict == Verdict::kDamaged ||
                before == previous.position;
      may_be_copy = !previous.is_sealed;
    }
    if (!agrees) ReportStranger(i, may_be_copy ? absl::StrCat(", ", kMayBeCopy) : "");
  }

  void ReportStranger(size_t i, absl::string_view more) {
    SegmentState& segment = state_.segments[i];
    segment.continues = false;
    Report(i, Verdict::kDamaged, 0, segment.preamble->preamble.blocks_offset(),
           absl::StrCat("the segment does not continue the one before it", more));
  }

  void ReportMissingSegments(size_t i, uint64_t expected_index) {
    if (i == 0) state_.segments[0].continues = false;
    const SegmentState& segment = state_.segments[i];
    Finding& finding = Report(i, Verdict::kDamaged, 0, 0,
                              absl::StrCat("segments ", expected_index, " to ",
                                           segment.segment_index - 1, " are missing"));
    finding.may_have_been_acknowledged = true;
    if (!segment.is_readable()) return;
    finding.last_sequence = segment.first_sequence() - 1;
    finding.last_durable = finding.last_sequence;
    if (!segment.blocks.empty()) finding.before_time = segment.blocks.front().first_timestamp;
    if (i == 0) {
      finding.first_sequence = SequenceNumber::First();
    } else if (const SegmentState& previous = state_.segments[i - 1]; previous.is_readable()) {
      finding.first_sequence = previous.position.next_sequence;
      finding.after_time = previous.position.last_timestamp;
    }
  }

  Finding& Report(size_t i, Verdict verdict, uint64_t begin, uint64_t end, std::string message) {
    state_.verdict = std::max(state_.verdict, verdict);
    state_.findings.push_back({.verdict = verdict,
                               .segment_index = state_.segments[i].segment_index,
                               .byte_begin = begin,
                               .byte_end = end,
                               .message = std::move(message)});
    return state_.findings.back();
  }

  void NoteDurable(SequenceNumber sequence) {
    state_.durable_sequence = std::max(state_.durable_sequence, sequence);
  }

  const Directory& directory_;
  const InspectOptions& options_;
  JournalState state_;
  std::vector<SegmentInspection> inspections_;
  bool has_missing_ = false;  // The file `missing` is there.
};

SegmentInfo InfoOf(const SegmentState& segment) {
  const Preamble& preamble = segment.preamble->preamble;
  SegmentInfo info;
  info.segment_index = segment.segment_index;
  info.file_name = segment.file_name;
  info.uuid = preamble.segment_uuid;
  info.incarnation = preamble.incarnation;
  info.created = preamble.created;
  info.sealed = segment.is_sealed;
  info.index_intact = segment.has_footer;
  info.first_sequence = preamble.first_sequence;
  info.last_sequence = preamble.first_sequence - 1;
  if (!segment.blocks.empty()) {
    info.last_sequence = segment.blocks.back().next_sequence() - 1;
    info.first_time = segment.blocks.front().first_timestamp;
    info.last_time = segment.blocks.back().last_timestamp;
  }
  info.block_count = segment.blocks.size();
  info.file_bytes = segment.file_bytes;
  info.metadata = preamble.metadata;
  const bool is_first_run = CompleteRunsEnd(preamble.first_sequence - 1) == SequenceNumber();
  const engine::Digest chain = is_first_run ? engine::Digest() : preamble.log_chain;
  const bool is_known = is_first_run || chain != engine::Digest();
  if (is_known && segment.continues) info.log_chain = chain;
  return info;
}

// See JournalInfo::last_sequence.
SequenceNumber LastSequence(const JournalInfo& info, const JournalState& state) {
  if (state.verdict != Verdict::kDamaged) return info.last_readable;
  SequenceNumber last = std::max(info.last_readable.Next(), info.durable_sequence);
  for (const Finding& finding : state.findings) {
    if (finding.verdict == Verdict::kDamaged) last = std::max(last, finding.last_sequence);
  }
  return last;
}

}  // namespace

std::string JournalState::VerdictReason() const {
  for (const Finding& finding : findings) {
    if (verdict != Verdict::kClean && finding.verdict == verdict) return finding.ToString();
  }
  return "";
}

absl::StatusOr<JournalState> InspectJournal(const Directory& directory,
                                            const InspectOptions& options) {
  return Inspector(directory, options).Inspect();
}
JournalInfo InfoOf(const Directory& directory, const JournalState& state) {
  JournalInfo info;
  info.path = std::string(directory.path());
  for (const SegmentState& segment : state.segments) {
    if (!segment.has_records_of_journal()) continue;
    info.segments.push_back(InfoOf(segment));
    const Preamble& preamble = segment.preamble->preamble;
    info.uuid = preamble.journal_uuid;
    info.format_minor = preamble.format_minor;
    info.metadata = preamble.metadata;
    info.sealed = segment.is_sealed;
  }
  CHECK(!info.segments.empty());
  info.format_major = kFormatMajor;
  info.created = info.segments.front().created;
  info.first_sequence = info.segments.front().first_sequence;
  info.beginning_is_missing =
      info.first_sequence != SequenceNumber::First() && !BeginsWhereItMay(state);
  info.last_readable = info.first_sequence - 1;
  bool is_first = true;
  for (const SegmentInfo& segment : info.segments) {
    if (segment.block_count == 0) continue;
    info.last_readable = std::max(info.last_readable, segment.last_sequence);
    info.last_time = segment.last_time;
    if (std::exchange(is_first, false)) info.first_time = segment.first_time;
  }
  info.verdict = state.verdict;
  info.verdict_reason = state.VerdictReason();
  info.durable_sequence = state.durable_sequence;
  for (const Finding& finding : state.findings) {
    if (finding.verdict == Verdict::kClean) info.warnings.push_back(finding.ToString());
  }
  info.last_sequence = LastSequence(info, state);
  return info;
}

}  // namespace journal
