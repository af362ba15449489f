// ticktape prune: deletes segments that are no longer needed.

#include "journal/kept_rows.h"
#include "journal/maintenance/retention.h"
#include "journal/verify.h"
#include "replay/commands_of_orders.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

// Keeps the commands of resting orders when the segments that contain them are deleted.
//
// A snapshot contains orders without their client order ids. Those are in the commands that created
// the orders, and a session that resumes the journal needs them.

using engine::SequenceNumber;

absl::StatusOr<std::unique_ptr<replay::Machine>> OldestState(const journal::Directory& directory,
                                                             const journal::JournalInfo& info,
                                                             journal::EligibleSnapshots snapshots,
                                                             SequenceNumber first_kept,
                                                             Console& console) {
  std::sort(snapshots.begin(), snapshots.end());
  for (const SequenceNumber snapshot : snapshots) {
    if (snapshot.Next() < first_kept) continue;
    absl::StatusOr<replay::StartingPoint> start =
        StartFromSnapshot(directory, info, snapshot, replay::EngineKind::kFast, console);
    if (start.ok() && start->last_applied() == snapshot) return std::move(start->machine);
  }
  return absl::FailedPreconditionError(absl::StrCat(
      info.path, ": nothing is deleted: no snapshot at or after @", first_kept.value() - 1,
      " can be restored, and the orders that rest there must be known"));
}

// Writes next to the segments (journal/kept_rows.h) the commands before plan.first_kept of every
// order that rests in the oldest state from which the journal can be replayed after pruning. An
// order that rests later either rests in that state too or was created later. On error nothing may
// be deleted. Errors: FAILED_PRECONDITION (no remaining snapshot can be restored), the journal's,
// the storage's.
absl::Status KeepRestingOrders(journal::Directory& directory,
                               const journal::EligibleSnapshots& snapshots,
                               const journal::PrunePlan& plan, Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  const journal::JournalInfo& info = reader->info();
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> machine,
                   OldestState(directory, info, snapshots, plan.first_kept, console));
  // A damaged file is useless, but no reason to keep every segment.
  absl::StatusOr<std::vector<journal::Row>> read = journal::ReadKeptRows(directory, info.uuid);
  if (absl::IsDataLoss(read.status())) {
    console.Note("warning: ", read.status().message());
    read.emplace();
  }
  ASSIGN_OR_RETURN(std::vector<journal::Row> kept_before, std::move(read));
  replay::CommandsOfOrders commands(*reader, std::move(kept_before));
  std::vector<journal::Row> kept;
  for (const SequenceNumber command : replay::CommandsOfRestingOrders(*machine)) {
    if (command >= plan.first_kept) break;
    ASSIGN_OR_RETURN(const journal::Row* const row, commands.Find(command));
    if (row != nullptr) kept.push_back(*row);
  }
  return journal::WriteKeptRows(directory, info.uuid, kept);
}

constexpr char kExamples[] =
    R"(  ticktape prune a.tape                      what would be deleted, and what keeps the rest
  ticktape prune a.tape --apply              deletes it

A snapshot counts once it has been restored and compared, and two of them are needed
before anything goes. Holds ('ticktape hold') are kept in any case, and so is what a
writer needs to go on. Every record of what stays is read first, with --apply and
without: where one is damaged, nothing goes (3). A writer may be at work meanwhile, a
second prune or a repair may not.
The journal then begins later, and says so itself; the commands of orders that still
rest are kept beside it.)";

class PruneVerb final : public Verb {
 public:
  PruneVerb()
      : Verb("prune", "Delete segments older than the second-newest proven snapshot and every hold",
             kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.AddFlag("--apply", apply_, "Do it; without, only say what would be done");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(
        const std::unique_ptr<journal::Directory> directory,
        journal::OpenPosixDirectory(path_, apply_ ? journal::DirectoryMode::kReadWrite
                                                  : journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const journal::EligibleSnapshots snapshots, FindEligibleSnapshots(*directory));
    ASSIGN_OR_RETURN(const journal::PrunePlan plan, Plan(*directory, snapshots, console));
    Report report("ticktape.prune/1");
    report.Field("path", path_);
    report.Field("applied", apply_);
    report.Field("bytes", plan.deletable_bytes());
    report.Field("first_kept_sequence", plan.first_kept);
    report.Field("needed_from_sequence", plan.needed_from);
    report.Field("reason", plan.reason);
    report.Field("checked_segments", plan.checked_segments);
    report.Objects("segments", plan.deletable, [&](const journal::DeletableSegment& segment) {
      report.Row(apply_ ? "deleted" : "would delete", segment.file_name, ", ",
                 HumanBytes(segment.file_bytes), ", @", segment.first_sequence, "..@",
                 segment.last_sequence);
      report.Field("file", segment.file_name);
      report.Field("bytes", segment.file_bytes);
      report.Field("first_sequence", segment.first_sequence);
      report.Field("last_sequence", segment.last_sequence);
    });
    const bool deletes = !plan.deletable.empty();
    if (deletes) {
      report.Row("together", HumanBytes(plan.deletable_bytes()));
    } else {
      report.Row("deleted", "nothing");
    }
    report.Row("kept", "from @", plan.first_kept, " on; needed from @", plan.needed_from, ": ",
               plan.reason);
    if (deletes) {
      report.Row(
          "checked", "every record of the ", Counted(plan.checked_segments, "segment"),
          plan.checked_segments == 1 ? " that stays: it is whole" : " that stay: they are whole");
    }
    if (!apply_ && deletes) report.Line("  Nothing was deleted. --apply does it.");
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  // With --apply, also deletes the segments.
  absl::StatusOr<journal::PrunePlan> Plan(journal::Directory& directory,
                                          const journal::EligibleSnapshots& snapshots,
                                          Console& console) const {
    Progress progress(console, "check what stays", "bytes", 0);
    const journal::KeptCheck check = {
        .parallel = [](size_t count, const auto& work,
                       const auto& tend) { RunParallel(count, ProcessorCount(), work, tend); },
        .progress = [&](uint64_t done, uint64_t total) { progress.Show(done, total); }};
    if (!apply_) return journal::PlanPrune(directory, snapshots, check);
    const auto keep_orders = [&](const journal::PrunePlan& planned) {
      progress.Clear();
      return KeepRestingOrders(directory, snapshots, planned, console);
    };
    return journal::Prune(directory, snapshots, keep_orders, check);
  }

  std::string path_;
  bool apply_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakePruneVerb() { return std::make_unique<PruneVerb>(); }

}  // namespace tools
