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
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "engine/state/resting_order.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_state.h"
#include "replay/machine.h"
#include "replay/slice/state_commands.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/commands_of_orders.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/slice/journal_output.h"
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
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, reader.info(), first - 1,
                                     replay::EngineKind::kFast, console));
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
  const replay::ExchangeState& exchange = replay::ExchangeOf(machine);
  std::vector<SequenceNumber> made_by;
  for (const auto& [id, market] : exchange.markets().all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      exchange.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
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
    const std::span<const engine::Event> events = replay::AsEvents(driver.Apply(*record));
    for (Slicing& slicing : slicings) {
      RETURN_IF_ERROR(slicing.Next(*record, events, markets));
    }
    progress.Update(record->sequence().value());
    if (record->sequence() == range.last) break;
  }
  std::vector<SliceResult> results;
  for (Slicing& slicing : slicings) {
    ASSIGN_OR_RETURN(const journal::Checkpoint last, slicing.output->Finish(slicing.map.get()));
    results.push_back({.slice = slicing.slicer->report(), .last = last});
  }
  return results;
}

absl::Status FollowMarketsTo(const OpenedJournal& opened, SequenceNumber last, Console& console,
                             MarketFollower& markets) {
  const journal::JournalInfo& info = opened.reader->info();
  if (info.first_sequence > SequenceNumber::First()) {
    ASSIGN_OR_RETURN(const SequenceNumber oldest, OldestStart(*opened.directory, info));
    ASSIGN_OR_RETURN(
        const replay::StartingPoint start,
        StartFromSnapshot(*opened.directory, info, oldest, replay::EngineKind::kFast, console));
    markets.Know(*start.machine);
  }
  return markets.FollowUntil(*opened.reader, last.Next());
}

void SliceResult::AddRows(Report& report, const SliceRequest& request) const {
  report.Row("kept", WithCommas(slice.kept_count), " of ", WithCommas(slice.seen_count),
             " commands, @", request.range.first, "..@", request.range.last);
  if (slice.added_count > 0) {
    report.Row("added", WithCommas(slice.added_count),
               " commands: markets, accounts and orders as they stood before");
  }
  const bool is_renumbered = slice.added_count > 0 || slice.kept_count < slice.seen_count;
  if (is_renumbered && slice.kept_count > 0) {
    report.Row("numbers", "new; @", slice.first_kept, " is @", slice.first_kept_in_slice, " here");
  } else {
    report.Row("numbers", "as they were");
  }
  for (const std::string& lost : slice.lost) report.Row("not carried over", lost);
  report.Row("answers",
             slice.different_count == 0
                 ? Styled(Style::kGreen, "all as in the whole journal")
                 : Styled(Style::kYellow, ConsoleText::Of(WithCommas(slice.different_count),
                                                          " differ from the whole journal's")));
  const engine::MarketDirectory no_names;
  const engine::MessageText text(no_names);
  for (const replay::SliceDifference& difference : slice.first_differences) {
    report.Row(absl::StrCat("  @", difference.in_whole.value()), "@", difference.in_slice, " here");
    for (const auto& [mark, events] :
         {std::pair("whole  ", &difference.whole), std::pair("here   ", &difference.slice)}) {
      for (const engine::Event& event : *events) report.Row("", mark, text.Format(event));
    }
  }
  report.Row("log digest", *last.log);
  report.Row("trace digest", *last.trace);
  report.Row("state digest", *last.state);
}

void SliceResult::AddFields(JsonObject& json, const SliceRequest& request) const {
  json.Field("output", request.output);
  json.Field("first_sequence", request.range.first);
  json.Field("last_sequence", request.range.last);
  json.Field("commands_seen", slice.seen_count);
  json.Field("commands_kept", slice.kept_count);
  json.Field("commands_added", slice.added_count);
  json.Field("commands", last.sequence);
  json.Field("answers_different", slice.different_count);
  json.Objects("differences", slice.first_differences, [&](const auto& difference) {
    json.Field("whole", difference.in_whole);
    json.Field("slice", difference.in_slice);
  });
  json.Texts("not_carried_over", slice.lost);
  json.Field("log_digest", last.log);
  json.Field("trace_digest", last.trace);
  json.Field("state_digest", last.state);
}

}  // namespace tools
