// Recordings of commands as this program has them: text, tables, workloads.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/record/command_lines.h"
#include "tools/cli/record/record_request.h"
#include "tools/cli/record/table_import.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/cli/record/text_refusals.h"

namespace tools {
namespace {

uint64_t Sum(const std::map<std::string, uint64_t>& counts) {
  uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

}  // namespace

absl::StatusOr<ExitCode> RecordText(const RecordRequest& request, Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(request.input));
  LiveClock clock(request.recording.clock_jump_seconds_max, console);
  ASSIGN_OR_RETURN(const std::unique_ptr<TextConversation> conversation,
                   TextConversation::Start({.recording = request.From("text"),
                                            .account = engine::AccountId(request.account)},
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
  ASSIGN_OR_RETURN(const Recorded recorded, RecordPlainInput(*input, *conversation, console, take));
  take_replies();
  for (const std::string& error : refusals.first_errors()) console.Note(input->name(), ": ", error);

  Report report = request.BeginReport(input->name());
  AddRecording(report, conversation->recording(), recorded.last, recorded.seconds);
  const Rejections& rejections = conversation->rejections();
  const std::map<std::string, uint64_t> refused = refusals.ByReason(rejections);
  rejections.AddTo(report);
  AddReasons(report, "refused lines", "lines_refused", "line_refusals", refused);
  AddInterrupted(report, recorded);
  if (!recorded.IsNothing(absl::OkStatus())) report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  if (!recorded.damage.ok()) return request.Damaged(*input, recorded);
  if (refusals.malformed() == 0) return request.CheckStrict(rejections.count(), Sum(refused));
  return absl::DataLossError(absl::StrCat(
      input->name(), ": ", Counted(refusals.malformed(), "line"),
      refusals.malformed() == 1 ? " is" : " are", " malformed; the others are recorded"));
}

absl::StatusOr<ExitCode> RecordWorkload(const RecordRequest& request, Console& console) {
  const Interrupt interrupt;
  engine::ManualClock clock;
  RejectionListener listener;
  ASSIGN_OR_RETURN(
      const std::unique_ptr<Recording> recording,
      Recording::Create(request.From(absl::StrCat("workload --seed ", request.workload.seed,
                                                  " --commands ", request.command_count)),
                        clock, listener));
  bench::OrderFlow flow(recording->recorder(), clock, request.workload);
  Progress progress(console, "record", "commands", request.command_count);
  uint64_t made = 0;
  for (; made < request.command_count && !interrupt.raised(); ++made) {
    RETURN_IF_ERROR(flow.Next());
    progress.Update(made);
  }
  const bool interrupted = made < request.command_count;
  ASSIGN_OR_RETURN(const journal::Checkpoint last, recording->Finish());
  const Recorded recorded = {
      .last = last, .seconds = progress.Seconds(), .interrupted = interrupted};
  progress.Clear();

  Report report = request.BeginReport(absl::StrCat("the workload of seed ", request.workload.seed));
  report.Field("seed", request.workload.seed);
  AddRecording(report, *recording, recorded.last, recorded.seconds);
  listener.rejections().AddTo(report);
  AddInterrupted(report, recorded);
  report.PrintTo(console);
  if (interrupted) return ExitCode::kInterrupted;
  return request.CheckStrict(listener.rejections().count(), 0);
}

absl::StatusOr<ExitCode> RecordTable(const RecordRequest& request, Console& console) {
  const bool is_csv = request.source == Source::kCsv;
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::OpenUntilInterrupt(request.input));
  engine::ManualClock clock;
  RejectionListener listener;
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(request.path()));
  Recording::Options options =
      request.From(absl::StrCat(is_csv ? "csv " : "jsonl ", request.input));
  options.path = folder->partial_path();
  ASSIGN_OR_RETURN(const std::unique_ptr<Recording> recording,
                   Recording::Create(options, clock, listener));
  TableImport import(input->name(), is_csv ? MakeCsvLines() : MakeJsonLines(),
                     recording->recorder(), clock);
  ASSIGN_OR_RETURN(const Recorded recorded,
                   RecordPlainInput(*input, *recording, console,
                                    [&](engine::Bytes chunk) { return import.Take(chunk); }));

  RETURN_IF_ERROR(CheckTable(*input, recorded, import.input_status(), request.path()));
  RETURN_IF_ERROR(folder->Finish());
  Report report = request.BeginReport(input->name());
  AddRecording(report, *recording, recorded.last, recorded.seconds);
  listener.rejections().AddTo(report);
  AddInterrupted(report, recorded);
  report.PrintTo(console);
  if (recorded.interrupted) return ExitCode::kInterrupted;
  return request.CheckStrict(listener.rejections().count(), 0);
}

}  // namespace tools
