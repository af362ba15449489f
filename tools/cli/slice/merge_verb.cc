// ticktape merge: merges several journals into one.

#include <limits>
#include <map>

#include "absl/strings/str_join.h"
#include "journal/digest_sidecar.h"
#include "replay/slice/log_merge.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/slice/new_journals.h"

namespace tools {
namespace {

enum class Accounts { kKeep, kOffset };

constexpr char kExamples[] = R"(  ticktape merge parts/*.tape -o whole.tape
  ticktape merge monday.tape tuesday.tape -o week.tape --map week.csv
  ticktape merge nyse.tape arca.tape --by time --accounts offset -o both.tape

Pieces of one journal ('split', 'cut --keep-sequence', prune) become that journal
again: the same records, numbers, checkpoints and log digest. It is for reading if
it begins after @1: no session goes on with it. Other journals become a new one, in
which commands get new numbers and name orders by their new numbers: one journal
after the other (as long as time does not run backwards), or by time, where at one
time the journal that is named first comes first. A market that is defined the same
way again is left out; a number or symbol that is defined in another way is an
error. Accounts of one number are one account, unless --accounts offset shifts those
of each journal after those of the ones before. Client order ids stay: the exchange
does not read them. What is for the whole exchange (pause_exchange, advance_time,
default fees) is so in the new journal. --map FILE has a line
"journal,sequence,merged" for each command.)";

class MergeVerb final : public Verb {
 public:
  MergeVerb() : Verb("merge", "Make one journal of several", kExamples) {}

  void Declare(Options& options) override {
    const std::map<std::string, replay::MergeOrder> orders = {
        {"time", replay::MergeOrder::kByTime}};
    const std::map<std::string, Accounts> accounts = {{"keep", Accounts::kKeep},
                                                      {"offset", Accounts::kOffset}};
    options.Add("journals", paths_, "The journals' folders, two or more")
        .Required()
        .Type("JOURNAL...");
    options.Add("-o,--output", output_, "The new journal: a folder that does not exist")
        .Type("OUTPUT")
        .Required();
    const Option by = options
                          .AddChoice("--by", order_, orders,
                                     "time: commands of all journals in the order of time")
                          .Type("WHAT");
    options.AddFlag("--concatenate", concatenate_, "One journal after the other: the default")
        .Excludes(by);
    options.AddChoice("--accounts", accounts_, accounts, "keep (the default) or offset")
        .Type("HOW");
    options.Add("--map", map_path_, "Write old and new sequence numbers as CSV").Type("FILE");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (paths_.size() < 2) {
      return absl::InvalidArgumentError("one journal alone; expected two or more to merge");
    }
    for (const std::string& path : paths_) {
      ASSIGN_OR_RETURN(OpenedJournal opened, OpenJournal(path));
      RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
      journals_.push_back(std::move(opened));
    }
    const bool are_pieces = std::ranges::all_of(journals_, [&](const OpenedJournal& one) {
      return one.reader->info().uuid == journals_.front().reader->info().uuid;
    });
    return are_pieces ? Rejoin(console) : Merge(console);
  }

 private:
  absl::StatusOr<ExitCode> Rejoin(Console& console) {
    if (by_time() || accounts_ != Accounts::kKeep || !map_path_.empty()) {
      return absl::InvalidArgumentError(
          "these are pieces of one journal: they are put together as they were, so --by, "
          "--accounts and --map mean nothing here");
    }
    std::ranges::sort(journals_, {},
                      [](const OpenedJournal& one) { return one.reader->info().first_sequence; });
    Piece piece = {.path = output_,
                   .range = {.first = journals_.front().reader->info().first_sequence,
                             .last = journals_.back().reader->info().last_sequence}};
    RETURN_IF_ERROR(WritePiece(journals_, piece, console));
    Report report("ticktape.merge/1");
    report.Field("pieces", journals_.size());
    report.Line(Styled(Style::kBold, output_), ", put together from ",
                Counted(journals_.size(), "piece"), " of one journal");
    piece.AddTo(report);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Merge(Console& console) const {
    uint64_t total = 0;
    for (const OpenedJournal& journal : journals_) {
      RETURN_IF_ERROR(CheckBeginsWithFirst(journal.reader->info()));
      total += journal.reader->info().record_count();
    }
    ASSIGN_OR_RETURN(const std::vector<replay::MergeSource> sources, Sources());
    const std::string words = absl::StrCat("ticktape merge ", absl::StrJoin(paths_, " "));
    ASSIGN_OR_RETURN(const std::unique_ptr<JournalOutput> output,
                     JournalOutput::Create(output_, words, TimeZone(), Origin(), map_path_,
                                           "journal,sequence,merged\n"));
    Progress progress(console, "merge", "records", total);
    ASSIGN_OR_RETURN(
        const uint64_t left_out,
        replay::MergeLogs(sources, order_, [&](const replay::MergedCommand& next) -> absl::Status {
          RETURN_IF_ERROR(output->Append(next.command, next.attachment).status());
          output->AddToMap(absl::StrCat(next.source + 1, ",", next.sequence_in_source.value(), ",",
                                        next.command.sequence.value(), "\n"));
          progress.Update(next.command.sequence.value());
          return absl::OkStatus();
        }));
    progress.Clear();
    ASSIGN_OR_RETURN(const journal::Checkpoint last, output->Finish());
    Report report("ticktape.merge/1");
    report.Line(Styled(Style::kBold, output_), ", merged from ",
                Counted(journals_.size(), "journal"),
                by_time() ? " by time" : ", one after the other");
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

  // The time zone that all journals come from; empty if they differ.
  std::string TimeZone() const {
    const auto zone_of = [](const OpenedJournal& one) -> const std::string& {
      return one.reader->info().metadata.time_zone;
    };
    const std::string& first = zone_of(journals_.front());
    const bool is_one = std::ranges::all_of(
        journals_, [&](const OpenedJournal& one) { return zone_of(one) == first; });
    return is_one ? first : "";
  }

  absl::StatusOr<std::vector<replay::MergeSource>> Sources() const {
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

  bool by_time() const { return order_ == replay::MergeOrder::kByTime; }

  // Returns the text that the new journal's UUID is derived from.
  std::string Origin() const {
    std::string origin = absl::StrCat("merge ", by_time() ? "by time" : "concatenated",
                                      accounts_ == Accounts::kOffset ? " offset" : "");
    for (const OpenedJournal& journal : journals_) {
      const journal::JournalInfo& info = journal.reader->info();
      absl::StrAppend(&origin, " ", info.uuid.ToString(), " ", info.last_sequence.value());
    }
    return origin;
  }

  std::vector<std::string> paths_;
  std::string output_;
  std::string map_path_;
  replay::MergeOrder order_ = replay::MergeOrder::kConcatenated;
  bool concatenate_ = false;
  Accounts accounts_ = Accounts::kKeep;

  std::vector<OpenedJournal> journals_;
};

}  // namespace

std::unique_ptr<Verb> MakeMergeVerb() { return std::make_unique<MergeVerb>(); }

}  // namespace tools
