// ticktape prune: delete the segments that nobody needs any more.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/retention.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/maintenance/kept_orders.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/cli/snapshot/eligible_snapshots.h"

namespace tools {
namespace {

class PruneVerb final : public Verb {
 public:
  const char* name() const override { return "prune"; }
  const char* summary() const override {
    return "Delete segments behind the second-newest proven snapshot and every hold";
  }
  const char* examples() const override {
    return "  ticktape prune a.tape                      what would be deleted, and what keeps the "
           "rest\n"
           "  ticktape prune a.tape --apply              deletes it\n"
           "\n"
           "A snapshot counts once it has been restored and compared, and two of them are needed\n"
           "before anything goes. Holds ('ticktape hold') are kept in any case, and so is what a\n"
           "writer needs to go on. A writer may be at work meanwhile. The journal then begins "
           "later,\n"
           "and says so itself; the commands of orders that still rest are kept beside it.";
  }
  void Declare(CLI::App& app) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  void Print(Console& console, const journal::PrunePlan& plan) const;
  void PrintJson(Console& console, const journal::PrunePlan& plan) const;

  std::string path_;
  bool apply_ = false;
};

void PruneVerb::Declare(CLI::App& app) {
  app.add_option("journal", path_, "The journal's folder")->required()->type_name("JOURNAL");
  app.add_flag("--apply", apply_, "Do it; without, only say what would be done");
}

absl::StatusOr<ExitCode> PruneVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, apply_ ? journal::DirectoryMode::kReadWrite
                                                             : journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const journal::EligibleSnapshots snapshots, FindEligibleSnapshots(*directory));
  journal::PrunePlan plan;
  if (apply_) {
    ASSIGN_OR_RETURN(plan,
                     journal::Prune(*directory, snapshots, [&](const journal::PrunePlan& planned) {
                       return KeepOrdersThatRest(*directory, snapshots, planned, console);
                     }));
  } else {
    ASSIGN_OR_RETURN(plan, journal::PlanPrune(*directory, snapshots));
  }
  if (console.json()) {
    PrintJson(console, plan);
  } else {
    Print(console, plan);
  }
  return ExitCode::kOk;
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
