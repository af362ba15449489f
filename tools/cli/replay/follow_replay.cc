#include "tools/cli/replay/follow_replay.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/checkpoint_check.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "replay/snapshot/snapshot_file.h"
#include "tools/cli/read/follow.h"

namespace tools {
namespace {

class FollowingReplay {
 public:
  FollowingReplay(replay::StartingPoint& start, const FollowReplayOptions& options)
      : driver_(*start.machine),
        log_(start.last_applied(),
             start.snapshot.has_value() ? start.snapshot->log : engine::Digest()),
        options_(options) {
    if (!start.snapshot.has_value()) return;
    driver_.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
    records_before_ = driver_.last_applied().value();
    outputs_before_ = driver_.output_count();
  }

  std::span<const replay::Output> Apply(const journal::Record& record) {
    const std::span<const replay::Output> outputs = driver_.Apply(record);
    log_.Add(record);
    if (driver_.at_checkpoint()) replayed_.push_back(CheckpointHere());
    return outputs;
  }

  // Compares with the live run's checkpoints so far. Reading them all costs more as the run grows,
  // so this is done less often then.
  void CompareNowAndThen() {
    if (replayed_.size() > compared_ + compared_ / 64) Compare();
  }

  void Compare() {
    replay::CheckpointCheck check(options_.recorded());
    for (const journal::Checkpoint& checkpoint : replayed_) check.Compare(checkpoint);
    compared_ = replayed_.size();
    compared_count_ = check.compared_count();
    digests_compared_ = check.digests_compared();
    divergence_ = check.divergence();
  }

  replay::CheckedReplay Finish() {
    if (!driver_.at_checkpoint()) replayed_.push_back(CheckpointHere());
    Compare();
    return {.last = CheckpointHere(),
            .record_count = driver_.last_applied().value() - records_before_,
            .output_count = driver_.output_count() - outputs_before_,
            .checkpoints_compared = compared_count_,
            .digests_compared = digests_compared_,
            .divergence = divergence_};
  }

  bool has_diverged() const { return divergence_.has_value(); }
  engine::SequenceNumber last_applied() const { return driver_.last_applied(); }

 private:
  journal::Checkpoint CheckpointHere() const {
    journal::Checkpoint checkpoint = driver_.Checkpoint();
    checkpoint.log = log_.Value();
    return checkpoint;
  }

  replay::Driver driver_;
  journal::LogDigest log_;
  const FollowReplayOptions& options_;
  uint64_t records_before_ = 0;
  uint64_t outputs_before_ = 0;
  std::vector<journal::Checkpoint> replayed_;
  size_t compared_ = 0;  // The number of them at the last comparison.
  uint64_t compared_count_ = 0;
  replay::DigestCounts digests_compared_;
  std::optional<replay::CheckpointDivergence> divergence_;
};

}  // namespace

absl::StatusOr<replay::CheckedReplay> FollowReplay(
    journal::Follower& follower, Waiter& waiter, replay::StartingPoint& start,
    const FollowReplayOptions& options,
    absl::FunctionRef<void(const journal::Record&, std::span<const replay::Output>)> seen) {
  FollowingReplay replay(start, options);
  absl::Status status;
  RETURN_IF_ERROR(WalkFollowing(
      follower, waiter,
      [&](const journal::Record& record) {
        if (record.sequence() <= replay.last_applied()) return true;
        if (record.sequence() != replay.last_applied().Next()) {
          status = absl::FailedPreconditionError(
              absl::StrCat("the journal begins at @", record.sequence().value(),
                           "; expected @1, or a snapshot to begin from"));
          return false;
        }
        seen(record, replay.Apply(record));
        return record.sequence() < options.last;
      },
      [&] {
        replay.CompareNowAndThen();
        return !replay.has_diverged() && options.idle();
      }));
  RETURN_IF_ERROR(status);
  return replay.Finish();
}

}  // namespace tools
