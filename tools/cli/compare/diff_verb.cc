// ticktape diff: compares two journals, two files of events, or two engines on one journal.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/messages/text.h"
#include "journal/digest_sidecar.h"
#include "replay/command_row.h"
#include "replay/compare/explanation.h"
#include "replay/compare/later_divergences.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/log_diff.h"
#include "replay/engines.h"
#include "replay/log_source.h"
#include "replay/trace_vector.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/compare/divergence_report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/compare/state_diff.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/replay_report.h"

namespace tools {
namespace {

// Two files of events, as `ticktape replay --emit` writes them: text or JSON lines.
//
// Compares events by the sequence number of the command that caused them, not by line: an extra
// event in one file does not make all later events differ.

struct EventFileDiff {
  // The events of one command.
  struct Group {
    uint64_t sequence = 0;
    std::vector<std::string> lines;
  };
  struct Difference {
    uint64_t sequence = 0;
    std::vector<std::string> a;  // Empty: this file has no events of the command.
    std::vector<std::string> b;
  };
  std::optional<Difference> first;
  uint64_t differing = 0;  // Commands.
  uint64_t compared = 0;
};

std::optional<uint64_t> SequenceOf(absl::string_view line) {
  constexpr absl::string_view kKey = "\"sequence\":";
  if (!line.empty() && line.front() == '{') {
    const size_t at = line.find(kKey);
    if (at == absl::string_view::npos) return std::nullopt;
    line.remove_prefix(at + kKey.size());
  }
  size_t digits = 0;
  while (digits < line.size() && absl::ascii_isdigit(static_cast<unsigned char>(line[digits]))) {
    ++digits;
  }
  uint64_t sequence = 0;
  if (!engine::ParseInteger(line.substr(0, digits), sequence)) return std::nullopt;
  return sequence;
}

class Groups {
 public:
  explicit Groups(std::string path) : path_(std::move(path)), file_(path_) {}

  absl::Status Open() {
    if (!file_) return absl::NotFoundError(absl::StrCat(path_, " cannot be opened"));
    return ReadLine();
  }

  // Returns nullopt at the end.
  absl::StatusOr<std::optional<EventFileDiff::Group>> Next() {
    if (!has_line_) return std::nullopt;
    EventFileDiff::Group group{.sequence = sequence_, .lines = {}};
    while (has_line_ && sequence_ == group.sequence) {
      group.lines.push_back(std::move(line_));
      RETURN_IF_ERROR(ReadLine());
    }
    return group;
  }

 private:
  absl::Status ReadLine() {
    do {
      has_line_ = static_cast<bool>(std::getline(file_, line_));
      ++number_;
    } while (has_line_ && line_.empty());
    if (!has_line_) return absl::OkStatus();
    const auto sequence = SequenceOf(line_);
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

  const std::string path_;
  std::ifstream file_;
  std::string line_;
  bool has_line_ = false;
  uint64_t sequence_ = 0;
  uint64_t number_ = 0;
};

// Errors: NOT_FOUND, DATA_LOSS (a line that is not an event, or is out of order; with its number).
absl::StatusOr<EventFileDiff> DiffEventFiles(const std::string& path_a, const std::string& path_b) {
  Groups a(path_a);
  Groups b(path_b);
  RETURN_IF_ERROR(a.Open());
  RETURN_IF_ERROR(b.Open());
  EventFileDiff diff;
  ASSIGN_OR_RETURN(auto next_a, a.Next());
  ASSIGN_OR_RETURN(auto next_b, b.Next());
  while (next_a.has_value() || next_b.has_value()) {
    const uint64_t sequence = !next_a                               ? next_b->sequence
                              : !next_b                             ? next_a->sequence
                              : next_a->sequence < next_b->sequence ? next_a->sequence
                                                                    : next_b->sequence;
    EventFileDiff::Difference here{.sequence = sequence, .a = {}, .b = {}};
    if (next_a && next_a->sequence == sequence) {
      here.a = std::move(next_a->lines);
      ASSIGN_OR_RETURN(next_a, a.Next());
    }
    if (next_b && next_b->sequence == sequence) {
      here.b = std::move(next_b->lines);
      ASSIGN_OR_RETURN(next_b, b.Next());
    }
    ++diff.compared;
    if (here.a == here.b) continue;
    ++diff.differing;
    if (!diff.first.has_value()) diff.first = std::move(here);
  }
  return diff;
}

ConsoleText EqualOrDifferent(bool same) {
  return same ? Styled(Style::kGreen, "EQUAL") : Styled(Style::kRed, "DIFFERENT");
}

class DiffVerb final : public Verb {
 public:
  const char* name() const override { return "diff"; }
  const char* summary() const override {
    return "Where do two journals, engines, snapshots or event files part?";
  }
  const char* examples() const override {
    return "  ticktape diff a.tape b.tape\n"
           "  ticktape diff a.tape --engine-a fast --engine-b reference\n"
           "  ticktape diff a.tape --engine-b ./other/ticktape --all\n"
           "  ticktape diff a.events b.events\n"
           "  ticktape diff a.tape@1000000 b.tape@1000000\n"
           "\n"
           "Journals are compared by digests first, so that what is equal costs nothing, then by\n"
           "records. Engines are given the same journal; the first command after which they say\n"
           "different things, or are in different states, is shown. Event files are those of\n"
           "replay --emit. JOURNAL@POSITION and snapshot files (.snap) are states, compared "
           "entity\n"
           "by entity. Everything is aligned by sequence number. Exit code 1: they differ.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> Journals(Console& console) const;
  absl::StatusOr<ExitCode> Engines(Console& console) const;
  absl::StatusOr<ExitCode> ReportDivergence(Console& console, const OpenedJournal& opened,
                                            EngineStates& states, replay::Subject& a,
                                            replay::Subject& b,
                                            const replay::Divergence& divergence) const;
  absl::StatusOr<ExitCode> EventFiles(Console& console) const;
  void AddFirst(Report& report, const replay::LogDiff& diff, const replay::TraceComparison& traces,
                const std::string& record_a, const std::string& record_b) const;

  std::string a_;
  std::string b_;
  std::string engine_a_ = "fast";
  std::string engine_b_;
  bool events_only_ = false;
  bool all_ = false;
  bool deep_ = false;
  size_t max_ = 20;
  size_t state_every_ = 4096;
};

void DiffVerb::Declare(Options& options) {
  options.Add("a", a_, "A journal's folder, JOURNAL@POSITION, a snapshot or a file of events")
      .Required()
      .Type("A");
  options.Add("b", b_, "What to compare it with; left out with --engine-b").Type("B");
  options.Add("--engine-a", engine_a_, kSubjectHelp).Type("ENGINE").ShowDefault();
  options.Add("--engine-b", engine_b_, "The other engine").Type("ENGINE");
  options.AddFlag("--events", events_only_, "Compare what engines say, not the states they are in");
  options.AddCount("--state-every", state_every_,
                   "Commands from one comparison of states to the next; 1 misses nothing",
                   size_t{1}, size_t{4096});
  options.AddFlag("--all", all_, "Also the later differences: consequence or independent?");
  options.AddCount("--max", max_,
                   "Independent differences to look for with --all; of states, how many to show",
                   size_t{1}, size_t{1000});
  options.AddFlag("--deep", deep_, "Read every record of both journals; believe no digest");
}

absl::StatusOr<ExitCode> DiffVerb::Run(Console& console) {
  if (b_.empty() && engine_b_.empty()) {
    return absl::InvalidArgumentError("what to compare with? A second journal, or --engine-b");
  }
  if (!b_.empty() && !engine_b_.empty()) {
    return absl::InvalidArgumentError(
        "two engines are compared on one journal: leave out B, or --engine-b");
  }
  if (!engine_b_.empty()) return Engines(console);
  if (NamesState(a_) || NamesState(b_)) return DiffStates(a_, b_, max_, console);
  const bool are_folders = std::filesystem::is_directory(a_) || std::filesystem::is_directory(b_);
  return are_folders ? Journals(console) : EventFiles(console);
}

// ---- Journals

std::string WhatWasCompared(const replay::LogDiff& diff) {
  std::string text;
  if (diff.digests_compared > 0) {
    absl::StrAppend(&text, WithCommas(diff.digests_compared), " digests of 4,096 records each, ");
  }
  absl::StrAppend(&text, WithCommas(diff.records_read), " records of each side read");
  if (diff.digests_compared > 0) absl::StrAppend(&text, " (--deep reads all)");
  return text;
}

// The record in the words of the journal's application, with the markets that it defines before.
absl::StatusOr<std::string> RecordText(journal::Reader& reader, const journal::Row& row,
                                       engine::Bytes attachment) {
  if (!IsOfExchange(reader.info())) {
    return VocabularyOf(reader.info())
        ->Text(journal::Record{.row = &row, .attachment = attachment});
  }
  MarketFollower markets;
  RETURN_IF_ERROR(markets.FollowUntil(reader, row.sequence));
  return engine::MessageText(markets.markets()).Format(replay::ToCommand(row), attachment);
}

absl::StatusOr<ExitCode> DiffVerb::Journals(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal a, OpenJournal(a_));
  ASSIGN_OR_RETURN(const OpenedJournal b, OpenJournal(b_));
  const replay::LogWithDigests with_a = {
      .reader = a.reader.get(),
      .checkpoints = RecordedCheckpoints(*a.directory, a.reader->info(), console)};
  const replay::LogWithDigests with_b = {
      .reader = b.reader.get(),
      .checkpoints = RecordedCheckpoints(*b.directory, b.reader->info(), console)};
  const uint64_t total = std::min(a.reader->info().record_count(), b.reader->info().record_count());
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
    ASSIGN_OR_RETURN(record_a, RecordText(*a.reader, records->a, records->attachment_a));
    ASSIGN_OR_RETURN(record_b, RecordText(*b.reader, records->b, records->attachment_b));
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
  if (diff.records.has_value()) report.Field("first_record", diff.records->sequence);
  report.Field("traces_compared", traces.common);
  if (traces.differing.has_value()) {
    report.Field("traces_equal_to", traces.differing->equal);
    report.Field("traces_differ_at", traces.differing->differs);
  }
  report.PrintTo(console);
  return same ? ExitCode::kOk : ExitCode::kDifferent;
}

// Adds the first difference, or what else there is to say about the runs.
void DiffVerb::AddFirst(Report& report, const replay::LogDiff& diff,
                        const replay::TraceComparison& traces, const std::string& record_a,
                        const std::string& record_b) const {
  if (diff.records.has_value()) {
    report.Row("first", "@", diff.records->sequence.value());
    report.Row("A", record_a);
    report.Row("B", record_b);
    report.Row("next", "ticktape cat ", ShellWord(a_), " ",
               std::max<uint64_t>(diff.records->sequence.value(), 3) - 2, "..+5");
  } else if (diff.last_a != diff.last_b) {
    const bool a_is_longer = diff.last_a > diff.last_b;
    report.Row("first", a_is_longer ? "A" : "B", " goes on: A ends at @", diff.last_a.value(),
               ", B at @", diff.last_b.value());
  } else if (!traces.comparable) {
    report.Row("events", "not comparable: one run took state digests, the other none");
  } else if (traces.differing.has_value()) {
    report.Row("events", "the same commands, but the runs that recorded them parted between @",
               traces.differing->equal.Next().value(), " and @", traces.differing->differs.value());
    report.Row("next", "ticktape bisect ", ShellWord(a_),
               " --engine-a BUILD_OF_A --engine-b BUILD_OF_B");
  } else if (traces.common > 0) {
    report.Row("events", "the same: trace digests equal up to @", traces.last.value());
  } else {
    report.Row("events", "not compared: there are no trace digests on both sides");
  }
}

// ---- Engines

absl::string_view NameOf(replay::LaterDivergences::Seed seed) {
  return seed == replay::LaterDivergences::Seed::kState ? "state" : "book";
}

absl::StatusOr<ExitCode> DiffVerb::Engines(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(a_));
  RETURN_IF_ERROR(CheckBeginsWithFirst(opened.reader->info()));
  ASSIGN_OR_RETURN(const replay::Application* const application,
                   ApplicationOf(opened.reader->info()));
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Subject> a,
                   OpenSubject(engine_a_, Isolation::kNone, *application));
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Subject> b,
                   OpenSubject(engine_b_, Isolation::kNone, *application));
  const std::unique_ptr<EngineStates> states = EngineStates::Open(opened);
  replay::JournalSource source(*opened.reader);
  Progress progress(console, "diff", "records", opened.reader->info().record_count());
  ASSIGN_OR_RETURN(const std::optional<replay::Divergence> divergence,
                   replay::FindFirstDivergence(
                       source, *a, *b, source.last(),
                       {.compare_state = !events_only_,
                        .state_every = state_every_,
                        .progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
                        .states = &states->states()}));
  const double seconds = progress.Seconds();
  progress.Clear();
  if (divergence.has_value())
    return ReportDivergence(console, opened, *states, *a, *b, *divergence);
  Report report("ticktape.diff/1");
  report.Field("what", "engines");
  report.Field("path", a_);
  report.Field("commands", source.last());
  report.Field("equal", true);
  report.Line(EqualOrDifferent(true), "  ", a_);
  report.Row("engines", a->identity().name, ", ", b->identity().name);
  report.Row("compared", WithCommas(source.last().value()), " commands: events",
             events_only_ ? "" : absl::StrCat(", states every ", WithCommas(state_every_)), ", ",
             HumanSeconds(seconds));
  report.PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> DiffVerb::ReportDivergence(Console& console, const OpenedJournal& opened,
                                                    EngineStates& states, replay::Subject& a,
                                                    replay::Subject& b,
                                                    const replay::Divergence& divergence) const {
  replay::JournalSource source(*opened.reader);
  ASSIGN_OR_RETURN(
      const DescribedDivergence found,
      DescribedDivergence::Make(opened, states, engine_a_, a, engine_b_, b, divergence));
  std::optional<replay::LaterDivergences> later;
  if (all_ && divergence.what != replay::Divergence::What::kEnded) {
    Progress progress(console, "later", "records", source.last().value());
    ASSIGN_OR_RETURN(
        later, replay::ClassifyLater(
                   source, a, b, divergence.sequence(), *found.vocabulary,
                   {.independent_max = max_,
                    .states = &states.states(),
                    .progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); }}));
  }
  Report report("ticktape.diff/1");
  report.Field("what", "engines");
  report.Field("path", a_);
  report.Field("commands", source.last());
  report.Field("equal", false);
  found.AddRows(report);
  if (later.has_value()) {
    report.Row("later", WithCommas(later->consequences), " are consequences, ",
               WithCommas(later->independent.size()), " independent of it (B was given A's ",
               NameOf(later->seed), " after each)",
               later->stopped.empty() ? "" : absl::StrCat("; ", later->stopped));
    for (const auto& one : later->independent) {
      report.Row("", "   @", one.sequence, "  ", one.failure_class);
    }
  }
  states.AddTo(report);
  found.AddFields(report);
  if (later.has_value()) {
    report.Field("consequences", later->consequences);
    report.Field("seeded_with", NameOf(later->seed));
    report.Objects("independent", later->independent, [&](const auto& one) {
      report.Field("sequence", one.sequence);
      report.Field("class", one.failure_class);
    });
    if (!later->stopped.empty()) report.Field("stopped", later->stopped);
  }
  report.PrintTo(console);
  return ExitCode::kDifferent;
}

// ---- Event files

absl::StatusOr<ExitCode> DiffVerb::EventFiles(Console& console) const {
  ASSIGN_OR_RETURN(const EventFileDiff diff, DiffEventFiles(a_, b_));
  Report report("ticktape.diff/1");
  report.Field("what", "events");
  report.Field("a", a_);
  report.Field("b", b_);
  report.Field("equal", !diff.first.has_value());
  report.Field("commands", diff.compared);
  report.Field("differing", diff.differing);
  if (!diff.first.has_value()) {
    report.Line(EqualOrDifferent(true), "  ", a_, "  ", b_);
    report.Row("compared", "the events of ", WithCommas(diff.compared), " commands");
  } else {
    const auto& [sequence, a, b] = *diff.first;
    report.Field("first", sequence);
    report.Line(EqualOrDifferent(false), " at @", sequence, "  ", a_, "  ", b_);
    report.Row("compared", "the events of ", WithCommas(diff.compared), " commands; those of ",
               WithCommas(diff.differing), " differ");
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const std::string nothing = "(nothing)";
      const std::string& line_a = i < a.size() ? a[i] : nothing;
      const std::string& line_b = i < b.size() ? b[i] : nothing;
      report.Row(absl::StrCat("event ", i), line_a == line_b ? "=  " : "A  ", line_a);
      if (line_a != line_b) report.Row("", "B  ", line_b);
    }
  }
  report.PrintTo(console);
  return diff.first.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeDiffVerb() { return std::make_unique<DiffVerb>(); }

}  // namespace tools
