// ticktape record: sequences commands into a journal and matches them.

#include <map>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/wire/itch/translator.h"
#include "engine/workload/order_flow.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/record/capture_import.h"
#include "tools/cli/record/command_lines.h"
#include "tools/cli/record/itch_import.h"
#include "tools/cli/record/priority_check.h"
#include "tools/cli/record/record_input.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/record/table_import.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/cli/record/text_refusals.h"
#include "tools/os/input.h"
#include "tools/os/signals.h"

namespace tools {
namespace {

constexpr int kWorkloadEntitiesMax = 1 << 20;                 // For both markets and accounts.
constexpr uint64_t kWorkloadCommandsMax = 1'000'000'000'000;  // Days of work.
// 2026-01-01T00:00:00Z.
constexpr engine::Timestamp kWorkloadStart =
    engine::Timestamp::FromNanos(1'767'225'600'000'000'000);

enum class Source { kItch, kText, kWorkload, kCsv, kJsonLines, kKalshiCapture };

uint64_t Sum(const std::map<std::string, uint64_t>& counts) {
  uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

constexpr char kExamples[] =
    R"(  ticktape record --from itch 01302020.NASDAQ_ITCH50.gz --check-executions -o a.tape
  ticktape record --from itch 01302020.NASDAQ_ITCH50.gz --mode mirror -o mirror.tape
  ticktape record --from kalshi-capture frames.jsonl -o kalshi.tape
  ticktape record --from workload --seed 7 --commands 1000000 -o b.tape
  ticktape record --from text orders.txt -o c.tape
  ticktape export a.tape | ticktape record --from csv -o same.tape

ITCH counts time from midnight in New York, of the day that --date or the file's name
gives; the journal has UTC, and --tz America/New_York shows it as at Nasdaq. Input that
turns out malformed ends the recording with exit code 3; of ITCH and text, what came
before is kept; of a table, nothing is.
csv and jsonl are what 'export' writes: commands keep their times and numbers, so the
log digest is the same. Columns and fields may be left out, numbers too; prices are
decimal numbers (price), or counts of units (price_units), which must agree. A market
is defined by a row of kind define_market with the definition in its columns, named as
in JSON: definition.id, definition.symbol, definition.price_decimals, definition.tick.
With --check-executions, exit code 1 says that an execution was not matched.
--mode match gives orders that trade by price and time, and may fill another order than
Nasdaq did. --mode mirror gives the book that Nasdaq had after every message: executions
are commands that name their order, nothing is matched, and books may be crossed.
A kalshi-capture has one WebSocket frame a line, as it was received, or in an envelope
{"received_ts_ms":…,"frame":{…}}. Its markets are mirrored: the book is the capture's
after every frame. After a gap in seq a market is paused until its next snapshot.
Commands that the exchange rejects are recorded, and counted with their reasons; so
are lines of text that were refused before they became commands. With --strict, one
of either ends with exit code 3; the journal is whole, and kept.
Ctrl-C or SIGTERM ends the input where it is: the journal is sealed, the report says
after which command, and the exit code is 130. A second one ends the program.)";

class RecordVerb final : public Verb {
 public:
  RecordVerb() : Verb("record", "Sequence commands into a journal and match them", kExamples) {}

  void Declare(Options& options) override {
    const std::map<std::string, Source> sources = {
        {"itch", Source::kItch},         {"text", Source::kText},
        {"workload", Source::kWorkload}, {"csv", Source::kCsv},
        {"jsonl", Source::kJsonLines},   {"kalshi-capture", Source::kKalshiCapture}};
    options
        .AddChoice("--from", source_, sources,
                   "Where commands come from: itch, text, csv, jsonl, kalshi-capture or workload")
        .Required()
        .Type("SOURCE");
    input_option_ =
        options.Add("input", input_, "File to read; ITCH may be gzipped; - is standard input")
            .Type("FILE");
    options_.Declare(options, /*path_is_required=*/true);
    options.AddFlag("--strict", strict_, "A rejected command or a refused line is an error");
    const auto own = [&](Source source, const char* source_name, const char* name, Option option) {
      own_options_.push_back({source, source_name, name, option});
    };
    own(Source::kItch, "itch", "--check-executions",
        options.AddFlag("--check-executions", check_executions_,
                        "itch: each execution must fill the order that Nasdaq filled"));
    const std::map<std::string, engine::ItchMode> modes = {{"match", engine::ItchMode::kMatch},
                                                           {"mirror", engine::ItchMode::kMirror}};
    own(Source::kItch, "itch", "--mode",
        options
            .AddChoice("--mode", mode_, modes,
                       "itch: match orders by price and time, or mirror the book that Nasdaq had")
            .Type("MODE"));
    own(Source::kItch, "itch", "--date",
        options.Add("--date", date_, "itch: the day in New York, if not in the file's name")
            .Type("YYYY-MM-DD"));
    own(Source::kKalshiCapture, "kalshi-capture", "--use-yes-price",
        options.AddFlag(
            "--use-yes-price", use_yes_price_,
            "kalshi-capture: the NO side has YES prices, as its subscription asked for"));
    own(Source::kText, "text", "--account",
        options.Add("--account", account_, "text: whose orders these are")
            .ShowDefault()
            .NotNegative());
    own(Source::kWorkload, "workload", "--commands",
        options.Add("--commands", command_count_, "workload: how many")
            .Type("COUNT")
            .ShowDefault()
            .InRange(uint64_t{0}, kWorkloadCommandsMax));
    own(Source::kWorkload, "workload", "--seed",
        options.Add("--seed", workload_.seed, "workload: the same seed makes the same commands")
            .ShowDefault()
            .NotNegative());
    own(Source::kWorkload, "workload", "--markets",
        options.Add("--markets", workload_.market_count, "workload: how many markets")
            .Type("COUNT")
            .ShowDefault()
            .InRange(1, kWorkloadEntitiesMax));
    own(Source::kWorkload, "workload", "--accounts",
        options.Add("--accounts", workload_.account_count, "workload: how many accounts")
            .Type("COUNT")
            .ShowDefault()
            .InRange(1, kWorkloadEntitiesMax));
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(CheckOptions());
    if (source_ == Source::kItch) return RecordItch(console);
    if (source_ == Source::kText) return RecordText(console);
    if (source_ == Source::kWorkload) return RecordWorkload(console);
    if (source_ == Source::kKalshiCapture) return RecordCapture(console);
    return RecordTable(console);
  }

 private:
  // An option of one source.
  struct OwnOption {
    Source source;
    const char* source_name;
    const char* name;
    Option option;
  };

  absl::Status CheckOptions() const {
    for (const OwnOption& own : own_options_) {
      if (own.source == source_ || !own.option.given()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(own.name, " is an option of --from ", own.source_name, " only"));
    }
    if (source_ == Source::kWorkload && input_option_->given()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", input_, "': --from workload reads no input"));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ExitCode> RecordItch(Console& console) const {
    ASSIGN_OR_RETURN(const engine::Timestamp midnight, MidnightOf(input_, date_, kNasdaqTimeZone));
    const bool mirrors = mode_ == engine::ItchMode::kMirror;
    if (mirrors && check_executions_) {
      return absl::InvalidArgumentError(
          "--check-executions says whether matching fills the right orders; with --mode mirror "
          "nothing is matched, and the report says the same of each kind of execution");
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(input_));
    engine::ManualClock clock;
    engine::ItchExecutionCheck check;
    PriorityCheck priority;
    RejectionListener listener(mirrors ? static_cast<engine::EventListener*>(&priority) : &check);
    engine::ItchExecutionListener* executions = check_executions_ ? &check : nullptr;
    if (mirrors) executions = &priority;
    const std::string source = absl::StrCat("itch ", mirrors ? "--mode mirror " : "", input_);
    Recording::Options options = From(source);
    options.time_zone = kNasdaqTimeZone;
    ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                     Recording::Create(options, clock, listener));
    engine::ItchExecutionCheck* const checked = check_executions_ ? &check : nullptr;
    ItchImport import(recording->recorder(), clock, midnight, mode_, executions);
    ASSIGN_OR_RETURN(const Recorded recorded,
                     RecordInput(*input, *recording, console,
                                 [&](engine::Bytes chunk) { return import.Take(chunk); }));

    Report report = BeginReport(input->name());
    AddItchRows(report, import.counters());
    if (checked != nullptr) AddExecutionRows(report, import.counters(), check);
    if (mirrors) AddPriorityRows(report, priority);
    AddRecording(report, *recording, recorded.last, recorded.seconds);
    listener.rejections().AddTo(report);
    AddItchFields(report, import.counters(), checked);
    if (mirrors) AddPriorityFields(report, priority);
    AddInterrupted(report, recorded);
    report.PrintTo(console);
    if (recorded.interrupted) return ExitCode::kInterrupted;
    if (import.input_status().ok()) {
      if (checked != nullptr && check.mismatched() > 0) return ExitCode::kDifferent;
      return CheckStrict(listener.rejections().count(), 0);
    }
    const uint64_t messages = import.counters().TotalMessages();
    return Malformed(absl::StrCat(input->name(), ": ", import.input_status().message()), messages,
                     absl::StrCat(Counted(recorded.last.sequence.value(), "command"), " of the ",
                                  Counted(messages, "message")));
  }

  absl::StatusOr<ExitCode> RecordText(Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(input_));
    LiveClock clock(options_.clock_jump_seconds_max, console);
    ASSIGN_OR_RETURN(
        const std::unique_ptr<TextConversation> conversation,
        TextConversation::Start({.recording = From("text"), .account = engine::AccountId(account_)},
                                clock, console));
    TextRefusals refusals;
    const auto take_replies = [&] {
      refusals.Take(conversation->output());
      conversation->ClearOutput();
    };
    const auto take = [&](engine::Bytes chunk) -> absl::StatusOr<bool> {
      if (chunk.empty()) {
        RETURN_IF_ERROR(conversation->EndInput());
        return false;
      }
      RETURN_IF_ERROR(conversation->Feed(chunk, take_replies));
      return true;
    };
    ASSIGN_OR_RETURN(const Recorded recorded, RecordInput(*input, *conversation, console, take));
    take_replies();
    for (const std::string& error : refusals.first_errors())
      console.Note(input->name(), ": ", error);

    Report report = BeginReport(input->name());
    AddRecording(report, conversation->recording(), recorded.last, recorded.seconds);
    const Rejections& rejections = conversation->rejections();
    const std::map<std::string, uint64_t> refused = refusals.ByReason(rejections);
    rejections.AddTo(report);
    AddReasons(report, "refused lines", "lines_refused", "line_refusals", refused);
    AddInterrupted(report, recorded);
    report.PrintTo(console);
    if (recorded.interrupted) return ExitCode::kInterrupted;
    if (refusals.malformed() == 0) return CheckStrict(rejections.count(), Sum(refused));
    return absl::DataLossError(absl::StrCat(
        input->name(), ": ", Counted(refusals.malformed(), "line"),
        refusals.malformed() == 1 ? " is" : " are", " malformed; the others are recorded"));
  }

  absl::StatusOr<ExitCode> RecordWorkload(Console& console) const {
    const Interrupt interrupt;
    engine::ManualClock clock;
    RejectionListener listener;
    ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                     Recording::Create(From(absl::StrCat("workload --seed ", workload_.seed,
                                                         " --commands ", command_count_)),
                                       clock, listener));
    bench::OrderFlow flow(recording->recorder(), clock, workload_);
    Progress progress(console, "record", "commands", command_count_);
    uint64_t made = 0;
    for (; made < command_count_ && !interrupt.raised(); ++made) {
      RETURN_IF_ERROR(flow.Next());
      progress.Update(made);
    }
    const bool interrupted = made < command_count_;
    ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->Finish());
    const Recorded recorded = {
        .last = last, .seconds = progress.Seconds(), .interrupted = interrupted};
    progress.Clear();

    Report report = BeginReport(absl::StrCat("the workload of seed ", workload_.seed));
    report.Field("seed", workload_.seed);
    AddRecording(report, *recording, recorded.last, recorded.seconds);
    listener.rejections().AddTo(report);
    AddInterrupted(report, recorded);
    report.PrintTo(console);
    if (interrupted) return ExitCode::kInterrupted;
    return CheckStrict(listener.rejections().count(), 0);
  }

  absl::StatusOr<ExitCode> RecordTable(Console& console) const {
    const bool is_csv = source_ == Source::kCsv;
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(input_));
    engine::ManualClock clock;
    RejectionListener listener;
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                     UnfinishedFolder::Create(options_.recording.path));
    Recording::Options options = From(absl::StrCat(is_csv ? "csv " : "jsonl ", input_));
    options.path = folder->partial_path();
    ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                     Recording::Create(options, clock, listener));
    TableImport import(is_csv ? MakeCsvLines() : MakeJsonLines(), recording->recorder(), clock);
    ASSIGN_OR_RETURN(const Recorded recorded,
                     RecordInput(*input, *recording, console,
                                 [&](engine::Bytes chunk) { return import.Take(chunk); }));

    if (!import.input_status().ok()) {
      return absl::DataLossError(absl::StrCat(input->name(), ":", import.input_status().message(),
                                              "\nNothing is recorded: ", options_.recording.path,
                                              " is not there"));
    }
    RETURN_IF_ERROR(folder->Finish());
    Report report = BeginReport(input->name());
    AddRecording(report, *recording, recorded.last, recorded.seconds);
    listener.rejections().AddTo(report);
    AddInterrupted(report, recorded);
    report.PrintTo(console);
    if (recorded.interrupted) return ExitCode::kInterrupted;
    return CheckStrict(listener.rejections().count(), 0);
  }

  absl::StatusOr<ExitCode> RecordCapture(Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(input_));
    engine::ManualClock clock;
    RejectionListener listener;
    ASSIGN_OR_RETURN(
        const std::unique_ptr<Recording> recording,
        Recording::Create(From(absl::StrCat("kalshi-capture ", input_)), clock, listener));
    CaptureImport import(recording->recorder(), clock, use_yes_price_);
    ASSIGN_OR_RETURN(const Recorded recorded,
                     RecordInput(*input, *recording, console,
                                 [&](engine::Bytes chunk) { return import.Take(chunk); }));

    Report report = BeginReport(input->name());
    AddCaptureRows(report, import.counters());
    AddRecording(report, *recording, recorded.last, recorded.seconds);
    listener.rejections().AddTo(report);
    AddCaptureFields(report, import.counters());
    AddInterrupted(report, recorded);
    report.PrintTo(console);
    if (recorded.interrupted) return ExitCode::kInterrupted;
    if (import.input_status().ok()) return CheckStrict(listener.rejections().count(), 0);
    const uint64_t frames = import.counters().frames;
    return Malformed(absl::StrCat(input->name(), ":", import.input_status().message()), frames,
                     absl::StrCat(Counted(recorded.last.sequence.value(), "command"), " of the ",
                                  Counted(frames, "frame")));
  }

  Recording::Options From(absl::string_view source) const {
    return options_.Get(absl::StrCat("ticktape record --from ", source));
  }

  Report BeginReport(const std::string& source) const {
    Report report("ticktape.record/1");
    report.Line(Styled(Style::kBold, options_.recording.path), ", recorded from ", source);
    report.Field("path", options_.recording.path);
    return report;
  }

  // The exit code of input that is well formed.
  absl::StatusOr<ExitCode> CheckStrict(uint64_t rejected, uint64_t lines_refused) const {
    if (!strict_ || rejected + lines_refused == 0) return ExitCode::kOk;
    return absl::DataLossError(absl::StrCat("--strict: ", Counted(rejected, "command"),
                                            " rejected and ", Counted(lines_refused, "line"),
                                            " refused; the journal is kept in ",
                                            options_.recording.path));
  }

  // `kept` describes the `count` things that came before the malformed input.
  absl::Status Malformed(const std::string& message, uint64_t count,
                         const std::string& kept) const {
    const std::string& path = options_.recording.path;
    return absl::DataLossError(
        count == 0
            ? absl::StrCat(message, "\nNothing came before it; the journal ", path, " is empty")
            : absl::StrCat(message, "\nThe ", kept, " before it are kept in ", path));
  }

  Source source_ = Source::kItch;
  std::string input_ = "-";
  std::optional<std::string> date_;
  bool check_executions_ = false;
  engine::ItchMode mode_ = engine::ItchMode::kMatch;
  bool use_yes_price_ = false;
  bool strict_ = false;
  uint32_t account_ = 1;
  uint64_t command_count_ = 1'000'000;
  bench::OrderFlow::Options workload_ = {.start = kWorkloadStart};
  RecordingOptions options_;
  std::optional<Option> input_option_;
  std::vector<OwnOption> own_options_;
};

}  // namespace

std::unique_ptr<Verb> MakeRecordVerb() { return std::make_unique<RecordVerb>(); }

}  // namespace tools
