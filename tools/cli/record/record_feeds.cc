// Recordings of market data: ITCH, captures of Kalshi's WebSocket, DBN, LOBSTER.

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "engine/wire/itch/execution_check.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/record/capture_import.h"
#include "tools/cli/record/dbn_import.h"
#include "tools/cli/record/itch_import.h"
#include "tools/cli/record/lobster_check.h"
#include "tools/cli/record/lobster_files.h"
#include "tools/cli/record/lobster_import.h"
#include "tools/cli/record/priority_check.h"
#include "tools/cli/record/record_request.h"

namespace tools {

absl::StatusOr<ExitCode> RecordItch(const RecordRequest& request, Console& console) {
  const bool mirrors = request.mode == engine::ItchMode::kMirror;
  if (mirrors && request.check_executions) {
    return absl::InvalidArgumentError(
        "--check-executions says whether matching fills the right orders; with --mode mirror "
        "nothing is matched, and the report says the same of each kind of execution");
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(request.input));
  // Only once the file is there: it may be the name that is wrong.
  ASSIGN_OR_RETURN(const engine::Timestamp midnight,
                   MidnightOf(request.input, request.date, kNasdaqTimeZone));
  engine::ManualClock clock;
  engine::ItchExecutionCheck check;
  PriorityCheck priority;
  RejectionListener listener(mirrors ? static_cast<engine::EventListener*>(&priority) : &check);
  engine::ItchExecutionListener* executions = request.check_executions ? &check : nullptr;
  if (mirrors) executions = &priority;
  const std::string source = absl::StrCat("itch ", mirrors ? "--mode mirror " : "", request.input);
  Recording::Options options = request.From(source);
  options.time_zone = kNasdaqTimeZone;
  ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                   Recording::Create(options, clock, listener));
  engine::ItchExecutionCheck* const checked = request.check_executions ? &check : nullptr;
  ItchImport import(recording->recorder(), clock, midnight, request.mode, executions,
                    request.allow_gaps);
  ASSIGN_OR_RETURN(const Recorded recorded,
                   RecordInput(*input, *recording, console,
                               [&](engine::Bytes chunk) { return import.Take(chunk); }));

  Report report = request.BeginReport(input->name());
  if (import.capture() != nullptr) AddMoldRows(report, *import.capture());
  AddItchRows(report, import.counters());
  if (checked != nullptr) AddExecutionRows(report, import.counters(), check);
  if (mirrors) AddPriorityRows(report, priority);
  AddRecording(report, *recording, recorded.last, recorded.seconds,
               mirrors ? Booking::kMirrored : Booking::kMatched);
  listener.rejections().AddTo(report);
  AddItchFields(report, import.counters(), checked);
  if (import.capture() != nullptr) AddMoldFields(report, *import.capture());
  if (mirrors) AddPriorityFields(report, priority);
  AddInterrupted(report, recorded);
  if (!recorded.IsNothing(import.input_status())) report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  if (import.input_status().ok()) {
    if (checked != nullptr && check.mismatched() > 0) return ExitCode::kDifferent;
    return request.CheckStrict(listener.rejections().count(), 0);
  }
  const bool is_gap = import.capture() != nullptr && import.capture()->counters().gaps > 0;
  return request.Malformed(
      absl::StrCat(input->name(), ": ", import.input_status().message(),
                   is_gap && !request.allow_gaps ? "; --allow-gaps records the others" : ""),
      recorded, absl::StrCat(" of the ", Counted(import.counters().TotalMessages(), "message")));
}

absl::StatusOr<ExitCode> RecordCapture(const RecordRequest& request, Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(request.input));
  engine::ManualClock clock;
  RejectionListener listener;
  ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                   Recording::Create(request.From(absl::StrCat("kalshi-capture ", request.input)),
                                     clock, listener));
  CaptureImport import(recording->recorder(), clock, request.use_yes_price);
  ASSIGN_OR_RETURN(const Recorded recorded,
                   RecordPlainInput(*input, *recording, console,
                                    [&](engine::Bytes chunk) { return import.Take(chunk); }));

  Report report = request.BeginReport(input->name());
  AddCaptureRows(report, import.counters());
  AddRecording(report, *recording, recorded.last, recorded.seconds, Booking::kMirrored);
  listener.rejections().AddTo(report);
  AddCaptureFields(report, import.counters());
  AddInterrupted(report, recorded);
  if (!recorded.IsNothing(import.input_status())) report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  if (!recorded.damage.ok()) return request.Damaged(*input, recorded);
  if (import.input_status().ok()) return request.CheckStrict(listener.rejections().count(), 0);
  return request.Malformed(absl::StrCat(input->name(), ":", import.input_status().message()),
                           recorded,
                           absl::StrCat(" of the ", Counted(import.counters().frames, "frame")));
}

absl::StatusOr<ExitCode> RecordDbn(const RecordRequest& request, Console& console) {
  ASSIGN_OR_RETURN(engine::DbnMarkets markets, LearnDbnMarkets(request.input, console));
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(request.input));
  engine::ManualClock clock;
  RejectionListener listener;
  ASSIGN_OR_RETURN(
      const std::unique_ptr<Recording> recording,
      Recording::Create(request.From(absl::StrCat("dbn ", request.input)), clock, listener));
  DbnImport import(recording->recorder(), clock, markets);
  ASSIGN_OR_RETURN(const Recorded recorded,
                   RecordInput(*input, *recording, console,
                               [&](engine::Bytes chunk) { return import.Take(chunk); }));

  Report report = request.BeginReport(input->name());
  AddDbnRows(report, import);
  AddRecording(report, *recording, recorded.last, recorded.seconds, Booking::kMirrored);
  listener.rejections().AddTo(report);
  AddDbnFields(report, import);
  AddInterrupted(report, recorded);
  if (!recorded.IsNothing(import.input_status())) report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  if (import.input_status().ok()) return request.CheckStrict(listener.rejections().count(), 0);
  return request.Malformed(
      absl::StrCat(input->name(), ": ", import.input_status().message()), recorded,
      absl::StrCat(" of the ", Counted(import.counters().TotalRecords(), "record")));
}

absl::StatusOr<ExitCode> RecordLobster(const RecordRequest& request, Console& console) {
  ASSIGN_OR_RETURN(const LobsterFiles files, OpenLobster({.messages = request.input,
                                                          .books = request.books,
                                                          .date = request.date,
                                                          .symbol = request.symbol}));
  engine::ManualClock clock;
  LobsterCheck check;
  RejectionListener listener(&check);
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(request.path()));
  Recording::Options options = request.From(absl::StrCat("lobster ", request.input));
  options.path = folder->partial_path();
  options.time_zone = kNasdaqTimeZone;
  ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                   Recording::Create(options, clock, listener));
  LobsterImport import(recording->recorder(), clock, files, check);
  ASSIGN_OR_RETURN(const Recorded recorded,
                   RecordPlainInput(*files.messages, *recording, console,
                                    [&](engine::Bytes chunk) { return import.Take(chunk); }));
  RETURN_IF_ERROR(CheckTable(*files.messages, recorded, import.input_status(), request.path()));
  RETURN_IF_ERROR(folder->Finish());
  Report report = request.BeginReport(files.messages->name());
  AddLobsterRows(report, files, import.counters(), check);
  AddRecording(report, *recording, recorded.last, recorded.seconds, Booking::kMirrored);
  listener.rejections().AddTo(report);
  AddLobsterFields(report, import.counters(), check);
  AddInterrupted(report, recorded);
  report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  if (check.different() > 0) return ExitCode::kDifferent;
  return request.CheckStrict(listener.rejections().count(), 0);
}

}  // namespace tools
