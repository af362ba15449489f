// ticktape demo: records, verifies and replays an embedded real session in one command.

#include <map>
#include <span>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/views/depth_view.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/workload/nasdaq_open_stream.h"
#include "journal/verify.h"
#include "replay/checked_replay.h"
#include "replay/event_outputs.h"
#include "replay/market_follower.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/walk.h"
#include "tools/cli/record/itch_import.h"
#include "tools/cli/record/recording.h"
#include "tools/os/clocks.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

// Finds the millisecond in which one market traded most often.
struct BusiestMillisecond {
  void OnEvents(engine::Timestamp time, std::span<const engine::Event> events) {
    for (const engine::Event& event : events) {
      if (event.kind != engine::EventKind::kTrade) continue;
      const uint64_t count = ++trades[{event.market, MillisecondOf(time)}];
      if (count <= trade_count) continue;
      trade_count = count;
      market = event.market;
      millisecond = MillisecondOf(time);
      last_trade = event.sequence;
    }
  }

  static int64_t MillisecondOf(engine::Timestamp time) { return time.nanos() / 1'000'000; }

  std::map<std::pair<engine::MarketId, int64_t>, uint64_t> trades;
  uint64_t trade_count = 0;
  engine::MarketId market;
  int64_t millisecond = 0;
  engine::SequenceNumber last_trade;
};

void PrintStep(Console& console, int number, absl::string_view what) {
  console.PrintLine("\n", Styled(Style::kBold, absl::StrCat(number, ". ", what)));
  console.Flush();
}

constexpr char kExamples[] = R"(  ticktape demo
  ticktape demo --keep nasdaq.tape     then: ticktape info nasdaq.tape)";

class DemoVerb final : public Verb {
 public:
  DemoVerb() : Verb("demo", "Record a real session, replay it, prove them identical", kExamples) {}

  void Declare(Options& options) override {
    options.Add("--keep", keep_, "Keep the journal here; else it is removed at the end")
        .Type("JOURNAL");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    std::unique_ptr<TemporaryDirectory> temporary;
    path_ = keep_;
    if (keep_.empty()) {
      ASSIGN_OR_RETURN(temporary, TemporaryDirectory::Make());
      path_ = temporary->path() + "/nasdaq.tape";
    }
    const Stopwatch stopwatch;
    console.PrintLine(
        "Nasdaq, 2019-07-30: the start of the day and 100 ms of the open, all 8,849 symbols.");
    RETURN_IF_ERROR(Record(console));
    ASSIGN_OR_RETURN(const bool clean, Verify(console));
    ASSIGN_OR_RETURN(const bool equal, Replay(console));
    RETURN_IF_ERROR(ShowBusyMoment(console));
    console.PrintLine("\n",
                      clean && equal
                          ? Styled(Style::kGreen, "The replay is the run: every digest is equal.")
                          : Styled(Style::kRed, "The replay differs from the run."),
                      " (", HumanSeconds(stopwatch.Seconds()), " in all)");
    SayWhatNext(console);
    return clean && equal ? ExitCode::kOk : ExitCode::kDifferent;
  }

 private:
  absl::Status Record(Console& console) const {
    PrintStep(console, 1,
              "Record: ITCH messages become commands, each journalled before it is matched");
    engine::ManualClock clock;
    engine::ItchExecutionCheck check;
    ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                     Recording::Create({.path = path_,
                                        .created_by = "ticktape demo",
                                        .time_zone = kNasdaqTimeZone,
                                        .recorder = {},
                                        .writer = {}},
                                       clock, check));
    const Stopwatch stopwatch;
    ItchImport import(recording->recorder(), clock, bench::kNasdaqOpenMidnight,
                      engine::ItchMode::kMatch, &check);
    RETURN_IF_ERROR(import.Take(bench::NasdaqOpenStream()).status());
    RETURN_IF_ERROR(import.Take({}).status());
    RETURN_IF_ERROR(import.input_status());
    ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->Finish());
    const double seconds = stopwatch.Seconds();
    const uint64_t messages = import.counters().TotalMessages();
    Report report;
    report.Row("messages", WithCommas(messages), ", ",
               HumanCount(static_cast<double>(messages) / seconds), "/s; ",
               WithCommas(import.counters().TotalUnknownReferences()),
               " about orders from before the recording");
    AddExecutionRows(report, import.counters(), check);
    AddRecording(report, *recording, last, seconds);
    console.Print(report.lines());
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Verify(Console& console) const {
    PrintStep(console, 2,
              "Verify: every byte of the journal, from its hashes up to the log digest");
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    const Stopwatch stopwatch;
    ASSIGN_OR_RETURN(const journal::VerifyReport verified,
                     journal::Verify(*opened.directory, {.deep = true}));
    const bool clean = verified.verdict == journal::Verdict::kClean;
    Report report;
    report.Row("verdict",
               Styled(clean ? Style::kGreen : Style::kRed,
                      std::string(journal::ToString(verified.verdict))),
               ", ", Counted(verified.record_count, "record"), " in ",
               Counted(verified.block_count, "block"), ", ", HumanSeconds(stopwatch.Seconds()));
    console.Print(report.lines());
    return clean;
  }

  absl::StatusOr<bool> Replay(Console& console) {
    PrintStep(console, 3, "Replay: a new engine, the journal alone, digests compared");
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    const journal::JournalInfo& info = opened.reader->info();
    replay::StartingPoint start;
    start.machine = replay::MakeEngine(replay::EngineKind::kFast);
    const Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        const replay::CheckedReplay replayed,
        replay::ReplayCheckedFrom(
            start, *opened.reader, RecordedCheckpoints(*opened.directory, info, console),
            info.last_sequence,
            [&](const journal::Record& record, std::span<const replay::Output> outputs) {
              busiest_.OnEvents(record.timestamp(), replay::AsEvents(outputs));
            }));
    Report report;
    AddReplay(report, replayed, stopwatch.Seconds());
    console.Print(report.lines());
    return !replayed.divergence.has_value() && replayed.checkpoints_compared > 0;
  }

  absl::Status ShowBusyMoment(Console& console) const {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    replay::StartingPoint start;
    start.machine = replay::MakeEngine(replay::EngineKind::kFast);
    replay::MarketFollower markets;
    engine::DepthView depth;
    const engine::MessageText text(markets.markets(), busiest_.market);
    std::string trades;
    RETURN_IF_ERROR(WalkEventsFrom(
        start, *opened.reader, busiest_.last_trade, markets,
        [&](const engine::Command& command, std::span<const engine::Event> events) {
          depth.OnEvents(command, events);
          for (const engine::Event& event : events) {
            const bool shown =
                event.kind == engine::EventKind::kTrade && event.market == busiest_.market &&
                BusiestMillisecond::MillisecondOf(command.timestamp) == busiest_.millisecond;
            if (shown) absl::StrAppend(&trades, "  ", text.Format(event), "\n");
          }
        }));
    const engine::MarketDefinition* market = markets.markets().Find(busiest_.market);
    if (market == nullptr) return absl::OkStatus();
    PrintStep(console, 4,
              absl::StrCat("Look: ", market->symbol, " traded ", busiest_.trade_count,
                           " times within a millisecond; its book right after, at @",
                           busiest_.last_trade.value()));
    console.Print(ConsoleText::Lines(trades), "\n");
    console.Print(FormatBook(depth, *market, {.depth = 5, .order = {}}));
    return absl::OkStatus();
  }

  void SayWhatNext(Console& console) const {
    const std::string journal = keep_.empty() ? "nasdaq.tape" : keep_;
    if (keep_.empty()) {
      console.PrintLine("\nThe journal was temporary and is gone. Keep one, and ask it things:\n",
                        "  ticktape demo --keep ", journal);
    } else {
      console.PrintLine("\nThe journal is in ", journal, ". Ask it things:");
    }
    console.PrintLine("  ticktape info ", journal, "\n  ticktape cat ", journal,
                      " --where 'market==SPY && kind==new_order' --limit 5\n  ticktape inspect ",
                      journal, " @", busiest_.last_trade.value(),
                      "\n  ticktape shell                    trade by typing");
  }

  std::string keep_;
  std::string path_;
  BusiestMillisecond busiest_;
};

}  // namespace

std::unique_ptr<Verb> MakeDemoVerb() { return std::make_unique<DemoVerb>(); }

}  // namespace tools
