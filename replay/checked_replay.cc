#include "replay/checked_replay.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "replay/log_source.h"
#include "replay/snapshot/snapshot_file.h"

namespace replay {
namespace {

using Seen = absl::FunctionRef<void(const journal::Record&, std::span<const Output>)>;
using Passed = absl::FunctionRef<void(engine::SequenceNumber)>;

// Applies a batch up to and including the record `end`.
using ApplyPart =
    absl::FunctionRef<void(Driver&, const journal::Batch& part, engine::SequenceNumber end)>;

// A replay that computes the digests of the records it applies and compares them.
class Checking {
 public:
  Checking(const StartingPoint& start, std::vector<journal::Checkpoint> recorded)
      : driver_(*start.machine),
        log_(start.log_digest()),
        check_(std::move(recorded)),
        before_(log_.last()) {
    start.Resume(driver_);
    outputs_before_ = driver_.output_count();
  }

  absl::StatusOr<CheckedReplay> Run(NextBatch next, engine::SequenceNumber last, ApplyPart apply,
                                    Passed passed) {
    while (driver_.last_applied() < last) {
      ASSIGN_OR_RETURN(const journal::Batch batch, next());
      if (batch.empty()) break;
      for (size_t done = 0; done < batch.rows.size() && driver_.last_applied() < last;) {
        done += Apply(batch, done, last, apply);
      }
      passed(driver_.last_applied());
    }
    return CheckedReplay{.last = CheckpointHere(),
                         .checkpoints = std::move(checkpoints_),
                         .record_count = driver_.last_applied() - before_,
                         .output_count = driver_.output_count() - outputs_before_,
                         .checkpoints_compared = check_.compared_count(),
                         .digests_compared = check_.digests_compared(),
                         .divergence = check_.divergence()};
  }

 private:
  // Applies the part of `batch` from index `begin` up to the next checkpoint. Returns the number of
  // records applied.
  size_t Apply(const journal::Batch& batch, size_t begin, engine::SequenceNumber last,
               ApplyPart apply) {
    const std::optional<engine::SequenceNumber> compared = check_.NextAfter(driver_.last_applied());
    const engine::SequenceNumber run_end =
        journal::CompleteRunsEnd(driver_.last_applied()) + journal::kCheckpointInterval;
    const engine::SequenceNumber end = std::min({last, run_end, compared.value_or(last)});
    const journal::Batch part = batch.Part(begin, end - driver_.last_applied());
    log_.Add(part.rows, part.attachments);
    apply(driver_, part, end);
    if (driver_.last_applied() == compared) check_.Compare(CheckpointHere());
    if (driver_.at_checkpoint() || driver_.last_applied() == last) {
      checkpoints_.push_back(CheckpointHere());
    }
    return part.rows.size();
  }

  journal::Checkpoint CheckpointHere() const {
    journal::Checkpoint checkpoint = driver_.Checkpoint();
    checkpoint.log = log_.Value();
    return checkpoint;
  }

  Driver driver_;
  journal::LogDigest log_;
  CheckpointCheck check_;
  std::vector<journal::Checkpoint> checkpoints_;
  const engine::SequenceNumber before_;
  uint64_t outputs_before_ = 0;
};

}  // namespace

absl::StatusOr<CheckedReplay> ReplayCheckedFrom(StartingPoint& start, journal::Reader& reader,
                                                std::vector<journal::Checkpoint> recorded,
                                                engine::SequenceNumber last, Seen seen) {
  RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
  const auto see = [seen](const journal::Record& record, std::span<const Output> outputs) {
    seen(record, outputs);
    return true;
  };
  return Checking(start, std::move(recorded))
      .Run([&reader] { return reader.NextBatch(); }, last,
           [&see](Driver& driver, const journal::Batch& part, engine::SequenceNumber end) {
             driver.ApplyBatch(part, end, see);
           },
           [](engine::SequenceNumber) {});
}

absl::StatusOr<CheckedReplay> ReplayCheckedBatchesInParts(StartingPoint& start, NextBatch next,
                                                          std::vector<journal::Checkpoint> recorded,
                                                          engine::SequenceNumber last,
                                                          Driver::Part part) {
  return Checking(start, std::move(recorded))
      .Run(
          next, last,
          [part](Driver& driver, const journal::Batch& batch, engine::SequenceNumber end) {
            driver.ApplyBatchInParts(batch, end, part);
          },
          [](engine::SequenceNumber) {});
}

absl::StatusOr<CheckedReplay> ReplayCheckedBatchesUnseen(StartingPoint& start, NextBatch next,
                                                         std::vector<journal::Checkpoint> recorded,
                                                         engine::SequenceNumber last,
                                                         Passed passed) {
  return Checking(start, std::move(recorded))
      .Run(
          next, last,
          [](Driver& driver, const journal::Batch& part, engine::SequenceNumber end) {
            driver.ApplyBatch(part, end);
          },
          passed);
}

absl::StatusOr<std::optional<SnapshotVerdict>> VerifySnapshot(
    const journal::Directory& snapshots, const Snapshot& snapshot, std::unique_ptr<Machine> fresh,
    journal::Reader& reader, journal::PrefixDigests& digests,
    absl::FunctionRef<std::vector<journal::Checkpoint>()> recorded) {
  const auto wrong = [](absl::string_view what) {
    return std::optional<SnapshotVerdict>({.wrong = std::string(what)});
  };
  const absl::Status restored = RestoreSnapshot(snapshots, snapshot, *fresh);
  if (absl::IsNotFound(restored)) return std::optional<SnapshotVerdict>();
  if (!restored.ok()) return wrong(restored.message());
  fresh->CheckInvariants();
  const journal::JournalInfo& info = reader.info();
  if (snapshot.sequence > info.last_readable) return wrong("after the journal's end");
  if (snapshot.sequence.Next() < info.first_sequence) return std::optional(SnapshotVerdict());
  const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
  if (absl::IsFailedPrecondition(is_of_journal)) return wrong(is_of_journal.message());
  RETURN_IF_ERROR(is_of_journal);
  const std::vector<journal::Checkpoint> checkpoints = recorded();
  CheckpointCheck here(checkpoints);
  here.Compare(CheckpointOf(snapshot.header));
  if (here.divergence().has_value()) return wrong(here.divergence()->ToString());
  const engine::SequenceNumber last =
      std::min(snapshot.sequence + journal::kCheckpointInterval, info.last_sequence);
  RETURN_IF_ERROR(reader.SeekToSequence(snapshot.sequence.Next()));
  StartingPoint start{.machine = std::move(fresh), .snapshot = snapshot.header, .warnings = {}};
  ASSIGN_OR_RETURN(const CheckedReplay replayed,
                   ReplayCheckedBatchesUnseen(
                       start, [&reader] { return reader.NextBatch(); }, checkpoints, last,
                       [](engine::SequenceNumber) {}));
  if (replayed.divergence.has_value()) return wrong(replayed.divergence->ToString());
  SnapshotVerdict verdict{.is_of_journal = true};
  for (const DigestCounts& compared : {here.digests_compared(), replayed.digests_compared}) {
    verdict.has_recorded_run |= compared.trace > 0 || compared.state > 0;
  }
  return std::optional(verdict);
}

}  // namespace replay
