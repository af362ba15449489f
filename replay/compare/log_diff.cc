#include "replay/compare/log_diff.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"

namespace replay {
namespace {

using engine::SequenceNumber;

bool IsComplete(const journal::Checkpoint& checkpoint) {
  return checkpoint.log.has_value() &&
         checkpoint.sequence.value() % journal::kCheckpointInterval == 0;
}

// The log digests at the multiples of 4096 that both have.
struct Common {
  SequenceNumber sequence;
  engine::Digest a;
  engine::Digest b;
};

std::vector<Common> FindCommon(const LogWithDigests& a, const LogWithDigests& b) {
  std::vector<Common> common;
  const SequenceNumber last =
      std::min(a.reader->info().last_sequence, b.reader->info().last_sequence);
  auto other = b.checkpoints.begin();
  for (const journal::Checkpoint& checkpoint : a.checkpoints) {
    if (!IsComplete(checkpoint) || checkpoint.sequence > last) continue;
    while (other != b.checkpoints.end() && other->sequence < checkpoint.sequence) ++other;
    if (other == b.checkpoints.end()) break;
    if (other->sequence != checkpoint.sequence || !IsComplete(*other)) continue;
    common.push_back({checkpoint.sequence, *checkpoint.log, *other->log});
  }
  return common;
}

class Differ {
 public:
  Differ(const LogWithDigests& a, const LogWithDigests& b, const LogDiffOptions& options)
      : a_(*a.reader), b_(*b.reader), options_(options) {
    diff_.last_a = a_.info().last_sequence;
    diff_.last_b = b_.info().last_sequence;
    if (!options.read_everything) common_ = FindCommon(a, b);
  }

  absl::StatusOr<LogDiff> Run() {
    diff_.digests_compared = common_.size();
    const auto first_differing = std::ranges::partition_point(
        common_, [](const Common& common) { return common.a == common.b; });
    const size_t equal_count = static_cast<size_t>(first_differing - common_.begin());
    SequenceNumber equal = equal_count == 0 ? SequenceNumber() : common_[equal_count - 1].sequence;
    if (equal_count > 0) {
      ASSIGN_OR_RETURN(const bool sound, DigestsAreOfTheseRecords(equal_count - 1));
      if (!sound) equal = SequenceNumber();
    }
    const bool differs_after = equal != SequenceNumber() && equal_count < common_.size();
    RETURN_IF_ERROR(CompareRecords(
        equal, differs_after ? common_[equal_count].sequence : SequenceNumber(~uint64_t{0})));
    if (differs_after && !diff_.records.has_value()) {
      Distrust(absl::StrCat("digests differ at ", common_[equal_count].sequence.value(),
                            ", but the records before it are the same"));
      RETURN_IF_ERROR(CompareRecords(SequenceNumber(), SequenceNumber(~uint64_t{0})));
    }
    return std::move(diff_);
  }

 private:
  void Distrust(std::string why) {
    diff_.left_aside = std::move(why);
    diff_.digests_compared = 0;
  }

  // Recomputes the last digest that is relied on, from the run it ends and the digest before it.
  absl::StatusOr<bool> DigestsAreOfTheseRecords(size_t index) {
    const SequenceNumber begin = common_[index].sequence - journal::kCheckpointInterval;
    engine::Digest before;
    if (begin != SequenceNumber()) {
      if (index == 0 || common_[index - 1].sequence != begin) {
        Distrust(absl::StrCat("there is no digest at ", begin.value(), " to check the next by"));
        return false;
      }
      before = common_[index - 1].a;
    }
    for (journal::Reader* reader : {&a_, &b_}) {
      JournalSource source(*reader);
      RETURN_IF_ERROR(source.Seek(begin.Next()));
      ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
      journal::LogDigest digest(begin, before);
      digest.Add(run.rows, run.attachments);
      if (digest.Value() == common_[index].a) continue;
      Distrust(absl::StrCat("the digest at ", common_[index].sequence.value(),
                            " is not that of the records of ", reader->info().path));
      return false;
    }
    return true;
  }

  absl::Status CompareRecords(SequenceNumber after, SequenceNumber last) {
    last = std::min({last, diff_.last_a, diff_.last_b});
    if (last <= after) return absl::OkStatus();
    JournalSource a(a_);
    JournalSource b(b_);
    RETURN_IF_ERROR(a.Seek(after.Next()));
    RETURN_IF_ERROR(b.Seek(after.Next()));
    while (after < last) {
      ASSIGN_OR_RETURN(const journal::Batch run_a, a.NextRun());
      ASSIGN_OR_RETURN(const journal::Batch run_b, b.NextRun());
      const size_t count = std::min({run_a.rows.size(), run_b.rows.size(), size_t{last - after}});
      if (count == 0) break;
      const journal::Batch part_a = run_a.Part(0, count);
      const journal::Batch part_b = run_b.Part(0, count);
      diff_.records_read += count;
      if (!Same(part_a, part_b)) {
        FindRecord(part_a, part_b);
        return absl::OkStatus();
      }
      after = after + count;
      if (options_.progress) options_.progress(diff_.records_read);
    }
    return absl::OkStatus();
  }

  static bool Same(const journal::Batch& a, const journal::Batch& b) {
    const auto same = [](const journal::AttachmentView& x, const journal::AttachmentView& y) {
      return x.sequence == y.sequence && std::ranges::equal(x.bytes, y.bytes);
    };
    return std::ranges::equal(a.rows, b.rows) &&
           std::ranges::equal(a.attachments, b.attachments, same);
  }

  void FindRecord(const journal::Batch& a, const journal::Batch& b) {
    for (size_t i = 0; i < a.rows.size(); ++i) {
      const journal::Batch one_a = a.Part(i, 1);
      const journal::Batch one_b = b.Part(i, 1);
      if (Same(one_a, one_b)) continue;
      diff_.records = {.a = FirstOf(one_a), .b = FirstOf(one_b)};
      return;
    }
  }

  journal::Reader& a_;
  journal::Reader& b_;
  const LogDiffOptions options_;
  std::vector<Common> common_;
  LogDiff diff_;
};

}  // namespace

absl::StatusOr<LogDiff> DiffLogs(const LogWithDigests& a, const LogWithDigests& b,
                                 const LogDiffOptions& options) {
  return Differ(a, b, options).Run();
}

}  // namespace replay
