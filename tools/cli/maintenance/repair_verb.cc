// ticktape repair: repairs a journal, or salvages its readable records.

#include "journal/finding.h"
#include "journal/maintenance/repair_plan.h"
#include "journal/maintenance/salvage.h"
#include "journal/uuid.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/os/entropy.h"

namespace tools {
namespace {

void AddFindings(Report& report, const std::vector<journal::Finding>& findings) {
  report.BeginArray("findings");
  for (const journal::Finding& finding : findings) report.Element(finding.ToString());
  report.EndArray();
}

std::string HoleText(const journal::SalvageHole& hole) {
  std::string text =
      absl::StrCat(hole.first_sequence.value(), "..", hole.last_sequence.value(), ": ",
                   Counted(hole.last_sequence - hole.first_sequence + 1, "record"), "; ");
  if (hole.last_durable.value() == 0) return absl::StrCat(text, "not known to be durable");
  if (hole.last_durable == hole.last_sequence) {
    return absl::StrCat(text, "durable, so they may have been acknowledged");
  }
  return absl::StrCat(text, "durable up to ", hole.last_durable.value(),
                      ", so those may have been acknowledged");
}

constexpr char kExamples[] =
    R"(  ticktape repair a.tape                     what is wrong, and what it would do
  ticktape repair a.tape --apply             does it
  ticktape repair a.tape --salvage saved     copies every readable run

What is repaired is derived or was never acknowledged: a torn tail (kept beside its
segment), an index, one of two preambles, the checkpoints. A DAMAGED journal is never
changed. --salvage writes its first readable run to a new journal, each later one to
a journal of its own inside, and the list of what is missing to holes.txt. What begins
after @1 is for reading: no session goes on with it, so snapshots and kept.rows are
not copied. Exit code 3 says that the journal is DAMAGED.)";

class RepairVerb final : public Verb {
 public:
  RepairVerb()
      : Verb("repair", "Put a journal in order, or save what can be read of a damaged one",
             kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    const Option apply =
        options.AddFlag("--apply", apply_, "Do it; without, only say what would be done");
    options
        .Add("-o,--salvage", salvage_, "Copy what can be read to a folder that does not exist yet")
        .Type("FOLDER")
        .Excludes(apply);
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    return salvage_.empty() ? Repair(console) : Salvage(console);
  }

 private:
  absl::StatusOr<ExitCode> Repair(Console& console) const {
    ASSIGN_OR_RETURN(
        const std::unique_ptr<journal::Directory> directory,
        journal::OpenPosixDirectory(path_, apply_ ? journal::DirectoryMode::kReadWrite
                                                  : journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const journal::RepairPlan plan,
                     apply_ ? journal::Repair(*directory) : journal::PlanRepair(*directory));
    Report report("ticktape.repair/1");
    report.Line(Styled(Style::kBold, path_), ", which is ", journal::ToString(plan.verdict));
    report.Field("path", path_);
    report.Field("verdict", journal::ToString(plan.verdict));
    report.Field("applied", apply_);
    for (const journal::Finding& finding : plan.findings) {
      report.Row(finding.verdict == journal::Verdict::kClean ? "warning" : "finding", finding);
    }
    AddFindings(report, plan.findings);
    report.Objects("steps", plan.steps, [&](const journal::RepairStep& step) {
      report.Row(apply_ ? "done" : "would do", step.file_name, ": ", step.description);
      report.Field("file", step.file_name);
      report.Field("what", step.description);
    });
    if (plan.verdict == journal::Verdict::kDamaged) {
      report.Line(
          "  Promised records are missing, so nothing is changed. Restore a backup, or copy what\n"
          "  can be read with --salvage FOLDER.");
    } else if (plan.steps.empty()) {
      report.Line("  There is nothing to repair.");
    } else if (!apply_) {
      report.Line("  Nothing was changed. --apply does it.");
    }
    report.PrintTo(console);
    return plan.verdict == journal::Verdict::kDamaged ? ExitCode::kDamaged : ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Salvage(Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const journal::SalvagePlan plan, journal::PlanSalvage(*directory));
    if (plan.runs.empty()) {
      return absl::DataLossError(absl::StrCat(path_, ": no record can be read"));
    }
    const auto folder_of = [&](size_t run) {
      return run == 0 ? salvage_
                      : absl::StrCat(salvage_, "/run-", plan.runs[run].first_sequence.value());
    };
    std::vector<std::unique_ptr<journal::Directory>> saved;
    RETURN_IF_ERROR(journal::Salvage(
        *directory, plan,
        [&](const journal::SalvageRun&) -> absl::StatusOr<journal::Directory*> {
          ASSIGN_OR_RETURN(std::unique_ptr<journal::Directory> folder,
                           journal::OpenPosixDirectory(folder_of(saved.size()),
                                                       journal::DirectoryMode::kCreate));
          saved.push_back(std::move(folder));
          return saved.back().get();
        },
        [] {
          const uint64_t first = RandomWord();
          return journal::Uuid::FromWords(first, RandomWord());
        }));
    std::string holes = absl::StrCat("Records of ", path_, " that could not be read:\n");
    for (const journal::SalvageHole& hole : plan.holes) {
      absl::StrAppend(&holes, HoleText(hole), "\n");
    }
    holes += "Why:\n";
    for (const journal::Finding& finding : plan.findings) {
      absl::StrAppend(&holes, finding.ToString(), "\n");
    }
    RETURN_IF_ERROR(WriteFile(absl::StrCat(salvage_, "/holes.txt"), holes, /*replace=*/false));
    Report report("ticktape.salvage/1");
    report.Line(Styled(Style::kBold, salvage_), ", salvaged from ", path_, ": ",
                Counted(plan.record_count(), "record"));
    report.Field("path", path_);
    report.Field("records", plan.record_count());
    size_t count = 0;
    report.Objects("runs", plan.runs, [&](const journal::SalvageRun& run) {
      const std::string folder = folder_of(count++);
      report.Row("saved", run.first_sequence, "..", run.last_sequence, " in ", folder);
      report.Field("folder", folder);
      report.Field("first_sequence", run.first_sequence);
      report.Field("last_sequence", run.last_sequence);
    });
    report.Objects("holes", plan.holes, [&](const journal::SalvageHole& hole) {
      report.Row("missing", HoleText(hole));
      report.Field("first_sequence", hole.first_sequence);
      report.Field("last_sequence", hole.last_sequence);
      report.Field("last_durable_sequence", hole.last_durable);
    });
    if (plan.holes.empty()) report.Line("  Nothing is missing.");
    AddFindings(report, plan.findings);
    report.PrintTo(console);
    return plan.holes.empty() ? ExitCode::kOk : ExitCode::kDamaged;
  }

  std::string path_;
  bool apply_ = false;
  std::string salvage_;
};

}  // namespace

std::unique_ptr<Verb> MakeRepairVerb() { return std::make_unique<RepairVerb>(); }

}  // namespace tools
