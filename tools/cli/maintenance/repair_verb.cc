// ticktape repair: repairs a journal, or salvages its readable records.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/repair_plan.h"
#include "journal/salvage.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/os/entropy.h"
#include "tools/os/output.h"

namespace tools {
namespace {

class RepairVerb final : public Verb {
 public:
  const char* name() const override { return "repair"; }
  const char* summary() const override {
    return "Put a journal in order, or save what can be read of a damaged one";
  }
  const char* examples() const override {
    return "  ticktape repair a.tape                     what is wrong, and what it would do\n"
           "  ticktape repair a.tape --apply             does it\n"
           "  ticktape repair a.tape --salvage saved     copies every readable run\n"
           "\n"
           "What is repaired is derived or was never acknowledged: a torn tail (kept beside its\n"
           "segment), an index, one of two preambles, the checkpoints. A DAMAGED journal is never\n"
           "changed. --salvage writes its first readable run to a new journal, each later one to\n"
           "a journal of its own inside, and the list of what is missing to holes.txt. What "
           "begins\n"
           "after @1 is for reading: no session goes on with it, so snapshots and kept.rows stay\n"
           "behind. Exit code 3 says that the journal is DAMAGED.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> RunRepair(Console& console);
  absl::StatusOr<ExitCode> RunSalvage(Console& console);
  void Print(Console& console, const journal::RepairPlan& plan) const;
  void PrintJson(Console& console, const journal::RepairPlan& plan) const;
  void Print(Console& console, const journal::SalvagePlan& plan) const;
  void PrintJson(Console& console, const journal::SalvagePlan& plan) const;
  std::string FolderOf(const journal::SalvagePlan& plan, size_t run) const;

  std::string path_;
  bool apply_ = false;
  std::string salvage_;
};

void RepairVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  const Option apply =
      options.AddFlag("--apply", apply_, "Do it; without, only say what would be done");
  options.Add("--salvage", salvage_, "Copy what can be read to a folder that does not exist yet")
      .Type("FOLDER")
      .Excludes(apply);
}

absl::StatusOr<ExitCode> RepairVerb::Run(Console& console) {
  return salvage_.empty() ? RunRepair(console) : RunSalvage(console);
}

absl::StatusOr<ExitCode> RepairVerb::RunRepair(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, apply_ ? journal::DirectoryMode::kReadWrite
                                                             : journal::DirectoryMode::kReadOnly));
  journal::RepairPlan plan;
  if (apply_) {
    ASSIGN_OR_RETURN(plan, journal::Repair(*directory));
  } else {
    ASSIGN_OR_RETURN(plan, journal::PlanRepair(*directory));
  }
  if (console.json()) {
    PrintJson(console, plan);
  } else {
    Print(console, plan);
  }
  return plan.verdict == journal::Verdict::kDamaged ? ExitCode::kDamaged : ExitCode::kOk;
}

void RepairVerb::Print(Console& console, const journal::RepairPlan& plan) const {
  console.PrintLine(console.Styled(Style::kBold, path_), ", which is ",
                    journal::ToString(plan.verdict));
  for (const journal::Finding& finding : plan.findings) {
    PrintRow(console, finding.verdict == journal::Verdict::kClean ? "warning" : "finding",
             finding.ToString());
  }
  for (const journal::RepairStep& step : plan.steps) {
    PrintRow(console, apply_ ? "done" : "would do",
             absl::StrCat(step.file_name, ": ", step.description));
  }
  if (plan.verdict == journal::Verdict::kDamaged) {
    console.PrintLine(
        "  Promised records are missing, so nothing is changed. Restore a backup, or copy what\n"
        "  can be read with --salvage FOLDER.");
  } else if (plan.steps.empty()) {
    console.PrintLine("  There is nothing to repair.");
  } else if (!apply_) {
    console.PrintLine("  Nothing was changed. --apply does it.");
  }
}

void AddFindings(JsonObject& json, const std::vector<journal::Finding>& findings) {
  json.BeginArray("findings");
  for (const journal::Finding& finding : findings) json.Element(finding.ToString());
  json.EndArray();
}

void RepairVerb::PrintJson(Console& console, const journal::RepairPlan& plan) const {
  JsonObject json("ticktape.repair/1");
  json.Field("path", path_);
  json.Field("verdict", journal::ToString(plan.verdict));
  json.Field("applied", apply_);
  AddFindings(json, plan.findings);
  json.BeginArray("steps");
  for (const journal::RepairStep& step : plan.steps) {
    json.BeginElement();
    json.Field("file", step.file_name);
    json.Field("what", step.description);
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

// ---- Salvage

std::string HoleText(const journal::SalvageHole& hole) {
  std::string text =
      absl::StrCat(hole.first_sequence.value(), "..", hole.last_sequence.value(), ": ",
                   WithCommas(hole.last_sequence - hole.first_sequence + 1), " records; ");
  if (hole.last_durable.value() == 0) return absl::StrCat(text, "not known to be durable");
  if (hole.last_durable == hole.last_sequence) {
    return absl::StrCat(text, "durable, so they may have been acknowledged");
  }
  return absl::StrCat(text, "durable up to ", hole.last_durable.value(),
                      ", so those may have been acknowledged");
}

std::string RepairVerb::FolderOf(const journal::SalvagePlan& plan, size_t run) const {
  if (run == 0) return salvage_;
  return absl::StrCat(salvage_, "/run-", plan.runs[run].first_sequence.value());
}

absl::StatusOr<ExitCode> RepairVerb::RunSalvage(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const journal::SalvagePlan plan, journal::PlanSalvage(*directory));
  if (plan.runs.empty()) {
    return absl::DataLossError(absl::StrCat(path_, ": no record can be read"));
  }
  std::vector<std::unique_ptr<journal::Directory>> saved;
  RETURN_IF_ERROR(journal::Salvage(
      *directory, plan,
      [&](const journal::SalvageRun&) -> absl::StatusOr<journal::Directory*> {
        ASSIGN_OR_RETURN(std::unique_ptr<journal::Directory> folder,
                         journal::OpenPosixDirectory(FolderOf(plan, saved.size()),
                                                     journal::DirectoryMode::kCreate));
        saved.push_back(std::move(folder));
        return saved.back().get();
      },
      [] {
        const uint64_t first = RandomWord();
        return journal::Uuid::FromWords(first, RandomWord());
      }));
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> holes,
                   Output::Create(absl::StrCat(salvage_, "/holes.txt"), /*replace=*/false));
  holes->Write(absl::StrCat("Records of ", path_, " that could not be read:\n"));
  for (const journal::SalvageHole& hole : plan.holes) {
    holes->Write(absl::StrCat(HoleText(hole), "\n"));
  }
  holes->Write("Why:\n");
  for (const journal::Finding& finding : plan.findings) {
    holes->Write(absl::StrCat(finding.ToString(), "\n"));
  }
  RETURN_IF_ERROR(holes->Finish());
  if (console.json()) {
    PrintJson(console, plan);
  } else {
    Print(console, plan);
  }
  return plan.holes.empty() ? ExitCode::kOk : ExitCode::kDamaged;
}

void RepairVerb::Print(Console& console, const journal::SalvagePlan& plan) const {
  console.PrintLine(console.Styled(Style::kBold, salvage_), ", salvaged from ", path_, ": ",
                    WithCommas(plan.record_count()), " records");
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    PrintRow(console, "saved",
             absl::StrCat(plan.runs[i].first_sequence.value(), "..",
                          plan.runs[i].last_sequence.value(), " in ", FolderOf(plan, i)));
  }
  for (const journal::SalvageHole& hole : plan.holes) PrintRow(console, "missing", HoleText(hole));
  if (plan.holes.empty()) console.PrintLine("  Nothing is missing.");
}

void RepairVerb::PrintJson(Console& console, const journal::SalvagePlan& plan) const {
  JsonObject json("ticktape.salvage/1");
  json.Field("path", path_);
  json.Field("records", plan.record_count());
  json.BeginArray("runs");
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    json.BeginElement();
    json.Field("folder", FolderOf(plan, i));
    json.Field("first_sequence", plan.runs[i].first_sequence.value());
    json.Field("last_sequence", plan.runs[i].last_sequence.value());
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("holes");
  for (const journal::SalvageHole& hole : plan.holes) {
    json.BeginElement();
    json.Field("first_sequence", hole.first_sequence.value());
    json.Field("last_sequence", hole.last_sequence.value());
    json.Field("last_durable_sequence", hole.last_durable.value());
    json.EndElement();
  }
  json.EndArray();
  AddFindings(json, plan.findings);
  console.PrintLine(json.Take());
}

}  // namespace

std::unique_ptr<Verb> MakeRepairVerb() { return std::make_unique<RepairVerb>(); }

}  // namespace tools
