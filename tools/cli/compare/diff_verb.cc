// ticktape diff: compares two journals, two files of events, or two engines on one journal.

#include <filesystem>
#include <fstream>
#include <limits>

#include "absl/strings/ascii.h"
#include "engine/base/integer_text.h"
#include "engine/messages/text.h"
#include "journal/digest_sidecar.h"
#include "replay/command_row.h"
#include "replay/compare/digest_bisection.h"
#include "replay/compare/later_divergences.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/log_diff.h"
#include "replay/log_source.h"
#include "replay/market_follower.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/compare/compared_engines.h"
#include "tools/cli/compare/line_diff.h"
#include "tools/cli/compare/state_diff.h"
#include "tools/cli/read/replay_report.h"

namespace tools {
namespace {

// A file of events, as `ticktape replay --emit` writes them: text or JSON lines.
//
// Two of them are compared by the sequence number of the command that caused the events, not by
// line: an extra event in one file does not make all later events differ.
class EventFile {
 public:
  static constexpr uint64_t kEnd = std::numeric_limits<uint64_t>::max();

  explicit EventFile(std::string path) : path_(std::move(path)), file_(path_) {}

  absl::Status Open() {
    if (!file_) return absl::NotFoundError(absl::StrCat(path_, " cannot be opened"));
    return ReadLine();
  }

  // The command of the next event; kEnd after the last.
  uint64_t sequence() const { return sequence_; }

  // Returns the events of the command; none if the next event is of a later one. Errors: DATA_LOSS
  // (a line that is not an event, or is out of order; with its number).
  absl::StatusOr<std::vector<std::string>> Take(uint64_t command) {
    std::vector<std::string> lines;
    while (sequence_ == command) {
      lines.push_back(std::move(line_));
      RETURN_IF_ERROR(ReadLine());
    }
    return lines;
  }

 private:
  absl::Status ReadLine() {
    do {
      ++number_;
      if (!std::getline(file_, line_)) {
        sequence_ = kEnd;
        return absl::OkStatus();
      }
    } while (line_.empty());
    const std::optional<uint64_t> sequence = SequenceOf(line_);
    if (!sequence.has_value() || *sequence < sequence_) {
      return absl::DataLossError(
          absl::StrCat(path_, ":", number_, ": ",
                       sequence.has_value() ? "events go back"
                                            : "this is not an event of `ticktape replay --emit`",
                       "; expected the events of @", sequence_, " or a later command"));
    }
    sequence_ = *sequence;
    return absl::OkStatus();
  }

  static std::optional<uint64_t> SequenceOf(absl::string_view line) {
    constexpr absl::string_view kKey = "\"sequence\":";
    if (line.front() == '{') {
      const size_t at = line.find(kKey);
      if (at == absl::string_view::npos) return std::nullopt;
      line.remove_prefix(at + kKey.size());
    }
    const auto end = std::ranges::find_if_not(
        line, [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
    uint64_t sequence = 0;
    const absl::string_view digits = line.substr(0, static_cast<size_t>(end - line.begin()));
    if (!engine::ParseInteger(digits, sequence) || sequence == kEnd) return std::nullopt;
    return sequence;
  }

  const std::string path_;
  std::ifstream file_;
  std::string line_;
  uint64_t sequence_ = 0;
  uint64_t number_ = 0;
};

std::string WhatWasCompared(const replay::LogDiff& diff) {
  std::string text;
  if (diff.digests_compared > 0) {
    absl::StrAppend(&text, Counted(diff.digests_compared, "digest"), " of 4,096 records each, ");
  }
  absl::StrAppend(&text, Counted(diff.records_read, "record"), " of each side read");
  if (diff.digests_compared > 0) absl::StrAppend(&text, " (--deep reads all)");
  return text;
}

// The record in the words of the journal's application, with the markets that it defines before.
absl::StatusOr<std::string> RecordText(journal::Reader& reader, const replay::LogEntry& entry) {
  if (!IsOfExchange(reader.info())) return VocabularyOf(reader.info())->Text(entry.record());
  replay::MarketFollower markets;
  RETURN_IF_ERROR(markets.FollowUntil(reader, entry.row.sequence));
  return engine::MessageText(markets.markets()).Format(replay::ToCommand(entry.row), entry.bytes());
}

absl::string_view NameOf(replay::LaterDivergences::Seed seed) {
  return seed == replay::LaterDivergences::Seed::kState ? "state" : "book";
}

// Adds a row for each word that differs. Of lines that have no words in common, or with `whole`,
// adds the lines.
void AddLines(Report& report, absl::string_view title, const std::string& a, const std::string& b,
              bool whole) {
  const std::vector<WordDifference> differences = DifferingWords(a, b);
  for (const WordDifference& word : differences) {
    report.Row(title, word.field, ": ", word.a, " → ", word.b);
    title = "";
  }
  if (whole || differences.empty()) {
    report.Row(title, "A  ", a);
    report.Row("", "B  ", b);
  }
}

constexpr char kExamples[] = R"(  ticktape diff a.tape b.tape
  ticktape diff a.tape --engine-a fast --engine-b reference
  ticktape diff a.tape --engine-b ./other/ticktape --all
  ticktape diff a.events b.events --all
  ticktape diff a.tape@1000000 b.tape@1000000

Journals are compared by digests first, so that what is equal costs nothing, then by
records. Engines are given the same journal; the first command after which they say
different things, or are in different states, is shown. Event files are those of
replay --emit. JOURNAL@POSITION and snapshot files (.snap) are states, compared entity
by entity. Everything is aligned by sequence number. Of the first record or event that
differs, the fields are shown that do, with A's value and B's. Exit code 1: they differ.)";

class DiffVerb final : public Verb {
 public:
  DiffVerb()
      : Verb("diff", "Where do two journals, engines, snapshots or event files part?", kExamples) {}

  void Declare(Options& options) override {
    options.Add("a", a_, "A journal's folder, JOURNAL@POSITION, a snapshot or a file of events")
        .Required()
        .Type("A");
    options.Add("b", b_, "What to compare it with; left out with --engine-b").Type("B");
    options.Add("--engine-a", engines_.engine_a, kSubjectHelp).Type("ENGINE").ShowDefault();
    options.Add("--engine-b", engines_.engine_b, "The other engine").Type("ENGINE");
    options.AddFlag("--events", events_only_,
                    "Compare what engines say, not the states they are in");
    options.AddCount("--state-every", state_every_,
                     "Commands from one comparison of states to the next; 1 misses nothing",
                     size_t{1}, size_t{4096});
    options.AddFlag("--all", all_,
                    "Of journals and event files also the whole lines; of engines also the later\n"
                    "differences: consequence or independent?; of states all entities");
    options.AddCount("--max", max_,
                     "Independent differences to look for with --all; of states, how many to show",
                     size_t{1}, size_t{1000});
    options.AddFlag("--deep", deep_, "Read every record of both journals; believe no digest");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (b_.empty() && engines_.engine_b.empty()) {
      return absl::InvalidArgumentError("what to compare with? A second journal, or --engine-b");
    }
    if (!b_.empty() && !engines_.engine_b.empty()) {
      return absl::InvalidArgumentError(
          "two engines are compared on one journal: leave out B, or --engine-b");
    }
    if (!engines_.engine_b.empty()) return Engines(console);
    if (NamesState(a_) || NamesState(b_)) {
      return DiffStates(a_, b_, all_ ? SIZE_MAX : max_, console);
    }
    const bool are_folders = std::filesystem::is_directory(a_) || std::filesystem::is_directory(b_);
    return are_folders ? Journals(console) : EventFiles(console);
  }

 private:
  absl::StatusOr<ExitCode> Journals(Console& console) const {
    ASSIGN_OR_RETURN(const OpenedJournal a, OpenJournal(a_));
    ASSIGN_OR_RETURN(const OpenedJournal b, OpenJournal(b_));
    const replay::LogWithDigests with_a = {
        .reader = a.reader.get(),
        .checkpoints = RecordedCheckpoints(*a.directory, a.reader->info(), console)};
    const replay::LogWithDigests with_b = {
        .reader = b.reader.get(),
        .checkpoints = RecordedCheckpoints(*b.directory, b.reader->info(), console)};
    const uint64_t total =
        std::min(a.reader->info().record_count(), b.reader->info().record_count());
    Progress progress(console, "diff", "records", total);
    ASSIGN_OR_RETURN(
        const replay::LogDiff diff,
        replay::DiffLogs(with_a, with_b, {.read_everything = deep_, .progress = [&](uint64_t done) {
                                            progress.Show(done);
                                          }}));
    progress.Clear();
    // The runs' digests are comparable only if both had the same records.
    replay::TraceComparison traces;
    if (diff.equal()) traces = replay::CompareTraces(with_a.checkpoints, with_b.checkpoints);
    const bool same = diff.equal() && !traces.differing.has_value();
    std::string record_a;
    std::string record_b;
    if (const auto& records = diff.records; records.has_value()) {
      ASSIGN_OR_RETURN(record_a, RecordText(*a.reader, records->a));
      ASSIGN_OR_RETURN(record_b, RecordText(*b.reader, records->b));
    }
    Report report("ticktape.diff/1");
    report.Line(EqualOrDifferent(same), "  ", a_, "  ", b_);
    report.Row("compared", WhatWasCompared(diff));
    if (!diff.left_aside.empty()) report.Row("left aside", "digests: ", diff.left_aside);
    AddFirst(report, diff, traces, record_a, record_b);
    report.Field("what", "journals");
    report.Field("a", a_);
    report.Field("b", b_);
    report.Field("equal", same);
    report.Field("digests_compared", diff.digests_compared);
    report.Field("records_read", diff.records_read);
    if (!diff.left_aside.empty()) report.Field("left_aside", diff.left_aside);
    report.Field("last_a", diff.last_a);
    report.Field("last_b", diff.last_b);
    if (diff.records.has_value()) {
      report.Field("first_record", diff.records->sequence());
      report.Field("record_a", record_a);
      report.Field("record_b", record_b);
    }
    report.Field("traces_compared", traces.common);
    if (traces.differing.has_value()) {
      report.Field("traces_equal_to", traces.differing->equal);
      report.Field("traces_differ_at", traces.differing->differs);
    }
    report.PrintTo(console);
    return same ? ExitCode::kOk : ExitCode::kDifferent;
  }

  // Adds the first difference, or what else there is to say about the runs.
  void AddFirst(Report& report, const replay::LogDiff& diff, const replay::TraceComparison& traces,
                const std::string& record_a, const std::string& record_b) const {
    if (diff.records.has_value()) {
      report.Row("first", "@", diff.records->sequence().value());
      AddLines(report, "differs", record_a, record_b, all_);
      report.Row("next", "ticktape cat ", ShellWord(a_), " ",
                 std::max<uint64_t>(diff.records->sequence().value(), 3) - 2, "..+5");
    } else if (diff.last_a != diff.last_b) {
      const bool a_is_longer = diff.last_a > diff.last_b;
      report.Row("first", a_is_longer ? "A" : "B", " goes on: A ends at @", diff.last_a.value(),
                 ", B at @", diff.last_b.value());
    } else if (!traces.comparable) {
      report.Row("events", "not comparable: one run took state digests, the other none");
    } else if (traces.differing.has_value()) {
      report.Row("events", "the same commands, but the runs that recorded them parted between @",
                 traces.differing->equal.Next().value(), " and @",
                 traces.differing->differs.value());
      report.Row("next", "ticktape bisect ", ShellWord(a_),
                 " --engine-a BUILD_OF_A --engine-b BUILD_OF_B");
    } else if (traces.common > 0) {
      report.Row("events", "the same: trace digests equal up to @", traces.last.value());
    } else {
      report.Row("events", "not compared: there are no trace digests on both sides");
    }
  }

  absl::StatusOr<ExitCode> Engines(Console& console) {
    RETURN_IF_ERROR(engines_.OpenJournalAt(a_));
    RETURN_IF_ERROR(engines_.OpenBoth());
    replay::JournalSource source(*engines_.opened.reader);
    Progress progress(console, "diff", "records", source.last().value());
    ASSIGN_OR_RETURN(const std::optional<replay::Divergence> divergence,
                     replay::FindFirstDivergence(
                         source, *engines_.a, *engines_.b,
                         {.compare_state = !events_only_,
                          .state_every = state_every_,
                          .progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
                          .states = engines_.states.get()}));
    const double seconds = progress.Seconds();
    progress.Clear();
    Report report("ticktape.diff/1");
    report.Field("what", "engines");
    report.Field("path", a_);
    report.Field("commands", source.last());
    report.Field("equal", !divergence.has_value());
    if (divergence.has_value()) {
      RETURN_IF_ERROR(AddDivergence(report, source, *divergence, console));
    } else {
      report.Line(EqualOrDifferent(true), "  ", a_);
      report.Row("engines", engines_.a->identity().name, ", ", engines_.b->identity().name);
      report.Row("compared", Counted(source.last().value(), "command"), ": events",
                 events_only_ ? "" : absl::StrCat(", states every ", WithCommas(state_every_)),
                 ", ", HumanSeconds(seconds));
    }
    report.PrintTo(console);
    return divergence.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
  }

  absl::Status AddDivergence(Report& report, replay::JournalSource& source,
                             const replay::Divergence& divergence, Console& console) const {
    ASSIGN_OR_RETURN(const DescribedDivergence found,
                     DescribedDivergence::Make(engines_, divergence));
    found.AddRows(report);
    std::optional<replay::LaterDivergences> later;
    if (all_ && divergence.what != replay::Divergence::What::kEnded) {
      Progress progress(console, "later", "records", source.last().value());
      ASSIGN_OR_RETURN(
          later, replay::ClassifyLater(
                     source, *engines_.a, *engines_.b, divergence.sequence(), *found.vocabulary,
                     {.independent_max = max_,
                      .states = engines_.states.get(),
                      .progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); }}));
      report.Row("later", WithCommas(later->consequences), " are consequences, ",
                 WithCommas(later->independent.size()), " independent of it (B was given A's ",
                 NameOf(later->seed), " after each)",
                 later->stopped.empty() ? "" : absl::StrCat("; ", later->stopped));
      for (const auto& one : later->independent) {
        report.Row("", "   @", one.sequence, "  ", one.failure_class);
      }
    }
    engines_.AddReplayed(report);
    found.AddFields(report);
    if (!later.has_value()) return absl::OkStatus();
    report.Field("consequences", later->consequences);
    report.Field("seeded_with", NameOf(later->seed));
    report.Objects("independent", later->independent, [&](const auto& one) {
      report.Field("sequence", one.sequence);
      report.Field("class", one.failure_class);
    });
    if (!later->stopped.empty()) report.Field("stopped", later->stopped);
    return absl::OkStatus();
  }

  absl::StatusOr<ExitCode> EventFiles(Console& console) const {
    EventFile file_a(a_);
    EventFile file_b(b_);
    RETURN_IF_ERROR(file_a.Open());
    RETURN_IF_ERROR(file_b.Open());
    uint64_t compared = 0;
    uint64_t differing = 0;
    // Of the first command with other events in B.
    uint64_t first = 0;
    std::vector<std::string> first_a;
    std::vector<std::string> first_b;
    while (true) {
      const uint64_t sequence = std::min(file_a.sequence(), file_b.sequence());
      if (sequence == EventFile::kEnd) break;
      ASSIGN_OR_RETURN(std::vector<std::string> lines_a, file_a.Take(sequence));
      ASSIGN_OR_RETURN(std::vector<std::string> lines_b, file_b.Take(sequence));
      ++compared;
      if (lines_a == lines_b || ++differing > 1) continue;
      first = sequence;
      first_a = std::move(lines_a);
      first_b = std::move(lines_b);
    }
    const bool same = differing == 0;
    Report report("ticktape.diff/1");
    report.Field("what", "events");
    report.Field("a", a_);
    report.Field("b", b_);
    report.Field("equal", same);
    report.Field("commands", compared);
    report.Field("differing", differing);
    if (same) {
      report.Line(EqualOrDifferent(true), "  ", a_, "  ", b_);
      report.Row("compared", "the events of ", Counted(compared, "command"));
    } else {
      report.Field("first", first);
      report.Line(EqualOrDifferent(false), " at @", first, "  ", a_, "  ", b_);
      report.Row("compared", "the events of ", Counted(compared, "command"), "; those of ",
                 WithCommas(differing), " differ");
      const size_t count = std::max(first_a.size(), first_b.size());
      first_a.resize(count, "(nothing)");
      first_b.resize(count, "(nothing)");
      for (size_t i = 0; i < count; ++i) {
        const std::string title = absl::StrCat("event ", i);
        if (first_a[i] != first_b[i]) {
          AddLines(report, title, first_a[i], first_b[i], all_);
        } else {
          report.Row(title, "=  ", first_a[i]);
        }
      }
    }
    report.PrintTo(console);
    return same ? ExitCode::kOk : ExitCode::kDifferent;
  }

  std::string a_;
  std::string b_;
  ComparedEngines engines_{.engine_a = "fast"};
  bool events_only_ = false;
  bool all_ = false;
  bool deep_ = false;
  size_t max_ = 20;
  size_t state_every_ = 4096;
};

}  // namespace

std::unique_ptr<Verb> MakeDiffVerb() { return std::make_unique<DiffVerb>(); }

}  // namespace tools
