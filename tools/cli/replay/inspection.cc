#include "tools/cli/replay/inspection.h"

#include <span>

#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/types/side.h"
#include "tools/cli/replay/replay_walk.h"

namespace tools {

const engine::MarketDefinition* Inspection::BusiestMarket() const {
  const engine::MarketDefinition* busiest = nullptr;
  uint64_t most = 0;
  for (const auto& [id, count] : command_counts) {
    const engine::MarketDefinition* market = markets.markets().Find(id);
    if (market == nullptr || count <= most) continue;
    busiest = market;
    most = count;
  }
  return busiest;
}

namespace {

// The book as it would be, had its orders just come, and stayed.
void SeedBook(const replay::Machine& machine, Inspection& inspection) {
  if (machine.markets() == nullptr) return;
  for (const auto& [id, definition] : machine.markets()->all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      machine.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        engine::Event event;
        event.kind = engine::EventKind::kAccepted;
        event.order_id = order.id;
        event.account = order.account;
        event.market = order.market;
        event.side = order.side;
        event.price = order.price;
        event.quantity = event.quantity_remaining = order.quantity_remaining;
        inspection.depth.OnEvents({}, {&event, 1});
        ++inspection.command_counts[order.market];
      });
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    engine::SequenceNumber last,
                                                    std::optional<engine::OrderId> order,
                                                    Progress& progress) {
  auto inspection = std::make_unique<Inspection>();
  if (order.has_value()) inspection->history.emplace(*order);
  SeedBook(*start.machine, *inspection);
  RETURN_IF_ERROR(
      WalkEventsFrom(start, reader, last, inspection->markets,
                     [&](const engine::Command& command, std::span<const engine::Event> events) {
                       progress.Update(command.sequence.value());
                       inspection->depth.OnEvents(command, events);
                       if (inspection->history.has_value())
                         inspection->history->OnEvents(command, events);
                       ++inspection->command_counts[command.market];
                       if (command.sequence != last) return;
                       inspection->command = command;
                       inspection->events.assign(events.begin(), events.end());
                     }));
  // The row alone does not say which market a definition defines.
  RETURN_IF_ERROR(reader.SeekToSequence(last));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  if (record.has_value()) {
    inspection->attachment.assign(record->attachment.begin(), record->attachment.end());
  }
  return inspection;
}

}  // namespace tools
