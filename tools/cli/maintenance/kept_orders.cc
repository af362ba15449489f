#include "tools/cli/maintenance/kept_orders.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/messages/market_directory.h"
#include "engine/types/side.h"
#include "journal/journal_info.h"
#include "journal/kept_rows.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/snapshot/snapshot_folder.h"

namespace tools {
namespace {

using engine::SequenceNumber;

absl::StatusOr<std::unique_ptr<replay::Machine>> OldestState(const journal::Directory& directory,
                                                             const journal::JournalInfo& info,
                                                             journal::EligibleSnapshots snapshots,
                                                             SequenceNumber first_kept,
                                                             Console& console) {
  std::sort(snapshots.begin(), snapshots.end());
  for (const SequenceNumber snapshot : snapshots) {
    if (snapshot.Next() < first_kept) continue;
    absl::StatusOr<replay::StartingPoint> start = StartFromSnapshot(
        directory, info, snapshot, [] { return replay::MakeEngine(replay::EngineKind::kFast); },
        console);
    if (start.ok() && start->last_applied() == snapshot) return std::move(start->machine);
  }
  return absl::FailedPreconditionError(absl::StrCat(
      info.path, ": nothing is deleted: no snapshot at or after @", first_kept.value() - 1,
      " can be restored, and the orders that rest there must be known"));
}

// Returns the commands before `end` that created resting orders, ascending.
std::vector<SequenceNumber> CommandsOfOrdersBefore(SequenceNumber end,
                                                   const replay::Machine& machine) {
  std::vector<SequenceNumber> commands;
  for (const auto& [id, market] : machine.markets()->all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      machine.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        const SequenceNumber made_by(order.id.value());
        if (made_by < end) commands.push_back(made_by);
      });
    }
  }
  std::sort(commands.begin(), commands.end());
  return commands;
}

}  // namespace

absl::Status KeepOrdersThatRest(journal::Directory& directory,
                                const journal::EligibleSnapshots& snapshots,
                                const journal::PrunePlan& plan, Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  const journal::JournalInfo& info = reader->info();
  ASSIGN_OR_RETURN(const std::unique_ptr<replay::Machine> machine,
                   OldestState(directory, info, snapshots, plan.first_kept, console));
  // A damaged file is useless, but no reason to keep every segment.
  absl::StatusOr<std::vector<journal::Row>> read = journal::ReadKeptRows(directory, info.uuid);
  if (absl::IsDataLoss(read.status())) {
    console.Note("warning: ", read.status().message());
    read.emplace();
  }
  ASSIGN_OR_RETURN(const std::vector<journal::Row> kept_before, std::move(read));
  std::vector<journal::Row> kept;
  journal::Batch batch;
  for (const SequenceNumber command : CommandsOfOrdersBefore(plan.first_kept, *machine)) {
    if (command < info.first_sequence) {
      const auto row = std::lower_bound(
          kept_before.begin(), kept_before.end(), command,
          [](const journal::Row& a, SequenceNumber sequence) { return a.sequence < sequence; });
      if (row != kept_before.end() && row->sequence == command) kept.push_back(*row);
      continue;
    }
    if (batch.empty() || batch.rows.back().sequence < command) {
      RETURN_IF_ERROR(reader->SeekToSequence(command));
      ASSIGN_OR_RETURN(batch, reader->NextBatch());
    }
    kept.push_back(batch.rows[command - batch.rows.front().sequence]);
  }
  return journal::WriteKeptRows(directory, info.uuid, kept);
}

}  // namespace tools
