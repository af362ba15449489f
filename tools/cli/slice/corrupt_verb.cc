// ticktape corrupt: makes a damaged copy of a journal, for tests.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/verdict.h"
#include "journal/verify.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/base/unfinished_folder.h"
#include "tools/cli/slice/damage.h"
#include "tools/cli/slice/verbs.h"

namespace tools {
namespace {

class CorruptVerb final : public Verb {
 public:
  const char* name() const override { return "corrupt"; }
  const char* summary() const override { return "Make a damaged copy of a journal, for tests"; }
  const char* examples() const override {
    return "  ticktape corrupt a.tape --flip 8192:3 -o bad.tape\n"
           "  ticktape corrupt a.tape --truncate 20000 --segment 0 -o torn.tape\n"
           "  ticktape corrupt a.tape --drop-segment 1 -o gap.tape\n"
           "  ticktape corrupt a.tape --seed 7 -o some.tape\n"
           "\n"
           "Only the copy is damaged. Places are bytes, or sectors of 4096, of one segment's "
           "file:\n"
           "the last, if --segment does not say which. Options may be combined and repeated; they\n"
           "are carried out in the order of this help. Prints what was done, as the options that\n"
           "do it again, and what 'verify --deep' says of the copy: CLEAN (nothing that matters\n"
           "was hit), TORN or DAMAGED.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<std::vector<Damage>> Damages(const journal::Directory& directory,
                                              const SegmentFiles& files) const;
  void Print(const std::vector<Damage>& damages, const journal::VerifyReport& report,
             Console& console) const;

  std::string path_;
  std::string output_;
  std::vector<std::string> flips_;
  std::vector<std::string> zeros_;
  std::vector<std::string> swaps_;
  std::optional<uint64_t> truncate_;
  std::vector<uint64_t> drops_;
  std::optional<uint64_t> segment_;
  std::optional<uint64_t> seed_;
};

void CorruptVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("-o,--output", output_, "The damaged copy: a folder that does not exist")
      .Type("OUTPUT")
      .Required();
  options.Add("--flip", flips_, "Flip a bit: the byte's place, and 0 to 7").Type("BYTE:BIT");
  options.Add("--zero", zeros_, "Make these bytes zero, both ends included").Type("A..B");
  options.Add("--swap-sectors", swaps_, "Exchange two sectors of 4096 bytes").Type("A:B");
  options.Add("--truncate", truncate_, "End the file after so many bytes")
      .Type("COUNT")
      .NotNegative();
  options.Add("--drop-segment", drops_, "Remove a segment's file").Type("INDEX").NotNegative();
  options.Add("--segment", segment_, "Which segment; the last if left out")
      .Type("INDEX")
      .NotNegative();
  options.Add("--seed", seed_, "Something at random, somewhere; the same for the same seed")
      .Type("NUMBER")
      .NotNegative();
}

absl::StatusOr<std::vector<Damage>> CorruptVerb::Damages(const journal::Directory& directory,
                                                         const SegmentFiles& files) const {
  std::vector<Damage> damages;
  for (const std::string& text : flips_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseFlip(text));
  }
  for (const std::string& text : zeros_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseZero(text));
  }
  for (const std::string& text : swaps_) {
    ASSIGN_OR_RETURN(damages.emplace_back(), ParseSwapSectors(text));
  }
  if (truncate_.has_value()) {
    damages.push_back({.kind = Damage::Kind::kTruncate, .segment = {}, .first = *truncate_});
  }
  for (Damage& damage : damages) damage.segment = segment_;
  for (const uint64_t index : drops_) {
    damages.push_back({.kind = Damage::Kind::kDropSegment, .segment = index});
  }
  if (seed_.has_value()) {
    ASSIGN_OR_RETURN(damages.emplace_back(), RandomDamage(directory, files, *seed_));
  }
  if (!damages.empty()) return damages;
  return absl::InvalidArgumentError(
      "what to damage? expected one of --flip, --zero, --swap-sectors, --truncate, "
      "--drop-segment, --seed");
}

void CorruptVerb::Print(const std::vector<Damage>& damages, const journal::VerifyReport& report,
                        Console& console) const {
  const std::string verdict(journal::ToString(report.verdict));
  if (console.json()) {
    JsonObject json("ticktape.corrupt/1");
    json.Field("path", path_);
    json.Field("output", output_);
    json.BeginArray("damage");
    for (const Damage& damage : damages) json.Element(damage.ToString());
    json.EndArray();
    json.Field("verdict", verdict);
    json.Field("records", report.record_count);
    json.BeginArray("findings");
    for (const journal::Finding& finding : report.findings) json.Element(finding.ToString());
    json.EndArray();
    return console.PrintLine(json.Take());
  }
  console.PrintLine(console.Styled(Style::kBold, output_), ", a damaged copy of ", path_);
  for (const Damage& damage : damages) PrintRow(console, "done", damage.ToString());
  PrintRow(console, "verify says", verdict);
  for (const journal::Finding& finding : report.findings) {
    PrintRow(console, finding.verdict == journal::Verdict::kClean ? "warning" : "finding",
             finding.ToString());
  }
}

absl::StatusOr<ExitCode> CorruptVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> from,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(const SegmentFiles files, SegmentFilesOf(*from));
  ASSIGN_OR_RETURN(const std::vector<Damage> damages, Damages(*from, files));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(output_));
  journal::Directory& to = folder->directory();
  RETURN_IF_ERROR(CopyFiles(*from, to));
  for (const Damage& damage : damages) RETURN_IF_ERROR(Apply(damage, files, to));
  const auto report = journal::Verify(to, {.deep = true});
  RETURN_IF_ERROR(folder->Finish());
  if (report.ok()) {
    Print(damages, *report, console);
    return ExitCode::kOk;
  }
  // The damage may be so large that the copy is no longer a journal; that is not an error.
  console.PrintLine(output_, ", a damaged copy of ", path_);
  PrintRow(console, "verify says", report.status().message());
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeCorruptVerb() { return std::make_unique<CorruptVerb>(); }

}  // namespace tools
