// ticktape prune: deletes segments that are no longer needed.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/retention.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/verify.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/maintenance/kept_orders.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/cli/snapshot/eligible_snapshots.h"
#include "tools/os/parallel.h"

namespace tools {
namespace {

class PruneVerb final : public Verb {
 public:
  const char* name() const override { return "prune"; }
  const char* summary() const override {
    return "Delete segments older than the second-newest proven snapshot and every hold";
  }
  const char* examples() const override {
    return "  ticktape prune a.tape                      what would be deleted, and what keeps the "
           "rest\n"
           "  ticktape prune a.tape --apply              deletes it\n"
           "\n"
           "A snapshot counts once it has been restored and compared, and two of them are needed\n"
           "before anything goes. Holds ('ticktape hold') are kept in any case, and so is what a\n"
           "writer needs to go on. Every record of what stays is read first, with --apply and\n"
           "without: where one is damaged, nothing goes (3). A writer may be at work meanwhile, a\n"
           "second prune or a repair may not.\n"
           "The journal then begins later, and says so itself; the commands of orders that still\n"
           "rest are kept beside it.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<journal::PrunePlan> Plan(journal::Directory& directory,
                                          const journal::EligibleSnapshots& snapshots,
                                          Console& console) const;
  void Print(Console& console, const journal::PrunePlan& plan) const;
  void PrintJson(Console& console, const journal::PrunePlan& plan) const;

  std::string path_;
  bool apply_ = false;
};

void PruneVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.AddFlag("--apply", apply_, "Do it; without, only say what would be done");
}

absl::StatusOr<ExitCode> PruneVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, apply_ ? journal::DirectoryMode::kReadWrite
                                                             : journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const journal::EligibleSnapshots snapshots, FindEligibleSnapshots(*directory));
  ASSIGN_OR_RETURN(const journal::PrunePlan plan, Plan(*directory, snapshots, console));
  if (console.json()) {
    PrintJson(console, plan);
  } else {
    Print(console, plan);
  }
  return ExitCode::kOk;
}

// With --apply, also deletes the segments.
absl::StatusOr<journal::PrunePlan> PruneVerb::Plan(journal::Directory& directory,
                                                   const journal::EligibleSnapshots& snapshots,
                                                   Console& console) const {
  std::optional<Progress> progress;
  const journal::KeptCheck check = {.parallel =
                                        [](size_t count, const std::function<void(size_t)>& work,
                                           const std::function<void()>& tend) {
                                          RunParallel(count, ProcessorCount(), work, tend);
                                        },
                                    .progress =
                                        [&](const journal::VerifyProgress& now) {
                                          if (!progress.has_value()) {
                                            progress.emplace(console, "check what stays", "bytes",
                                                             now.bytes_total);
                                          }
                                          progress->Show(now.bytes_done);
                                        }};
  if (!apply_) return journal::PlanPrune(directory, snapshots, check);
  const auto keep_orders = [&](const journal::PrunePlan& planned) {
    progress.reset();
    return KeepOrdersThatRest(directory, snapshots, planned, console);
  };
  return journal::Prune(directory, snapshots, keep_orders, check);
}

void PruneVerb::Print(Console& console, const journal::PrunePlan& plan) const {
  for (const journal::DeletableSegment& segment : plan.deletable) {
    PrintRow(console, apply_ ? "deleted" : "would delete",
             absl::StrCat(segment.file_name, ", ", HumanBytes(segment.file_bytes), ", @",
                          segment.first_sequence.value(), "..@", segment.last_sequence.value()));
  }
  if (plan.deletable.empty()) {
    PrintRow(console, "deleted", "nothing");
  } else {
    PrintRow(console, "together", HumanBytes(plan.deletable_bytes()));
  }
  PrintRow(console, "kept",
           absl::StrCat("from @", plan.first_kept.value(), " on; needed from @",
                        plan.needed_from.value(), ": ", plan.reason));
  if (!plan.deletable.empty()) {
    PrintRow(console, "checked",
             absl::StrCat("every record of the ", plan.checked_segments,
                          plan.checked_segments == 1 ? " segment that stays: it is whole"
                                                     : " segments that stay: they are whole"));
  }
  if (!apply_ && !plan.deletable.empty())
    console.PrintLine("  Nothing was deleted. --apply does it.");
}

void PruneVerb::PrintJson(Console& console, const journal::PrunePlan& plan) const {
  JsonObject json("ticktape.prune/1");
  json.Field("path", path_);
  json.Field("applied", apply_);
  json.Field("bytes", plan.deletable_bytes());
  json.Field("first_kept_sequence", plan.first_kept.value());
  json.Field("needed_from_sequence", plan.needed_from.value());
  json.Field("reason", plan.reason);
  json.Field("checked_segments", plan.checked_segments);
  json.BeginArray("segments");
  for (const journal::DeletableSegment& segment : plan.deletable) {
    json.BeginElement();
    json.Field("file", segment.file_name);
    json.Field("bytes", segment.file_bytes);
    json.Field("first_sequence", segment.first_sequence.value());
    json.Field("last_sequence", segment.last_sequence.value());
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

}  // namespace

std::unique_ptr<Verb> MakePruneVerb() { return std::make_unique<PruneVerb>(); }

}  // namespace tools
