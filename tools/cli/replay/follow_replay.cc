#include "tools/cli/replay/follow_replay.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/checkpoint_check.h"
#include "tools/cli/read/follow.h"

namespace tools {

absl::StatusOr<replay::CheckedReplay> FollowReplay(
    journal::Follower& follower, Waiter& waiter, replay::StartingPoint& start,
    absl::FunctionRef<std::vector<journal::Checkpoint>()> recorded, absl::FunctionRef<bool()> idle,
    replay::Driver::Part part) {
  replay::Driver driver(*start.machine);
  start.Resume(driver);
  journal::LogDigest log = start.log_digest();
  const uint64_t outputs_before = driver.output_count();

  const auto checkpoint_here = [&] {
    journal::Checkpoint checkpoint = driver.Checkpoint();
    checkpoint.log = log.Value();
    return checkpoint;
  };
  replay::CheckedReplay result;
  std::vector<journal::Checkpoint> replayed;
  size_t compared = 0;  // The number of them at the last comparison.
  const auto compare = [&] {
    replay::CheckpointCheck check(recorded());
    for (const journal::Checkpoint& checkpoint : replayed) check.Compare(checkpoint);
    compared = replayed.size();
    result.checkpoints_compared = check.compared_count();
    result.digests_compared = check.digests_compared();
    result.divergence = check.divergence();
  };

  absl::Status status;
  RETURN_IF_ERROR(WalkFollowing(
      follower, waiter,
      [&](const journal::Record& record) {
        if (record.sequence() <= driver.last_applied()) return true;
        if (record.sequence() != driver.last_applied().Next()) {
          status = absl::FailedPreconditionError(
              absl::StrCat("the journal begins at @", record.sequence().value(),
                           "; expected @1, or a snapshot to begin from"));
          return false;
        }
        driver.ApplyInParts(record, part);
        log.Add(record);
        if (driver.at_checkpoint()) replayed.push_back(checkpoint_here());
        return true;
      },
      [&] {
        // Reading all checkpoints of the live run costs more as it grows, so this is done less
        // often then.
        if (replayed.size() > compared + compared / 64) compare();
        return !result.divergence.has_value() && idle();
      }));
  RETURN_IF_ERROR(status);
  result.last = checkpoint_here();
  result.record_count = driver.last_applied() - start.last_applied();
  result.output_count = driver.output_count() - outputs_before;
  if (!driver.at_checkpoint()) replayed.push_back(result.last);
  compare();
  return result;
}

}  // namespace tools
