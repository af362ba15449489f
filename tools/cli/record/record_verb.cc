// ticktape record: sequences commands into a journal and matches them.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/workload/order_flow.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/record/command_lines.h"
#include "tools/cli/record/itch_import.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/record/recording_options.h"
#include "tools/cli/record/recording_report.h"
#include "tools/cli/record/table_import.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/cli/record/verbs.h"
#include "tools/os/input.h"

namespace tools {
namespace {

// Records a file of the text protocol: replies are not printed, errors about malformed lines are.

struct TextImport {
  journal::Checkpoint last;
  uint64_t error_count = 0;
  std::vector<std::string> first_errors;  // At most 20, in the session's words.
};

constexpr size_t kErrorsKept = 20;

// Replies are whole lines; ERROR replies report malformed input.
void CollectErrors(absl::string_view replies, TextImport& import) {
  for (const absl::string_view reply : absl::StrSplit(replies, '\n')) {
    if (!absl::StartsWith(reply, "ERROR ")) continue;
    ++import.error_count;
    if (import.first_errors.size() < kErrorsKept) {
      import.first_errors.emplace_back(reply.substr(sizeof("ERROR")));
    }
  }
}

// Feeds everything that `read` returns until it returns no bytes, then finishes the conversation.
// `progress` is called with the number of bytes read. Errors: those of `read` and of the journal.
absl::StatusOr<TextImport> ImportText(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                      TextConversation& conversation,
                                      absl::FunctionRef<void(uint64_t)> progress) {
  TextImport import;
  uint64_t bytes_read = 0;
  while (true) {
    ASSIGN_OR_RETURN(const engine::Bytes chunk, read());
    if (chunk.empty()) break;
    bytes_read += chunk.size();
    RETURN_IF_ERROR(conversation.Feed(chunk, [&] {
      CollectErrors(conversation.output(), import);
      conversation.ClearOutput();
    }));
    progress(bytes_read);
  }
  ASSIGN_OR_RETURN(import.last, conversation.Finish());
  CollectErrors(conversation.output(), import);
  return import;
}

constexpr char kReportSchema[] = "ticktape.record/1";
constexpr int kWorkloadEntitiesMax = 1 << 20;  // For both markets and accounts.
// 2026-01-01T00:00:00Z.
constexpr engine::Timestamp kWorkloadStart =
    engine::Timestamp::FromNanos(1'767'225'600'000'000'000);

enum class Source { kItch, kText, kWorkload, kCsv, kJsonLines };

// Batch imports do not use the events.
class IgnoreEvents final : public engine::EventListener {
 public:
  void OnEvents(const engine::Command&, std::span<const engine::Event>) override {}
};

// Reads input; while there is none, pending work is completed first.
template <typename Recorded>
absl::StatusOr<engine::Bytes> AwaitAndRead(Input& input, Recorded& recorded) {
  if (!input.IsReady()) RETURN_IF_ERROR(recorded.AwaitInput(input, [] {}));
  return input.Read();
}

class RecordVerb final : public Verb {
 public:
  const char* name() const override { return "record"; }
  const char* summary() const override { return "Sequence commands into a journal and match them"; }
  const char* examples() const override {
    return "  ticktape record --from itch 01302020.NASDAQ_ITCH50.gz --check-executions -o a.tape\n"
           "  ticktape record --from workload --seed 7 --commands 1000000 -o b.tape\n"
           "  ticktape record --from text orders.txt -o c.tape\n"
           "  ticktape export a.tape | ticktape record --from csv -o same.tape\n"
           "\n"
           "ITCH counts time from midnight in New York; --date says of which day. Input that\n"
           "turns out malformed ends the recording with exit code 3; what came before is kept.\n"
           "csv and jsonl are what 'export' writes: commands keep their times and numbers, so the\n"
           "log digest is the same. Columns and fields may be left out, numbers too; prices are\n"
           "decimal numbers (price), or counts of units (price_units), which must agree.\n"
           "With --check-executions, exit code 1 says that an execution was not matched.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> RecordItch(Console& console);
  absl::StatusOr<ExitCode> RecordText(Console& console);
  absl::StatusOr<ExitCode> RecordWorkload(Console& console);
  absl::StatusOr<ExitCode> RecordTable(Console& console);
  void AddTitle(Report& report, const std::string& source) const;
  absl::Status Malformed(const std::string& message, uint64_t count, const std::string& kept) const;

  Source source_ = Source::kItch;
  std::string input_ = "-";
  std::string date_ = "1970-01-01";
  bool check_executions_ = false;
  uint32_t account_ = 1;
  uint64_t command_count_ = 1'000'000;
  bench::OrderFlow::Options workload_ = {.start = kWorkloadStart};
  RecordingOptions options_;
};

void RecordVerb::Declare(Options& options) {
  const std::map<std::string, Source> sources = {{"itch", Source::kItch},
                                                 {"text", Source::kText},
                                                 {"workload", Source::kWorkload},
                                                 {"csv", Source::kCsv},
                                                 {"jsonl", Source::kJsonLines}};
  options
      .AddChoice("--from", source_, sources,
                 "Where commands come from: itch, text, csv, jsonl or workload")
      .Required()
      .Type("SOURCE");
  options.Add("input", input_, "File to read; ITCH may be gzipped; - is standard input")
      .Type("FILE");
  options_.Declare(options, /*path_is_required=*/true);
  options.AddFlag("--check-executions", check_executions_,
                  "itch: each execution must fill the order that Nasdaq filled");
  options.Add("--date", date_, "itch: the day whose midnight times count from").Type("YYYY-MM-DD");
  options.Add("--account", account_, "text: whose orders these are").ShowDefault().NotNegative();
  options.Add("--commands", command_count_, "workload: how many").ShowDefault().NotNegative();
  options.Add("--seed", workload_.seed, "workload: the same seed makes the same commands")
      .ShowDefault()
      .NotNegative();
  options.Add("--markets", workload_.market_count, "workload: how many markets")
      .ShowDefault()
      .InRange(1, kWorkloadEntitiesMax);
  options.Add("--accounts", workload_.account_count, "workload: how many accounts")
      .ShowDefault()
      .InRange(1, kWorkloadEntitiesMax);
}

absl::StatusOr<ExitCode> RecordVerb::Run(Console& console) {
  switch (source_) {
    case Source::kItch:
      return RecordItch(console);
    case Source::kText:
      return RecordText(console);
    case Source::kWorkload:
      return RecordWorkload(console);
    case Source::kCsv:
    case Source::kJsonLines:
      return RecordTable(console);
  }
  return absl::InternalError("no such source");
}

void RecordVerb::AddTitle(Report& report, const std::string& source) const {
  report.Line(Styled(Style::kBold, options_.path()), ", recorded from ", source);
  report.Field("path", options_.path());
}

// `kept` describes what came before the malformed input.
absl::Status RecordVerb::Malformed(const std::string& message, uint64_t count,
                                   const std::string& kept) const {
  return absl::DataLossError(
      count == 0
          ? absl::StrCat(message, "\nNothing came before it; the journal ", options_.path(),
                         " is empty")
          : absl::StrCat(message, "\nThe ", kept, " before it are kept in ", options_.path()));
}

absl::StatusOr<ExitCode> RecordVerb::RecordItch(Console& console) {
  const auto midnight = engine::Timestamp::Parse(absl::StrCat(date_, "T00:00:00Z"));
  if (!midnight.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--date '", date_, "' is not a day; expected e.g. 2020-01-30"));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(input_));
  engine::ManualClock clock;
  engine::ItchExecutionCheck check;
  ASSIGN_OR_RETURN(
      const std::unique_ptr<Recording> recording,
      Recording::Create(options_.Get(absl::StrCat("ticktape record --from itch ", input_)), clock,
                        check));
  Progress progress(console, "record", "bytes", input->size_bytes());
  ASSIGN_OR_RETURN(
      const ItchImport import,
      ImportItch([&] { return AwaitAndRead(*input, *recording); }, recording->recorder(), clock,
                 *midnight, check_executions_ ? &check : nullptr,
                 [&](uint64_t bytes) { progress.Show(bytes); }));
  ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->recorder().Finish());
  const double seconds = progress.Seconds();
  progress.Clear();

  Report report(kReportSchema);
  AddTitle(report, input->name());
  AddItchRows(report, import.counters);
  if (check_executions_) AddExecutionRows(report, check);
  AddRecording(report, *recording, last, seconds);
  AddItchFields(report, import.counters);
  if (check_executions_) AddExecutionFields(report, check);
  report.PrintTo(console);
  const uint64_t messages = import.counters.TotalMessages();
  if (!import.stream_status.ok()) {
    return Malformed(
        absl::StrCat(input->name(), ": ", import.stream_status.message()), messages,
        absl::StrCat(last.sequence.value(), " commands of the ", messages, " messages"));
  }
  return check_executions_ && check.mismatched() > 0 ? ExitCode::kDifferent : ExitCode::kOk;
}

absl::StatusOr<ExitCode> RecordVerb::RecordText(Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(input_));
  LiveClock clock(options_.clock_jump_seconds_max(), console);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<TextConversation> conversation,
      TextConversation::Start({.recording = options_.Get("ticktape record --from text"),
                               .account = engine::AccountId(account_)},
                              clock, console));
  Progress progress(console, "record", "bytes", input->size_bytes());
  ASSIGN_OR_RETURN(const TextImport import,
                   ImportText([&] { return AwaitAndRead(*input, *conversation); }, *conversation,
                              [&](uint64_t bytes) { progress.Show(bytes); }));
  const double seconds = progress.Seconds();
  progress.Clear();
  for (const std::string& error : import.first_errors) console.Note(input->name(), ": ", error);

  Report report(kReportSchema);
  AddTitle(report, input->name());
  AddRecording(report, conversation->recording(), import.last, seconds);
  report.Field("lines_refused", import.error_count);
  report.PrintTo(console);
  if (import.error_count > 0) {
    return absl::DataLossError(absl::StrCat(input->name(), ": ", import.error_count,
                                            " lines are malformed; the others are recorded"));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RecordVerb::RecordWorkload(Console& console) {
  engine::ManualClock clock;
  IgnoreEvents listener;
  ASSIGN_OR_RETURN(
      const std::unique_ptr<Recording> recording,
      Recording::Create(options_.Get(absl::StrCat("ticktape record --from workload --seed ",
                                                  workload_.seed, " --commands ", command_count_)),
                        clock, listener));
  bench::OrderFlow flow(recording->recorder(), clock, workload_);
  Progress progress(console, "record", "commands", command_count_);
  for (uint64_t i = 0; i < command_count_; ++i) {
    RETURN_IF_ERROR(flow.Next());
    progress.Update(i);
  }
  ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->recorder().Finish());
  const double seconds = progress.Seconds();
  progress.Clear();

  Report report(kReportSchema);
  AddTitle(report, absl::StrCat("the workload of seed ", workload_.seed));
  report.Field("seed", workload_.seed);
  AddRecording(report, *recording, last, seconds);
  report.PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RecordVerb::RecordTable(Console& console) {
  const bool is_csv = source_ == Source::kCsv;
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(input_));
  engine::ManualClock clock;
  IgnoreEvents listener;
  ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                   Recording::Create(options_.Get(absl::StrCat("ticktape record --from ",
                                                               is_csv ? "csv " : "jsonl ", input_)),
                                     clock, listener));
  const std::unique_ptr<CommandLines> lines = is_csv ? MakeCsvLines() : MakeJsonLines();
  Progress progress(console, "record", "bytes", input->size_bytes());
  ASSIGN_OR_RETURN(
      const TableImport import,
      ImportTable([&] { return AwaitAndRead(*input, *recording); }, *lines, recording->recorder(),
                  clock, [&](uint64_t bytes) { progress.Show(bytes); }));
  ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->recorder().Finish());
  const double seconds = progress.Seconds();
  progress.Clear();

  Report report(kReportSchema);
  AddTitle(report, input->name());
  AddRecording(report, *recording, last, seconds);
  report.PrintTo(console);
  if (import.table_status.ok()) return ExitCode::kOk;
  return Malformed(absl::StrCat(input->name(), ":", import.table_status.message()),
                   import.command_count, absl::StrCat(import.command_count, " commands"));
}

}  // namespace

std::unique_ptr<Verb> MakeRecordVerb() { return std::make_unique<RecordVerb>(); }

}  // namespace tools
