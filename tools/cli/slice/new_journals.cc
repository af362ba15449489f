#include "tools/cli/slice/new_journals.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/filter.h"
#include "engine/messages/text.h"
#include "journal/format/beginning.h"
#include "journal/journal_info.h"
#include "journal/maintenance/bulk_writer.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/command_row.h"
#include "replay/commands_of_orders.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/machine.h"
#include "replay/market_follower.h"
#include "replay/slice/state_commands.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/slice/market_spool.h"

namespace tools {

using engine::SequenceNumber;

absl::StatusOr<std::unique_ptr<JournalOutput>> JournalOutput::Create(
    const std::string& path, const std::string& created_by, const std::string& time_zone,
    absl::string_view origin, const std::string& map_path, absl::string_view map_header) {
  std::unique_ptr<JournalOutput> output(new JournalOutput());
  ASSIGN_OR_RETURN(output->journal_,
                   MachineJournal::Create(path, ExchangeMetadata(created_by, time_zone), origin,
                                          output->machine_));
  if (map_path.empty()) return output;
  ASSIGN_OR_RETURN(output->map_, Output::Create(map_path, /*replace=*/false));
  output->map_->Write(map_header);
  return output;
}

absl::StatusOr<std::span<const engine::Event>> JournalOutput::Append(const engine::Command& command,
                                                                     engine::Bytes attachment) {
  ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs,
                   journal_->Append(replay::ToRow(command), attachment));
  return replay::AsEvents(outputs);
}

absl::StatusOr<journal::Checkpoint> JournalOutput::Finish() {
  ASSIGN_OR_RETURN(const journal::Checkpoint last, journal_->Seal());
  if (map_ != nullptr) RETURN_IF_ERROR(map_->Finish());
  RETURN_IF_ERROR(journal_->Finish());
  return last;
}

namespace {

// Large enough to compress well, small enough to be fast.
constexpr uint32_t kBlockRecords = 16384;
constexpr int kZstdLevel = 6;

absl::Status CheckParts(std::span<const OpenedJournal> parts) {
  for (size_t i = 1; i < parts.size(); ++i) {
    RETURN_IF_ERROR(parts[i - 1].reader->CheckEnd());
    const journal::JournalInfo& before = parts[i - 1].reader->info();
    const journal::JournalInfo& info = parts[i].reader->info();
    if (info.first_sequence == before.last_sequence.Next()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        info.path, " begins at @", info.first_sequence.value(), ", but ", before.path, " ends at @",
        before.last_sequence.value(), "; expected @", before.last_sequence.Next().value()));
  }
  return absl::OkStatus();
}

// Returns what the first segment of a piece from `first` on continues.
absl::StatusOr<journal::BulkOrigin> BulkOriginOf(journal::Reader& reader, SequenceNumber first) {
  journal::BulkOrigin origin = {.journal_uuid = reader.info().uuid, .first_sequence = first};
  if (first == SequenceNumber::First()) return origin;
  origin.segment_index = 1;
  for (const journal::SegmentInfo& segment : reader.info().segments) {
    if (segment.first_sequence <= first) {
      origin.segment_index = std::max(origin.segment_index, segment.segment_index);
    }
  }
  if (first > reader.info().first_sequence) {
    RETURN_IF_ERROR(reader.SeekToSequence(first - 1));
    ASSIGN_OR_RETURN(const std::optional<journal::Record> before, reader.Next());
    if (before.has_value()) origin.previous_timestamp = before->timestamp();
  }
  return origin;
}

absl::Status CopyParts(std::span<const OpenedJournal> parts, const SequenceRange& range,
                       journal::BulkWriter& writer, Progress& progress) {
  for (const OpenedJournal& part : parts) {
    const SequenceNumber last = std::min(range.last, part.reader->info().last_sequence);
    if (writer.next_sequence() > last) continue;
    RETURN_IF_ERROR(part.reader->SeekToSequence(writer.next_sequence()));
    RETURN_IF_ERROR(journal::CopyBlocks(*part.reader, last, writer, [&](SequenceNumber copied) {
      progress.Show(copied - range.first + 1);
    }));
  }
  if (writer.next_sequence() == range.last.Next()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("the records end at @",
                                          writer.next_sequence().value() - 1, ", expected @",
                                          range.last.value()));
}

// The digests cover everything since record 1, so they hold for the piece too. Errors in a sidecar
// are ignored.
absl::Status CopyCheckpoints(std::span<const OpenedJournal> parts, const SequenceRange& range,
                             journal::Directory& to) {
  const journal::Uuid& uuid = parts.front().reader->info().uuid;
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::SidecarWriter> sidecar,
                   journal::SidecarWriter::Create(to, uuid));
  for (const OpenedJournal& part : parts) {
    const auto checkpoints =
        journal::ReadSidecar(*part.directory, uuid, part.reader->info().last_sequence);
    if (!checkpoints.ok()) continue;
    for (const journal::Checkpoint& checkpoint : *checkpoints) {
      const bool is_within =
          checkpoint.sequence >= range.first - 1 && checkpoint.sequence <= range.last;
      if (is_within && checkpoint.sequence > sidecar->last_sequence()) {
        RETURN_IF_ERROR(sidecar->Append(checkpoint));
      }
    }
  }
  return sidecar->Close();
}

}  // namespace

absl::Status WritePiece(std::span<const OpenedJournal> parts, Piece& piece, Console& console) {
  RETURN_IF_ERROR(CheckParts(parts));
  ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> folder,
                   UnfinishedFolder::Create(piece.path));
  journal::Directory& to = folder->directory();
  ASSIGN_OR_RETURN(const journal::BulkOrigin origin,
                   BulkOriginOf(*parts.front().reader, piece.range.first));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::BulkWriter> writer,
                   journal::BulkWriter::Create(
                       to, origin, {.block_records = kBlockRecords, .zstd_level = kZstdLevel}));
  if (origin.segment_index > 0) {
    RETURN_IF_ERROR(
        journal::WriteBeginning(to, {.journal_uuid = origin.journal_uuid,
                                     .segment_index = origin.segment_index,
                                     .first_sequence = origin.first_sequence,
                                     .reason = "a piece that was cut out of the journal"}));
  }
  Progress progress(console, "copy", "records", piece.range.record_count());
  RETURN_IF_ERROR(CopyParts(parts, piece.range, *writer, progress));
  RETURN_IF_ERROR(writer->Close());
  RETURN_IF_ERROR(CopyCheckpoints(parts, piece.range, to));
  RETURN_IF_ERROR(to.Sync());
  piece.bytes = writer->stored_bytes();
  if (piece.range.first == SequenceNumber::First()) piece.log_digest = writer->log_digest();
  return folder->Finish();
}

void Piece::AddTo(Report& report) const {
  report.Row("records", WithCommas(range.record_count()), ", @", range.first, "..@", range.last,
             ", ", HumanBytes(bytes));
  if (!log_digest.has_value()) {
    report.Row("begins later", "a piece for 'merge'; no engine can be driven from it alone");
  }
  report.Field("output", path);
  report.Field("first_sequence", range.first);
  report.Field("last_sequence", range.last);
  report.Field("records", range.record_count());
  report.Field("bytes", bytes);
  report.Fact("log digest", "log_digest", log_digest);
}

namespace {

// A slice being made.
struct Slicing {
  std::unique_ptr<JournalOutput> output;
  std::unique_ptr<replay::LogSlicer> slicer;

  absl::Status Finish(Slice& slice) {
    ASSIGN_OR_RETURN(slice.last, output->Finish());
    slice.report = slicer->report();
    return absl::OkStatus();
  }
};

absl::StatusOr<Slicing> Begin(const OpenedJournal& opened, const Slice& slice,
                              const std::string& created_by) {
  Slicing slicing;
  const auto number = [](const auto& id) {
    return id.has_value() ? absl::StrCat(id->value()) : std::string("-");
  };
  const std::string origin =
      absl::StrCat("slice ", opened.reader->info().uuid.ToString(), " ", slice.range.first.value(),
                   " ", slice.range.last.value(), " ", number(slice.interest.market), " ",
                   number(slice.interest.account), " ", slice.where);
  ASSIGN_OR_RETURN(slicing.output, JournalOutput::Create(slice.output, created_by,
                                                         opened.reader->info().metadata.time_zone,
                                                         origin, slice.map_path, "whole,slice\n"));
  slicing.slicer = std::make_unique<replay::LogSlicer>(
      slice.interest,
      [output = slicing.output.get()](const engine::Command& command, engine::Bytes attachment) {
        return output->Append(command, attachment);
      });
  return slicing;
}

// Returns an engine in the state before `first`, and leaves the reader at `first`.
absl::StatusOr<std::unique_ptr<replay::Machine>> BringBefore(SequenceNumber first,
                                                             const OpenedJournal& opened,
                                                             Console& console, Progress& progress) {
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, opened.reader->info(), first - 1,
                                     replay::EngineKind::kFast, console));
  RETURN_IF_ERROR(opened.reader->SeekToSequence(start.last_applied().Next()));
  replay::Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(driver.RunInParts(
      *opened.reader, first - 1,
      [&](const journal::Record& record, auto) { progress.Update(record.sequence().value()); }));
  return std::move(start.machine);
}

// Returns the client order ids of the orders that rest before `first`, where the reader is left.
absl::StatusOr<replay::ClientIds> ClientIdsBefore(SequenceNumber first,
                                                  const replay::Machine& machine,
                                                  const OpenedJournal& opened, Console& console) {
  replay::ClientIds client_ids;
  replay::CommandsOfOrders commands(*opened.reader,
                                    KeptRows(*opened.directory, opened.reader->info(), console));
  for (const SequenceNumber command : replay::CommandsOfRestingOrders(machine)) {
    ASSIGN_OR_RETURN(const journal::Row* const row, commands.Find(command));
    if (row != nullptr) client_ids[command.value()] = replay::ToCommand(*row).client_order_id;
  }
  RETURN_IF_ERROR(opened.reader->SeekToSequence(first));
  return client_ids;
}

// What a slice that begins at `first` begins with. Empty if that is the log's first record.
struct StateBefore {
  replay::StateParts state;
  replay::ClientIds client_ids;
};

// Leaves the reader at `first`.
absl::StatusOr<std::optional<StateBefore>> TakeStateBefore(SequenceNumber first,
                                                           const replay::Machine& machine,
                                                           const replay::Interest& interest,
                                                           const OpenedJournal& opened,
                                                           Console& console) {
  if (first == SequenceNumber::First()) return std::nullopt;
  StateBefore before;
  ASSIGN_OR_RETURN(before.state, replay::TakeStateApart(machine, interest));
  ASSIGN_OR_RETURN(before.client_ids, ClientIdsBefore(first, machine, opened, console));
  return before;
}

using RecordVisitor =
    absl::FunctionRef<absl::Status(const journal::Record&, std::span<const engine::Event>)>;

// Applies the records of `range` to `whole`, and calls `visit` with each and its events. Errors:
// the reader's, those of `visit`.
absl::Status VisitRecords(const SequenceRange& range, replay::Machine& whole,
                          const OpenedJournal& opened, Progress& progress, RecordVisitor visit) {
  replay::Driver driver(whole, range.first - 1);
  while (driver.last_applied() < range.last) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, opened.reader->Next());
    if (!record.has_value()) break;
    RETURN_IF_ERROR(visit(*record, replay::AsEvents(driver.Apply(*record))));
    progress.Update(record->sequence().value());
  }
  return absl::OkStatus();
}

// Appends the records of the slice's market.
absl::Status FillMarket(MarketSpool& spool, const Slice& slice, replay::LogSlicer& slicer) {
  SequenceNumber next = slice.range.first;
  RETURN_IF_ERROR(spool.Visit(*slice.interest.market, [&](const journal::Record& record,
                                                          std::span<const engine::Event> events) {
    slicer.LeaveOut(record.sequence() - next);
    next = record.sequence().Next();
    return slicer.Next(record, events, /*wanted=*/true);
  }));
  slicer.LeaveOut(slice.range.last.Next() - next);
  return absl::OkStatus();
}

}  // namespace

absl::Status MakeSlice(const OpenedJournal& opened, Slice& slice, const std::string& created_by,
                       Console& console) {
  engine::Filter where;
  if (!slice.where.empty()) {
    ASSIGN_OR_RETURN(where, engine::Filter::Parse(slice.where));
  }
  ASSIGN_OR_RETURN(Slicing slicing, Begin(opened, slice, created_by));
  Progress progress(console, "slice", "records", slice.range.last.value());
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> whole,
                   BringBefore(slice.range.first, opened, console, progress));
  ASSIGN_OR_RETURN(std::optional<StateBefore> before,
                   TakeStateBefore(slice.range.first, *whole, slice.interest, opened, console));
  if (before.has_value()) {
    RETURN_IF_ERROR(slicing.slicer->LeadIn(std::move(before->state), before->client_ids));
  }
  const engine::MarketDirectory& markets = replay::ExchangeOf(*whole).markets();
  RETURN_IF_ERROR(VisitRecords(
      slice.range, *whole, opened, progress,
      [&](const journal::Record& record, std::span<const engine::Event> events) -> absl::Status {
        const bool wanted =
            where.Matches(replay::ToCommand(*record.row), !record.attachment.empty(), markets);
        const uint64_t kept_before = slicing.slicer->report().kept_count;
        RETURN_IF_ERROR(slicing.slicer->Next(record, events, wanted));
        if (slicing.slicer->report().kept_count > kept_before) {
          slicing.output->AddToMap(absl::StrCat(record.sequence().value(), ",",
                                                slicing.output->last_sequence().value(), "\n"));
        }
        return absl::OkStatus();
      }));
  return slicing.Finish(slice);
}

absl::Status MakeMarketSlices(const OpenedJournal& opened, const engine::MarketDirectory& markets,
                              std::span<Slice> slices, journal::Directory& folder,
                              const std::string& created_by, Console& console) {
  if (slices.empty()) return absl::OkStatus();
  const SequenceRange range = slices.front().range;
  MarketSpool spool(folder, markets);
  Progress progress(console, "slice", "records", range.last.value());
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> whole,
                   BringBefore(range.first, opened, console, progress));
  ASSIGN_OR_RETURN(std::optional<StateBefore> before,
                   TakeStateBefore(range.first, *whole, {}, opened, console));
  replay::StateOfMarkets states;
  if (before.has_value()) states = replay::StateOfMarkets(std::move(before->state));
  RETURN_IF_ERROR(
      VisitRecords(range, *whole, opened, progress,
                   [&](const journal::Record& record, std::span<const engine::Event> events) {
                     return spool.Add(record, events);
                   }));
  progress.Clear();
  Progress written(console, "slice", "markets", slices.size());
  for (Slice& slice : slices) {
    ASSIGN_OR_RETURN(Slicing slicing, Begin(opened, slice, created_by));
    if (before.has_value()) {
      RETURN_IF_ERROR(
          slicing.slicer->LeadIn(states.Of(*slice.interest.market), before->client_ids));
    }
    RETURN_IF_ERROR(FillMarket(spool, slice, *slicing.slicer));
    RETURN_IF_ERROR(slicing.Finish(slice));
    written.Show(&slice - slices.data() + 1);
  }
  return absl::OkStatus();
}

absl::StatusOr<engine::MarketDirectory> MarketsUpTo(SequenceNumber last,
                                                    const OpenedJournal& opened, Console& console) {
  replay::MarketFollower markets;
  const journal::JournalInfo& info = opened.reader->info();
  if (info.first_sequence > SequenceNumber::First()) {
    ASSIGN_OR_RETURN(const SequenceNumber oldest, OldestStart(*opened.directory, info));
    ASSIGN_OR_RETURN(
        const replay::StartingPoint start,
        StartFromSnapshot(*opened.directory, info, oldest, replay::EngineKind::kFast, console));
    markets.Know(*start.machine);
  }
  RETURN_IF_ERROR(markets.FollowUntil(*opened.reader, last.Next()));
  return markets.Take();
}

void Slice::AddTo(Report& to) const {
  to.Row("kept", WithCommas(report.kept_count), " of ", Counted(report.seen_count, "command"),
         ", @", range.first, "..@", range.last);
  if (report.added_count > 0) {
    to.Row("added", Counted(report.added_count, "command"),
           ": markets, accounts and orders as they stood before");
  }
  const bool is_renumbered = report.added_count > 0 || report.kept_count < report.seen_count;
  if (is_renumbered && report.kept_count > 0) {
    to.Row("numbers", "new; @", report.first_kept, " is @", report.first_kept_in_slice, " here");
  } else {
    to.Row("numbers", "as they were");
  }
  for (const std::string& lost : report.lost) to.Row("not carried over", lost);
  to.Row("answers",
         report.different_count == 0
             ? Styled(Style::kGreen, "all as in the whole journal")
             : Styled(Style::kYellow, ConsoleText::Of(WithCommas(report.different_count),
                                                      " differ from the whole journal's")));
  const engine::MarketDirectory no_names;
  const engine::MessageText text(no_names);
  for (const replay::SliceDifference& difference : report.first_differences) {
    to.Row(absl::StrCat("  @", difference.in_whole.value()), "@", difference.in_slice, " here");
    for (const auto& [mark, events] :
         {std::pair("whole  ", &difference.whole), std::pair("here   ", &difference.slice)}) {
      for (const engine::Event& event : *events) to.Row("", mark, text.Format(event));
    }
  }
  to.Field("output", output);
  to.Field("first_sequence", range.first);
  to.Field("last_sequence", range.last);
  to.Field("commands_seen", report.seen_count);
  to.Field("commands_kept", report.kept_count);
  to.Field("commands_added", report.added_count);
  to.Field("commands", last.sequence);
  to.Field("answers_different", report.different_count);
  to.Objects("differences", report.first_differences, [&](const auto& difference) {
    to.Field("whole", difference.in_whole);
    to.Field("slice", difference.in_slice);
  });
  to.Texts("not_carried_over", report.lost);
  AddDigests(to, last);
  if (!last.state.has_value()) to.Row("state digest", engine::Digest());  // Without commands.
}

}  // namespace tools
