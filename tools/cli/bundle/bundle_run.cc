#include "tools/cli/bundle/bundle_run.h"

#include <algorithm>
#include <memory>
#include <span>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/snapshots.h"

namespace tools {

absl::StatusOr<BundleRun> RunBundle(const std::string& journal, replay::EngineKind engine,
                                    Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(journal));
  const journal::JournalInfo& info = opened.reader->info();
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, info, info.first_sequence - 1, engine, console));
  replay::Driver driver(*start.machine);
  engine::Digest log_before;
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
    log_before = start.snapshot->log;
  }
  journal::LogDigest log(driver.last_applied(), log_before);
  replay::CheckpointCheck recorded(RecordedCheckpoints(*opened.directory, info, console));
  const uint64_t events_before = driver.output_count();
  BundleRun run;
  run.first = info.first_sequence;
  const bool keeps_marks = info.record_count() <= kBundleMarksMax;
  Progress progress(console, "replay", "records", info.record_count());
  RETURN_IF_ERROR(opened.reader->SeekToSequence(info.first_sequence));
  RETURN_IF_ERROR(driver.Run(
      *opened.reader, info.last_sequence,
      [&](const journal::Record& record, std::span<const replay::Output> outputs) {
        log.Add(record);
        if (keeps_marks) {
          run.marks.push_back(static_cast<uint16_t>(engine::DigestOf(std::as_bytes(outputs)).low));
        }
        progress.Update(record.sequence() - info.first_sequence + 1);
        const bool keeps = driver.at_checkpoint() || record.sequence() == info.last_sequence;
        const bool compares = recorded.WantsAt(record.sequence());
        if (!keeps && !compares) return true;
        journal::Checkpoint here = driver.Checkpoint();
        here.log = log.Value();
        if (compares) recorded.Compare(here);
        if (keeps) run.checkpoints.push_back(here);
        return true;
      }));
  run.event_count = driver.output_count() - events_before;
  run.recorded_compared = recorded.digests_compared().trace;
  run.from_recorded = recorded.divergence();
  return run;
}

std::optional<BundleDifference> FindDifference(const std::vector<journal::Checkpoint>& expected,
                                               const std::vector<uint16_t>& expected_marks,
                                               const BundleRun& run) {
  replay::CheckpointCheck check(expected);
  for (const journal::Checkpoint& here : run.checkpoints) {
    if (check.WantsAt(here.sequence)) check.Compare(here);
  }
  BundleDifference difference;
  if (check.divergence().has_value()) {
    difference.what = check.divergence()->ToString();
  } else if (check.compared_count() != expected.size()) {
    difference.what = absl::StrCat("only ", check.compared_count(), " of ", expected.size(),
                                   " expected checkpoints were met");
  } else {
    return std::nullopt;
  }
  const auto common = std::min(expected_marks.size(), run.marks.size());
  const auto [mark, other] =
      std::mismatch(expected_marks.begin(), expected_marks.begin() + static_cast<ptrdiff_t>(common),
                    run.marks.begin());
  const auto index = static_cast<size_t>(mark - expected_marks.begin());
  if (index < common) difference.command = run.first + index;
  return difference;
}

}  // namespace tools
