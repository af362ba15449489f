// ticktape verify: checks every byte of a journal, and that a replay has the recorded run's
// results.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/finding.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/verify.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/replay/replay_report.h"
#include "tools/cli/snapshot/expected_ends.h"
#include "tools/cli/snapshot/snapshot_folder.h"
#include "tools/os/parallel.h"

namespace tools {
namespace {

struct ReplayResult {
  replay::CheckedReplay replayed;
  double seconds = 0;
};

class VerifyVerb final : public Verb {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override { return "Check a journal's bytes, and what it replays to"; }
  const char* examples() const override {
    return "  ticktape verify a.tape\n"
           "  ticktape verify --deep a.tape\n"
           "  ticktape verify --replay a.tape --json\n"
           "\n"
           "Changes nothing. CLEAN (exit code 0): all that was written is there. TORN (4): a\n"
           "crash left a tail that was never acknowledged; the next writer cuts it off. DAMAGED\n"
           "(3): promised data is missing; the findings say which bytes and which sequence\n"
           "numbers. With --replay, 1 says that the digests of the replay differ from the\n"
           "recorded run's.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ReplayResult> Replay(const journal::Directory& directory, Console& console);
  void Print(const journal::VerifyReport& report, const std::optional<ReplayResult>& replay,
             Console& console) const;
  void PrintJson(const journal::VerifyReport& report, const std::optional<ReplayResult>& replay,
                 Console& console) const;

  std::string path_;
  bool deep_ = false;
  bool replay_ = false;
  size_t thread_count_ = ProcessorCount();
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

void VerifyVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.AddFlag("--deep", deep_, "Decode every record and recompute the log digest");
  options.AddFlag("--replay", replay_, "Deep, and replay it: compare trace and state digests too");
  AddEngineOption(options, engine_);
  options.Add("--threads", thread_count_, "How many segments are read at once")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 256);
}

absl::StatusOr<ExitCode> VerifyVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
  journal::VerifyReport report;
  {
    std::optional<Progress> progress;
    ASSIGN_OR_RETURN(std::vector<journal::ExpectedEnd> expected_ends, FindExpectedEnds(*directory));
    const journal::VerifyOptions options{
        .deep = deep_ || replay_,
        .expected_ends = std::move(expected_ends),
        .parallel = [this](size_t count, const std::function<void(size_t)>& work,
                           const std::function<void()>& tend) {
          RunParallel(count, thread_count_, work, tend);
        }};
    ASSIGN_OR_RETURN(report,
                     journal::Verify(*directory, options, [&](const journal::VerifyProgress& now) {
                       if (!progress.has_value()) {
                         progress.emplace(console, "verify", "bytes", now.bytes_total);
                       }
                       progress->Show(now.bytes_done);
                     }));
  }
  std::optional<ReplayResult> replay;
  if (replay_ && report.verdict != journal::Verdict::kDamaged) {
    ASSIGN_OR_RETURN(replay, Replay(*directory, console));
  }
  if (console.json()) {
    PrintJson(report, replay, console);
  } else {
    Print(report, replay, console);
  }
  if (report.verdict == journal::Verdict::kDamaged) return ExitCode::kDamaged;
  if (replay.has_value() && replay->replayed.divergence.has_value()) return ExitCode::kDifferent;
  return report.verdict == journal::Verdict::kTorn ? ExitCode::kTorn : ExitCode::kOk;
}

absl::StatusOr<ReplayResult> VerifyVerb::Replay(const journal::Directory& directory,
                                                Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  const journal::JournalInfo& info = reader->info();
  // The longest possible replay: from the first record, or else from the oldest snapshot.
  const auto make = [this] { return replay::MakeEngine(engine_); };
  ASSIGN_OR_RETURN(const engine::SequenceNumber from, OldestStart(directory, info));
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(directory, info, from, make, console));
  Progress progress(console, "replay", "records", info.record_count());
  ReplayResult result;
  RETURN_IF_ERROR(reader->SeekToSequence(start.last_applied().Next()));
  ReadAhead ahead(*reader);
  ASSIGN_OR_RETURN(result.replayed,
                   replay::ReplayCheckedBatchesUnseen(
                       start, [&ahead] { return ahead.NextBatch(); },
                       RecordedCheckpoints(directory, info, console), info.last_sequence,
                       [&](engine::SequenceNumber passed) { progress.Show(passed.value()); }));
  result.seconds = progress.Seconds();
  return result;
}

void VerifyVerb::Print(const journal::VerifyReport& report,
                       const std::optional<ReplayResult>& replay, Console& console) const {
  const Style style = report.verdict == journal::Verdict::kClean  ? Style::kGreen
                      : report.verdict == journal::Verdict::kTorn ? Style::kYellow
                                                                  : Style::kRed;
  const std::string verdict(journal::ToString(report.verdict));
  console.PrintLine(console.Styled(style, verdict), "  ", path_);
  PrintRow(console, "records",
           absl::StrCat(WithCommas(report.record_count), " in ", WithCommas(report.block_count),
                        " blocks, ", report.segment_count,
                        report.segment_count == 1 ? " segment" : " segments"));
  PrintRow(console, "sequences",
           absl::StrCat(report.first_sequence.value(), "..", report.last_sequence.value(),
                        ", durable to ", report.durable_sequence.value()));
  if (report.log_digest.has_value() && !replay.has_value()) {
    PrintRow(console, "log digest",
             absl::StrCat(report.log_digest->ToString(), ", ", WithCommas(report.checkpoint_count),
                          " checkpoints compared"));
  }
  for (const journal::Finding& finding : report.findings) {
    PrintRow(console, finding.verdict == journal::Verdict::kClean ? "warning" : "finding",
             finding.ToString());
  }
  if (replay.has_value()) PrintReplay(console, replay->replayed, replay->seconds);
  if (report.verdict == journal::Verdict::kDamaged) {
    console.PrintLine(
        "  Nothing was changed. If this is a copy that was made while the journal was written,");
    console.PrintLine("  copy it again. 'ticktape repair ", path_, "' says what can be saved.");
  }
}

void VerifyVerb::PrintJson(const journal::VerifyReport& report,
                           const std::optional<ReplayResult>& replay, Console& console) const {
  JsonObject json("ticktape.verify/1");
  json.Field("path", path_);
  json.Field("verdict", journal::ToString(report.verdict));
  json.Field("segments", report.segment_count);
  json.Field("blocks", report.block_count);
  json.Field("records", report.record_count);
  json.Field("first_sequence", report.first_sequence.value());
  json.Field("last_sequence", report.last_sequence.value());
  json.Field("durable_sequence", report.durable_sequence.value());
  json.Field("checkpoints", report.checkpoint_count);
  if (report.log_digest.has_value()) json.Field("log_digest", report.log_digest->ToString());
  json.BeginArray("findings");
  for (const journal::Finding& finding : report.findings) {
    json.BeginElement();
    json.Field("verdict", journal::ToString(finding.verdict));
    json.Field("segment", finding.segment_index);
    json.Field("byte_begin", finding.byte_begin);
    json.Field("byte_end", finding.byte_end);
    json.Field("first_sequence", finding.first_sequence.value());
    json.Field("last_sequence", finding.last_sequence.value());
    json.Field("may_have_been_acknowledged", finding.may_have_been_acknowledged);
    json.Field("last_durable_sequence", finding.last_durable.value());
    if (finding.after_time.has_value()) json.Field("after", finding.after_time->ToString());
    if (finding.before_time.has_value()) json.Field("before", finding.before_time->ToString());
    json.Field("message", finding.message);
    json.EndElement();
  }
  json.EndArray();
  if (replay.has_value()) {
    json.BeginObject("replay");
    AddReplay(json, replay->replayed, replay->seconds);
    json.EndObject();
  }
  console.PrintLine(json.Take());
}

}  // namespace

std::unique_ptr<Verb> MakeVerifyVerb() { return std::make_unique<VerifyVerb>(); }

}  // namespace tools
