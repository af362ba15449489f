// ticktape merge: merges several journals into one.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "journal/digest_sidecar.h"
#include "replay/slice/log_merge.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/digest_rows.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/slice/journal_output.h"
#include "tools/cli/slice/piece.h"
#include "tools/cli/slice/verbs.h"
#include "tools/os/output.h"

namespace tools {
namespace {

enum class Accounts { kKeep, kOffset };
enum class By { kTime };

class MergeVerb final : public Verb {
 public:
  const char* name() const override { return "merge"; }
  const char* summary() const override { return "Make one journal of several"; }
  const char* examples() const override {
    return "  ticktape merge parts/*.tape -o whole.tape\n"
           "  ticktape merge monday.tape tuesday.tape -o week.tape --map week.csv\n"
           "  ticktape merge nyse.tape arca.tape --by time --accounts offset -o both.tape\n"
           "\n"
           "Pieces of one journal ('split', 'cut --keep-sequence', prune) become that journal\n"
           "again: the same records, numbers, checkpoints and log digest. It is for reading if\n"
           "it begins after @1: no session goes on with it. Other journals become a new one, in\n"
           "which commands get new numbers and name orders by their new numbers: one journal\n"
           "after the other (as long as time does not run backwards), or by time, where at one\n"
           "time the journal that is named first comes first. A market that is defined the same\n"
           "way again is left out; a number or symbol that is defined in another way is an\n"
           "error. Accounts of one number are one account, unless --accounts offset shifts those\n"
           "of each journal after those of the ones before. Client order ids stay: the exchange\n"
           "does not read them. What is for the whole exchange (pause_exchange, advance_time,\n"
           "default fees) is so in the new journal. --map FILE has a line\n"
           "\"journal,sequence,merged\" for each command.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  bool ArePieces() const;
  absl::StatusOr<ExitCode> Rejoin(Console& console);
  absl::StatusOr<std::vector<replay::MergeSource>> Sources();
  std::string Origin() const;
  absl::StatusOr<ExitCode> Merge(Console& console);

  std::vector<std::string> paths_;
  std::string output_;
  std::string map_path_;
  std::optional<By> by_;
  bool concatenate_ = false;
  Accounts accounts_ = Accounts::kKeep;

  std::vector<OpenedJournal> journals_;
};

void MergeVerb::Declare(Options& options) {
  const std::map<std::string, By> bys = {{"time", By::kTime}};
  const std::map<std::string, Accounts> accounts = {{"keep", Accounts::kKeep},
                                                    {"offset", Accounts::kOffset}};
  options.Add("journals", paths_, "The journals' folders, two or more")
      .Required()
      .Type("JOURNAL...");
  options.Add("-o,--output", output_, "The new journal: a folder that does not exist")
      .Type("OUTPUT")
      .Required();
  const Option by =
      options.AddChoice("--by", by_, bys, "time: commands of all journals in the order of time")
          .Type("WHAT");
  options.AddFlag("--concatenate", concatenate_, "One journal after the other: the default")
      .Excludes(by);
  options.AddChoice("--accounts", accounts_, accounts, "keep (the default) or offset").Type("HOW");
  options.Add("--map", map_path_, "Write old and new sequence numbers as CSV").Type("FILE");
}

bool MergeVerb::ArePieces() const {
  return std::ranges::all_of(journals_, [&](const OpenedJournal& one) {
    return one.reader->info().uuid == journals_.front().reader->info().uuid;
  });
}

absl::StatusOr<ExitCode> MergeVerb::Rejoin(Console& console) {
  if (by_.has_value() || accounts_ != Accounts::kKeep || !map_path_.empty()) {
    return absl::InvalidArgumentError(
        "these are pieces of one journal: they are put together as they were, so --by, "
        "--accounts and --map mean nothing here");
  }
  std::ranges::sort(journals_, {},
                    [](const OpenedJournal& one) { return one.reader->info().first_sequence; });
  const SequenceRange range = {.first = journals_.front().reader->info().first_sequence,
                               .last = journals_.back().reader->info().last_sequence};
  ASSIGN_OR_RETURN(const Piece piece, WritePiece(journals_, range, output_, console));
  Report report("ticktape.merge/1");
  report.Field("pieces", journals_.size());
  report.Line(Styled(Style::kBold, output_), ", put together from ", journals_.size(),
              " pieces of one journal");
  piece.AddRows(report);
  piece.AddFields(report);
  report.PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<std::vector<replay::MergeSource>> MergeVerb::Sources() {
  std::vector<replay::MergeSource> sources;
  uint64_t offset = 0;
  for (size_t i = 0; i < journals_.size(); ++i) {
    journal::Reader& reader = *journals_[i].reader;
    sources.push_back(
        {.name = paths_[i], .reader = &reader, .account_offset = static_cast<uint32_t>(offset)});
    if (accounts_ == Accounts::kKeep) continue;
    ASSIGN_OR_RETURN(const uint32_t highest, replay::HighestAccount(reader));
    offset += highest;
    if (offset > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--accounts offset: the accounts of ", paths_[i],
                       " would be above 4294967295; expected --accounts keep"));
    }
  }
  return sources;
}

// Returns the text that the new journal's UUID is derived from.
std::string MergeVerb::Origin() const {
  std::string origin = absl::StrCat("merge ", by_.has_value() ? "by time" : "concatenated",
                                    accounts_ == Accounts::kOffset ? " offset" : "");
  for (const OpenedJournal& journal : journals_) {
    const journal::JournalInfo& info = journal.reader->info();
    absl::StrAppend(&origin, " ", info.uuid.ToString(), " ", info.last_sequence.value());
  }
  return origin;
}

absl::StatusOr<ExitCode> MergeVerb::Merge(Console& console) {
  uint64_t total = 0;
  for (const OpenedJournal& journal : journals_) total += journal.reader->info().record_count();
  ASSIGN_OR_RETURN(const std::vector<replay::MergeSource> sources, Sources());
  ASSIGN_OR_RETURN(
      const std::unique_ptr<JournalOutput> output,
      JournalOutput::Create(output_, absl::StrCat("ticktape merge ", absl::StrJoin(paths_, " ")),
                            Origin()));
  std::unique_ptr<Output> map;
  if (!map_path_.empty()) {
    ASSIGN_OR_RETURN(map, Output::Create(map_path_, /*replace=*/false));
    map->Write("journal,sequence,merged\n");
  }
  Progress progress(console, "merge", "records", total);
  const auto order =
      by_.has_value() ? replay::MergeOrder::kByTime : replay::MergeOrder::kConcatenated;
  ASSIGN_OR_RETURN(
      const uint64_t left_out,
      replay::MergeLogs(sources, order, [&](const replay::MergedCommand& next) -> absl::Status {
        RETURN_IF_ERROR(output->Append(next.command, next.attachment).status());
        if (map != nullptr) {
          map->Write(absl::StrCat(next.source + 1, ",", next.sequence_in_source.value(), ",",
                                  next.command.sequence.value(), "\n"));
        }
        progress.Update(next.command.sequence.value());
        return absl::OkStatus();
      }));
  progress.Clear();
  ASSIGN_OR_RETURN(const journal::Checkpoint last, output->Finish(map.get()));
  Report report("ticktape.merge/1");
  report.Line(Styled(Style::kBold, output_), ", merged from ", journals_.size(), " journals",
              by_.has_value() ? " by time" : ", one after the other");
  report.Field("journals", journals_.size());
  report.Field("output", output_);
  report.Fact("commands", "commands", last.sequence.value());
  report.Field("markets_left_out", left_out);
  if (left_out > 0) {
    report.Row("left out", WithCommas(left_out),
               " definitions of markets that are defined the same way already");
  }
  AddDigests(report, last);
  report.PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> MergeVerb::Run(Console& console) {
  if (paths_.size() < 2) {
    return absl::InvalidArgumentError("one journal alone; expected two or more to merge");
  }
  for (const std::string& path : paths_) {
    ASSIGN_OR_RETURN(OpenedJournal opened, OpenJournal(path));
    RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    journals_.push_back(std::move(opened));
  }
  if (ArePieces()) return Rejoin(console);
  for (size_t i = 0; i < journals_.size(); ++i) {
    RETURN_IF_ERROR(CheckBeginsWithFirst(journals_[i].reader->info()));
  }
  return Merge(console);
}

}  // namespace

std::unique_ptr<Verb> MakeMergeVerb() { return std::make_unique<MergeVerb>(); }

}  // namespace tools
