// ticktape diff: compares two journals, two files of events, or two engines on one journal.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/text.h"
#include "journal/digest_sidecar.h"
#include "replay/compare/explanation.h"
#include "replay/compare/later_differences.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/log_diff.h"
#include "replay/log_source.h"
#include "replay/trace_vector.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/compare/difference_report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/compare/event_file_diff.h"
#include "tools/cli/compare/state_diff.h"
#include "tools/cli/compare/subject_option.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/replay/replay_report.h"

namespace tools {
namespace {

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
  absl::StatusOr<ExitCode> ReportParting(Console& console, const OpenedJournal& opened,
                                         EngineStates& states, replay::Subject& a,
                                         replay::Subject& b,
                                         const replay::Difference& difference) const;
  absl::StatusOr<ExitCode> EventFiles(Console& console) const;
  void PrintJournals(Console& console, const replay::LogDiff& diff,
                     const replay::TraceComparison& traces,
                     const engine::MarketDirectory& markets) const;
  void PrintJournalsJson(Console& console, const replay::LogDiff& diff,
                         const replay::TraceComparison& traces) const;
  void PrintLater(Console& console, const replay::LaterDifferences& later) const;

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
  options
      .Add("--state-every", state_every_,
           "Commands from one comparison of states to the next; 1 misses nothing")
      .Type("COUNT")
      .ShowDefault()
      .InRange(size_t{1}, size_t{4096});
  options.AddFlag("--all", all_, "Also the later differences: consequence or independent?");
  options
      .Add("--max", max_,
           "Independent differences to look for with --all; of states, how many to show")
      .Type("COUNT")
      .ShowDefault()
      .InRange(size_t{1}, size_t{1000});
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
  if (console.json()) {
    PrintJournalsJson(console, diff, traces);
  } else {
    MarketFollower markets;
    if (diff.records.has_value()) {
      RETURN_IF_ERROR(markets.FollowUntil(*a.reader, diff.records->sequence));
    }
    PrintJournals(console, diff, traces, markets.markets());
  }
  const bool same = diff.equal() && !traces.differing.has_value();
  return same ? ExitCode::kOk : ExitCode::kDifferent;
}

std::string WhatWasCompared(const replay::LogDiff& diff) {
  std::string text;
  if (diff.digests_compared > 0) {
    absl::StrAppend(&text, WithCommas(diff.digests_compared), " digests of 4,096 records each, ");
  }
  absl::StrAppend(&text, WithCommas(diff.records_read), " records of each side read");
  if (diff.digests_compared > 0) absl::StrAppend(&text, " (--deep reads all)");
  return text;
}

void DiffVerb::PrintJournals(Console& console, const replay::LogDiff& diff,
                             const replay::TraceComparison& traces,
                             const engine::MarketDirectory& markets) const {
  const bool same = diff.equal() && !traces.differing.has_value();
  console.PrintLine(
      same ? console.Styled(Style::kGreen, "EQUAL") : console.Styled(Style::kRed, "DIFFERENT"),
      "  ", a_, "  ", b_);
  PrintRow(console, "compared", WhatWasCompared(diff));
  if (!diff.left_aside.empty()) {
    PrintRow(console, "left aside", absl::StrCat("digests: ", diff.left_aside));
  }
  if (diff.records.has_value()) {
    const engine::MessageText text(markets);
    PrintRow(console, "first", absl::StrCat("@", diff.records->sequence.value()));
    PrintRow(console, "A", text.Format(diff.records->a, diff.records->attachment_a));
    PrintRow(console, "B", text.Format(diff.records->b, diff.records->attachment_b));
    PrintRow(console, "next",
             absl::StrCat("ticktape cat ", ShellWord(a_), " ",
                          std::max<uint64_t>(diff.records->sequence.value(), 3) - 2, "..+5"));
  } else if (diff.last_a != diff.last_b) {
    const bool a_is_longer = diff.last_a > diff.last_b;
    PrintRow(console, "first",
             absl::StrCat(a_is_longer ? "A" : "B", " goes on: A ends at @", diff.last_a.value(),
                          ", B at @", diff.last_b.value()));
  } else if (!traces.comparable) {
    PrintRow(console, "events", "not comparable: one run took state digests, the other none");
  } else if (traces.differing.has_value()) {
    PrintRow(console, "events",
             absl::StrCat("the same commands, but the runs that recorded them parted between @",
                          traces.differing->equal.Next().value(), " and @",
                          traces.differing->differs.value()));
    PrintRow(console, "next",
             absl::StrCat("ticktape bisect ", ShellWord(a_),
                          " --engine-a BUILD_OF_A --engine-b BUILD_OF_B"));
  } else if (traces.common > 0) {
    PrintRow(console, "events",
             absl::StrCat("the same: trace digests equal up to @", traces.last.value()));
  } else {
    PrintRow(console, "events", "not compared: there are no trace digests on both sides");
  }
}

void DiffVerb::PrintJournalsJson(Console& console, const replay::LogDiff& diff,
                                 const replay::TraceComparison& traces) const {
  JsonObject json("ticktape.diff/1");
  json.Field("what", "journals");
  json.Field("a", a_);
  json.Field("b", b_);
  json.Field("equal", diff.equal() && !traces.differing.has_value());
  json.Field("digests_compared", diff.digests_compared);
  json.Field("records_read", diff.records_read);
  if (!diff.left_aside.empty()) json.Field("left_aside", diff.left_aside);
  json.Field("last_a", diff.last_a.value());
  json.Field("last_b", diff.last_b.value());
  if (diff.records.has_value()) json.Field("first_record", diff.records->sequence.value());
  json.Field("traces_compared", traces.common);
  if (traces.differing.has_value()) {
    json.Field("traces_equal_to", traces.differing->equal.value());
    json.Field("traces_differ_at", traces.differing->differs.value());
  }
  console.PrintLine(json.Take());
}

// ---- Engines

absl::string_view NameOf(replay::LaterDifferences::Seed seed) {
  return seed == replay::LaterDifferences::Seed::kState ? "state" : "book";
}

absl::StatusOr<ExitCode> DiffVerb::Engines(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(a_));
  RETURN_IF_ERROR(CheckBeginsWithFirst(opened.reader->info()));
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Subject> a, OpenSubject(engine_a_));
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Subject> b, OpenSubject(engine_b_));
  const std::unique_ptr<EngineStates> states = EngineStates::Open(opened);
  replay::JournalSource source(*opened.reader);
  Progress progress(console, "diff", "records", opened.reader->info().record_count());
  ASSIGN_OR_RETURN(const std::optional<replay::Difference> difference,
                   replay::FindFirstDifference(
                       source, *a, *b, source.last(),
                       {.compare_state = !events_only_,
                        .state_every = state_every_,
                        .progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
                        .states = &states->states()}));
  const double seconds = progress.Seconds();
  progress.Clear();
  if (difference.has_value()) return ReportParting(console, opened, *states, *a, *b, *difference);
  if (console.json()) {
    JsonObject json("ticktape.diff/1");
    json.Field("what", "engines");
    json.Field("path", a_);
    json.Field("commands", source.last().value());
    json.Field("equal", true);
    console.PrintLine(json.Take());
    return ExitCode::kOk;
  }
  console.PrintLine(console.Styled(Style::kGreen, "EQUAL"), "  ", a_);
  PrintRow(console, "engines", absl::StrCat(a->identity().name, ", ", b->identity().name));
  const std::string what =
      events_only_ ? "events" : absl::StrCat("events, states every ", WithCommas(state_every_));
  PrintRow(console, "compared",
           absl::StrCat(WithCommas(source.last().value()), " commands: ", what, ", ",
                        HumanSeconds(seconds)));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> DiffVerb::ReportParting(Console& console, const OpenedJournal& opened,
                                                 EngineStates& states, replay::Subject& a,
                                                 replay::Subject& b,
                                                 const replay::Difference& difference) const {
  replay::JournalSource source(*opened.reader);
  ASSIGN_OR_RETURN(const replay::Explanation explanation,
                   replay::Explain(source, a, b, difference, &states.states()));
  std::optional<replay::LaterDifferences> later;
  if (all_ && difference.what != replay::Difference::What::kEnded) {
    Progress progress(console, "later", "records", source.last().value());
    ASSIGN_OR_RETURN(later, replay::ClassifyLater(source, a, b, difference.sequence(),
                                                  {.independent_max = max_,
                                                   .states = &states.states(),
                                                   .progress = [&](engine::SequenceNumber at) {
                                                     progress.Show(at.value());
                                                   }}));
  }
  MarketFollower markets;
  RETURN_IF_ERROR(states.FollowMarkets(*opened.reader, difference.sequence(), markets));
  const DifferenceReport report = {.path = a_,
                                   .engine_a = engine_a_,
                                   .engine_b = engine_b_,
                                   .identity_a = a.identity(),
                                   .identity_b = b.identity(),
                                   .difference = difference,
                                   .explanation = explanation,
                                   .markets = markets.markets()};
  if (!console.json()) {
    PrintDifference(console, report);
    if (later.has_value()) PrintLater(console, *later);
    states.Print(console);
    return ExitCode::kDifferent;
  }
  JsonObject json("ticktape.diff/1");
  json.Field("what", "engines");
  json.Field("path", a_);
  json.Field("commands", source.last().value());
  json.Field("equal", false);
  states.Write(json);
  WriteDifference(json, report);
  if (later.has_value()) {
    json.Field("consequences", later->consequences);
    json.Field("seeded_with", NameOf(later->seed));
    json.BeginArray("independent");
    for (const auto& one : later->independent) {
      json.BeginElement();
      json.Field("sequence", one.sequence.value());
      json.Field("class", one.failure_class);
      json.EndElement();
    }
    json.EndArray();
    if (!later->stopped.empty()) json.Field("stopped", later->stopped);
  }
  console.PrintLine(json.Take());
  return ExitCode::kDifferent;
}

void DiffVerb::PrintLater(Console& console, const replay::LaterDifferences& later) const {
  PrintRow(console, "later",
           absl::StrCat(WithCommas(later.consequences), " are consequences, ",
                        WithCommas(later.independent.size()),
                        " independent of it (B was given A's ", NameOf(later.seed), " after each)",
                        later.stopped.empty() ? "" : absl::StrCat("; ", later.stopped)));
  for (const auto& one : later.independent) {
    PrintRow(console, "", absl::StrCat("   @", one.sequence.value(), "  ", one.failure_class));
  }
}

// ---- Event files

absl::StatusOr<ExitCode> DiffVerb::EventFiles(Console& console) const {
  ASSIGN_OR_RETURN(const EventFileDiff diff, DiffEventFiles(a_, b_));
  if (console.json()) {
    JsonObject json("ticktape.diff/1");
    json.Field("what", "events");
    json.Field("a", a_);
    json.Field("b", b_);
    json.Field("equal", !diff.first.has_value());
    json.Field("commands", diff.compared);
    json.Field("differing", diff.differing);
    if (diff.first.has_value()) json.Field("first", diff.first->sequence);
    console.PrintLine(json.Take());
  } else if (!diff.first.has_value()) {
    console.PrintLine(console.Styled(Style::kGreen, "EQUAL"), "  ", a_, "  ", b_);
    PrintRow(console, "compared",
             absl::StrCat("the events of ", WithCommas(diff.compared), " commands"));
  } else {
    console.PrintLine(console.Styled(Style::kRed, "DIFFERENT"), " at @", diff.first->sequence, "  ",
                      a_, "  ", b_);
    PrintRow(console, "compared",
             absl::StrCat("the events of ", WithCommas(diff.compared), " commands; those of ",
                          WithCommas(diff.differing), " differ"));
    const auto& [sequence, a, b] = *diff.first;
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const std::string nothing = "(nothing)";
      const std::string& line_a = i < a.size() ? a[i] : nothing;
      const std::string& line_b = i < b.size() ? b[i] : nothing;
      PrintRow(console, absl::StrCat("event ", i),
               absl::StrCat(line_a == line_b ? "=  " : "A  ", line_a));
      if (line_a != line_b) PrintRow(console, "", absl::StrCat("B  ", line_b));
    }
  }
  return diff.first.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeDiffVerb() { return std::make_unique<DiffVerb>(); }

}  // namespace tools
