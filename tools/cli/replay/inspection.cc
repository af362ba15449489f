#include "tools/cli/replay/inspection.h"

#include <cstdint>
#include <limits>
#include <span>

#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/messages/event.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
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

void SeedDepth(const replay::Machine& machine, engine::DepthView& depth) {
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
        depth.OnEvents({}, {&event, 1});
      });
    }
  }
}

namespace {

void CountOrders(const replay::Machine& machine, Inspection& inspection) {
  if (machine.markets() == nullptr) return;
  for (const auto& [id, definition] : machine.markets()->all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      machine.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        ++inspection.command_counts[order.market];
      });
    }
  }
}

constexpr engine::SequenceNumber kEnd(std::numeric_limits<uint64_t>::max());

// Continues from `last` with the machine until the order has ended. Markets defined meanwhile do
// not matter to it.
absl::Status FollowToTheEnd(replay::Machine& machine, journal::Reader& reader,
                            engine::SequenceNumber last, Progress& progress,
                            engine::OrderHistory& life) {
  const auto may_go_on = [&](engine::SequenceNumber at) {
    return life.status() == engine::OrderHistory::Status::kLive ||
           at.value() < life.order().value();
  };
  RETURN_IF_ERROR(reader.SeekToSequence(last.Next()));
  if (!may_go_on(last)) return absl::OkStatus();
  replay::Driver driver(machine, last);
  return driver.Run(reader, kEnd,
                    [&](const journal::Record& record, std::span<const engine::Event> events) {
                      life.OnEvents(replay::ToCommand(*record.row), events);
                      progress.Update(record.sequence().value());
                      return may_go_on(record.sequence());
                    });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    const InspectRequest& request,
                                                    Progress& progress) {
  auto inspection = std::make_unique<Inspection>();
  if (request.order.has_value()) inspection->history.emplace(*request.order);
  SeedDepth(*start.machine, inspection->depth);
  CountOrders(*start.machine, *inspection);
  RETURN_IF_ERROR(
      WalkEventsFrom(start, reader, request.last, inspection->markets,
                     [&](const engine::Command& command, std::span<const engine::Event> events) {
                       progress.Update(command.sequence.value());
                       inspection->depth.OnEvents(command, events);
                       if (inspection->history.has_value())
                         inspection->history->OnEvents(command, events);
                       ++inspection->command_counts[command.market];
                       if (command.sequence != request.last) return;
                       inspection->command = command;
                       inspection->events.assign(events.begin(), events.end());
                     }));
  // The definition of a market is in the attachment, not in the row.
  RETURN_IF_ERROR(reader.SeekToSequence(request.last));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  if (record.has_value()) {
    inspection->attachment.assign(record->attachment.begin(), record->attachment.end());
  }
  if (request.account.has_value()) {
    inspection->account = InspectAccount(*start.machine, *request.account);
  }
  if (request.whole_life && inspection->history.has_value()) {
    inspection->life.emplace(*inspection->history);
    RETURN_IF_ERROR(
        FollowToTheEnd(*start.machine, reader, request.last, progress, *inspection->life));
  }
  return inspection;
}

}  // namespace tools
