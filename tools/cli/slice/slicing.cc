#include "tools/cli/slice/slicing.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/machine.h"
#include "replay/slice/state_commands.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/commands_of_orders.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/slice/journal_output.h"
#include "tools/cli/snapshot/snapshot_folder.h"
#include "tools/os/output.h"

namespace tools {
namespace {

using engine::SequenceNumber;

// A request being processed.
struct Slicing {
  std::unique_ptr<JournalOutput> output;
  std::unique_ptr<replay::LogSlicer> slicer;
  Where where;
  std::unique_ptr<Output> map;  // Null: not requested.

  absl::Status Next(const journal::Record& record, std::span<const engine::Event> events,
                    const MarketFollower& markets) {
    const engine::Command command = replay::ToCommand(*record.row);
    const bool wanted = where.Matches(command, !record.attachment.empty(), markets.markets());
    const uint64_t kept_before = slicer->report().kept_count;
    RETURN_IF_ERROR(slicer->Next(record, events, wanted));
    if (map != nullptr && slicer->report().kept_count > kept_before) {
      map->Write(
          absl::StrCat(record.sequence().value(), ",", output->last_sequence().value(), "\n"));
    }
    return absl::OkStatus();
  }
};

// Returns the text that the slice's UUID is derived from.
std::string OriginOf(const OpenedJournal& opened, const SliceRequest& request) {
  const auto number = [](const auto& id) {
    return id.has_value() ? absl::StrCat(id->value()) : std::string("-");
  };
  return absl::StrCat("slice ", opened.reader->info().uuid.ToString(), " ",
                      request.range.first.value(), " ", request.range.last.value(), " ",
                      number(request.interest.market), " ", number(request.interest.account), " ",
                      request.where);
}

absl::StatusOr<Slicing> Begin(const OpenedJournal& opened, const SliceRequest& request,
                              const std::string& created_by) {
  Slicing slicing;
  if (!request.where.empty()) {
    ASSIGN_OR_RETURN(slicing.where, Where::Parse(request.where));
  }
  ASSIGN_OR_RETURN(slicing.output,
                   JournalOutput::Create(request.output, created_by, OriginOf(opened, request)));
  if (!request.map_path.empty()) {
    ASSIGN_OR_RETURN(slicing.map, Output::Create(request.map_path, /*replace=*/false));
    slicing.map->Write("whole,slice\n");
  }
  slicing.slicer = std::make_unique<replay::LogSlicer>(
      request.interest,
      [output = slicing.output.get()](const engine::Command& command, engine::Bytes attachment) {
        return output->Append(command, attachment);
      });
  return slicing;
}

// Returns an engine in the state before `first`, and leaves the reader at `first`.
absl::StatusOr<std::unique_ptr<replay::Machine>> BringBefore(SequenceNumber first,
                                                             const OpenedJournal& opened,
                                                             Console& console, Progress& progress,
                                                             MarketFollower& markets) {
  journal::Reader& reader = *opened.reader;
  const auto make = [] { return std::make_unique<replay::ExchangeMachine>(); };
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, reader.info(), first - 1, make, console));
  markets.Know(*start.machine);
  RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
  replay::Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(
      driver.Run(reader, first - 1, [&](const journal::Record& record, auto /*events*/) {
        markets.Follow(record);
        progress.Update(record.sequence().value());
        return true;
      }));
  return std::move(start.machine);
}

// Returns the client order ids of the orders that rest before `first`. Leaves the reader at
// `first`.
absl::StatusOr<replay::ClientIds> ClientIdsBefore(SequenceNumber first,
                                                  const replay::Machine& machine,
                                                  const OpenedJournal& opened, Console& console) {
  std::vector<SequenceNumber> made_by;
  for (const auto& [id, market] : machine.markets()->all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      machine.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        made_by.push_back(SequenceNumber(order.id.value()));
      });
    }
  }
  std::ranges::sort(made_by);
  replay::ClientIds client_ids;
  CommandsOfOrders commands(*opened.reader, *opened.directory, console);
  for (const SequenceNumber command : made_by) {
    ASSIGN_OR_RETURN(const journal::Row* const row, commands.Find(command));
    if (row != nullptr) client_ids[command.value()] = replay::ToCommand(*row).client_order_id;
  }
  RETURN_IF_ERROR(opened.reader->SeekToSequence(first));
  return client_ids;
}

}  // namespace

absl::StatusOr<std::vector<SliceResult>> MakeSlices(const OpenedJournal& opened,
                                                    const std::vector<SliceRequest>& requests,
                                                    const std::string& created_by,
                                                    Console& console) {
  const SequenceRange range = requests.front().range;
  std::vector<Slicing> slicings;
  for (const SliceRequest& request : requests) {
    ASSIGN_OR_RETURN(Slicing slicing, Begin(opened, request, created_by));
    slicings.push_back(std::move(slicing));
  }
  Progress progress(console, "slice", "records", range.last.value());
  MarketFollower markets;
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> whole,
                   BringBefore(range.first, opened, console, progress, markets));
  if (range.first > SequenceNumber::First()) {
    ASSIGN_OR_RETURN(const replay::ClientIds client_ids,
                     ClientIdsBefore(range.first, *whole, opened, console));
    for (Slicing& slicing : slicings) {
      RETURN_IF_ERROR(slicing.slicer->LeadIn(*whole, client_ids));
    }
  }
  replay::Driver driver(*whole, range.first - 1);
  while (!range.empty()) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, opened.reader->Next());
    if (!record.has_value()) break;
    markets.Follow(*record);
    const std::span<const engine::Event> events = driver.Apply(*record);
    for (Slicing& slicing : slicings) {
      RETURN_IF_ERROR(slicing.Next(*record, events, markets));
    }
    progress.Update(record->sequence().value());
    if (record->sequence() == range.last) break;
  }
  std::vector<SliceResult> results;
  for (Slicing& slicing : slicings) {
    ASSIGN_OR_RETURN(const journal::Checkpoint last, slicing.output->Finish(slicing.map.get()));
    results.push_back({.report = slicing.slicer->report(), .last = last});
  }
  return results;
}

absl::Status FollowMarketsTo(const OpenedJournal& opened, SequenceNumber last, Console& console,
                             MarketFollower& markets) {
  const journal::JournalInfo& info = opened.reader->info();
  if (info.first_sequence > SequenceNumber::First()) {
    const auto make = [] { return std::make_unique<replay::ExchangeMachine>(); };
    ASSIGN_OR_RETURN(const SequenceNumber oldest, OldestStart(*opened.directory, info));
    ASSIGN_OR_RETURN(const replay::StartingPoint start,
                     StartFromSnapshot(*opened.directory, info, oldest, make, console));
    markets.Know(*start.machine);
  }
  return markets.FollowUntil(*opened.reader, last.Next());
}

void PrintSlice(Console& console, const SliceRequest& request, const SliceResult& result) {
  const replay::SliceReport& report = result.report;
  PrintRow(
      console, "kept",
      absl::StrCat(WithCommas(report.kept_count), " of ", WithCommas(report.seen_count),
                   " commands, @", request.range.first.value(), "..@", request.range.last.value()));
  if (report.added_count > 0) {
    PrintRow(console, "added",
             absl::StrCat(WithCommas(report.added_count),
                          " commands: markets, accounts and orders as they stood before"));
  }
  const bool is_renumbered = report.added_count > 0 || report.kept_count < report.seen_count;
  PrintRow(console, "numbers",
           is_renumbered && report.kept_count > 0
               ? absl::StrCat("new; @", report.first_kept.value(), " is @",
                              report.first_kept_in_slice.value(), " here")
               : "as they were");
  for (const std::string& lost : report.lost) PrintRow(console, "not carried over", lost);
  PrintRow(console, "answers",
           report.different_count == 0
               ? console.Styled(Style::kGreen, "all as in the whole journal")
               : console.Styled(Style::kYellow, absl::StrCat(WithCommas(report.different_count),
                                                             " differ from the whole journal's")));
  const engine::MarketDirectory no_names;
  const engine::MessageText text(no_names);
  for (const replay::SliceDifference& difference : report.first_differences) {
    PrintRow(console, absl::StrCat("  @", difference.in_whole.value()),
             absl::StrCat("@", difference.in_slice.value(), " here"));
    for (const auto& [mark, events] :
         {std::pair("whole  ", &difference.whole), std::pair("here   ", &difference.slice)}) {
      for (const engine::Event& event : *events) {
        PrintRow(console, "", absl::StrCat(mark, text.Format(event)));
      }
    }
  }
  PrintRow(console, "log digest", result.last.log->ToString());
  PrintRow(console, "trace digest", result.last.trace->ToString());
  PrintRow(console, "state digest", result.last.state->ToString());
}

void AddSlice(JsonObject& json, const SliceRequest& request, const SliceResult& result) {
  const replay::SliceReport& report = result.report;
  json.Field("output", request.output);
  json.Field("first_sequence", request.range.first.value());
  json.Field("last_sequence", request.range.last.value());
  json.Field("commands_seen", report.seen_count);
  json.Field("commands_kept", report.kept_count);
  json.Field("commands_added", report.added_count);
  json.Field("commands", result.last.sequence.value());
  json.Field("answers_different", report.different_count);
  json.BeginArray("differences");
  for (const replay::SliceDifference& difference : report.first_differences) {
    json.BeginElement();
    json.Field("whole", difference.in_whole.value());
    json.Field("slice", difference.in_slice.value());
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("not_carried_over");
  for (const std::string& lost : report.lost) json.Element(lost);
  json.EndArray();
  json.Field("log_digest", result.last.log->ToString());
  json.Field("trace_digest", result.last.trace->ToString());
  json.Field("state_digest", result.last.state->ToString());
}

}  // namespace tools
