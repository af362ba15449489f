// ticktape verify: checks every byte of a journal, and that a replay has the recorded run's
// results.

#include "journal/finding.h"
#include "journal/verify.h"
#include "replay/checked_replay.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape verify a.tape
  ticktape verify --deep a.tape
  ticktape verify --replay a.tape --json
  ticktape verify *.tape

Changes nothing. CLEAN (exit code 0): all that was written is there. TORN (4): a
crash left a tail that was never acknowledged; the next writer cuts it off. DAMAGED
(3): promised data is missing; the findings say which bytes and which sequence
numbers. With --replay, 1 says that the digests of the replay differ from the
recorded run's. Of several journals, each has a line, with what is wrong below it,
and --json an object a line; the exit code is the worst: 6 (cannot be read), 3, 5, 1,
4, 0.)";

// The worst of several exit codes.
ExitCode Worse(ExitCode a, ExitCode b) {
  constexpr ExitCode kFromBest[] = {ExitCode::kOk,        ExitCode::kTorn,
                                    ExitCode::kDifferent, ExitCode::kNotComparable,
                                    ExitCode::kDamaged,   ExitCode::kIo};
  const auto rank = [&](ExitCode code) { return std::ranges::find(kFromBest, code); };
  return rank(a) < rank(b) ? b : a;
}

class VerifyVerb final : public Verb {
 public:
  VerifyVerb() : Verb("verify", "Check a journal's bytes, and what it replays to", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", paths_, "The journals' folders").Required().Type("JOURNAL...");
    options.AddFlag("--deep", deep_, "Decode every record and recompute the log digest");
    options.AddFlag("--replay", replay_,
                    "Deep, and replay it: compare trace and state digests too");
    AddEngineOption(options, engine_);
    options.AddCount("--threads", thread_count_, "How many segments are read in parallel", 1, 256);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (paths_.size() == 1) return VerifyOne(paths_.front(), console);
    ExitCode worst = ExitCode::kOk;
    for (const std::string& path : paths_) {
      const absl::StatusOr<ExitCode> code = VerifyOne(path, console);
      if (!code.ok()) PrintUnreadable(path, code.status(), console);
      worst = Worse(worst, code.ok() ? *code : ExitCodeOf(code.status().code()));
    }
    return worst;
  }

 private:
  // Where one of several journals has no verdict.
  static void PrintUnreadable(const std::string& path, const absl::Status& status,
                              Console& console) {
    Report report("ticktape.verify/1");
    report.Line(Styled(Style::kRed, "UNREADABLE"), "  ", path);
    report.Field("path", path);
    report.Field("verdict", "UNREADABLE");
    report.Fact("error", "error", status.message());
    report.PrintTo(console);
  }

  absl::StatusOr<ExitCode> VerifyOne(const std::string& path, Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const journal::VerifyReport verified, Verify(*directory, console));
    const bool is_damaged = verified.verdict == journal::Verdict::kDamaged;
    const bool replays = replay_ && !is_damaged;
    Report report("ticktape.verify/1");
    AddVerified(report, path, verified, !replays);
    std::optional<replay::CheckedReplay> replayed;
    if (replays) {
      report.BeginObject("replay");
      ASSIGN_OR_RETURN(replayed, AddReplayed(report, *directory, console));
      report.EndObject();
    }
    if (is_damaged) {
      report.Line(
          "  Nothing was changed. If this is a copy that was made while the journal was written,");
      report.Line("  copy it again. 'ticktape repair ", path, "' says what can be saved.");
    }
    if (paths_.size() > 1 && !console.json()) {
      PrintLine(path, verified, replayed, console);
    } else {
      report.PrintTo(console);
    }
    if (is_damaged) return ExitCode::kDamaged;
    if (replayed.has_value() && replayed->divergence.has_value()) return ExitCode::kDifferent;
    return verified.verdict == journal::Verdict::kTorn ? ExitCode::kTorn : ExitCode::kOk;
  }

  absl::StatusOr<journal::VerifyReport> Verify(const journal::Directory& directory,
                                               Console& console) const {
    Progress progress(console, "verify", "bytes", 0);
    ASSIGN_OR_RETURN(std::vector<journal::ExpectedEnd> expected_ends, FindExpectedEnds(directory));
    const journal::VerifyOptions options{
        .deep = deep_ || replay_,
        .expected_ends = std::move(expected_ends),
        .parallel = [this](size_t count, const auto& work, const auto& tend) {
          RunParallel(count, thread_count_, work, tend);
        }};
    return journal::Verify(directory, options,
                           [&](uint64_t done, uint64_t total) { progress.Show(done, total); });
  }

  static Style StyleOf(journal::Verdict verdict) {
    if (verdict == journal::Verdict::kClean) return Style::kGreen;
    return verdict == journal::Verdict::kTorn ? Style::kYellow : Style::kRed;
  }

  // One of several journals, for people.
  static void PrintLine(const std::string& path, const journal::VerifyReport& verified,
                        const std::optional<replay::CheckedReplay>& replayed, Console& console) {
    const bool differs = replayed.has_value() && replayed->divergence.has_value();
    Report report;
    report.Line(Styled(differs ? Style::kRed : StyleOf(verified.verdict),
                       absl::StrFormat(
                           "%-10s", differs ? "DIFFERENT" : journal::ToString(verified.verdict))),
                "  ", path, "  ", Counted(verified.record_count, "record"),
                replayed.has_value() ? ", replayed: digests " : "",
                replayed.has_value() ? DigestsText(*replayed) : ConsoleText());
    for (const journal::Finding& finding : verified.findings) {
      report.Row(finding.verdict == journal::Verdict::kClean ? "warning" : "finding", finding);
    }
    report.PrintTo(console);
  }

  // `shows_log_digest`: for people; programs always get it.
  void AddVerified(Report& report, const std::string& path, const journal::VerifyReport& verified,
                   bool shows_log_digest) const {
    report.Line(
        Styled(StyleOf(verified.verdict), ConsoleText::Of(journal::ToString(verified.verdict))),
        "  ", path);
    report.Row("records", WithCommas(verified.record_count), " in ",
               Counted(verified.block_count, "block"), ", ",
               Counted(verified.segment_count, "segment"));
    report.Row("sequences", verified.first_sequence, "..", verified.last_sequence, ", durable to ",
               verified.durable_sequence);
    if (verified.log_digest.has_value() && shows_log_digest) {
      report.Row("log digest", *verified.log_digest, ", ",
                 Counted(verified.checkpoint_count, "checkpoint"), " compared");
    }
    report.Field("path", path);
    report.Field("verdict", journal::ToString(verified.verdict));
    report.Field("segments", verified.segment_count);
    report.Field("blocks", verified.block_count);
    report.Field("records", verified.record_count);
    report.Field("first_sequence", verified.first_sequence);
    report.Field("last_sequence", verified.last_sequence);
    report.Field("durable_sequence", verified.durable_sequence);
    report.Field("checkpoints", verified.checkpoint_count);
    report.Field("log_digest", verified.log_digest);
    report.Objects("findings", verified.findings, [&](const journal::Finding& finding) {
      report.Row(finding.verdict == journal::Verdict::kClean ? "warning" : "finding", finding);
      report.Field("verdict", journal::ToString(finding.verdict));
      report.Field("segment", finding.segment_index);
      report.Field("byte_begin", finding.byte_begin);
      report.Field("byte_end", finding.byte_end);
      report.Field("first_sequence", finding.first_sequence);
      report.Field("last_sequence", finding.last_sequence);
      report.Field("may_have_been_acknowledged", finding.may_have_been_acknowledged);
      report.Field("last_durable_sequence", finding.last_durable);
      report.Field("after", finding.after_time);
      report.Field("before", finding.before_time);
      report.Field("message", finding.message);
    });
  }

  absl::StatusOr<replay::CheckedReplay> AddReplayed(Report& report,
                                                    const journal::Directory& directory,
                                                    Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                     journal::Reader::Open(directory));
    const journal::JournalInfo& info = reader->info();
    // The longest possible replay: from the first record, or else from the oldest snapshot.
    ASSIGN_OR_RETURN(const engine::SequenceNumber from, OldestStart(directory, info));
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     StartFromSnapshot(directory, info, from, engine_, console));
    Progress progress(console, "replay", "records", info.record_count());
    RETURN_IF_ERROR(reader->SeekToSequence(start.last_applied().Next()));
    ReadAhead ahead(*reader);
    ASSIGN_OR_RETURN(replay::CheckedReplay replayed,
                     replay::ReplayCheckedBatchesUnseen(
                         start, [&ahead] { return ahead.NextBatch(); },
                         RecordedCheckpoints(directory, info, console), info.last_sequence,
                         [&](engine::SequenceNumber passed) { progress.Show(passed.value()); }));
    AddReplay(report, replayed, progress.Seconds());
    return replayed;
  }

  std::vector<std::string> paths_;
  bool deep_ = false;
  bool replay_ = false;
  size_t thread_count_ = ProcessorCount();
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

}  // namespace

std::unique_ptr<Verb> MakeVerifyVerb() { return std::make_unique<VerifyVerb>(); }

}  // namespace tools
