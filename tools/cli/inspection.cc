#include "tools/cli/inspection.h"

#include <span>

#include "engine/base/status_macros.h"
#include "tools/cli/replay_walk.h"

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

absl::StatusOr<std::unique_ptr<Inspection>> Inspect(journal::Reader& reader,
                                                    engine::SequenceNumber last,
                                                    std::optional<engine::OrderId> order,
                                                    Progress& progress) {
  auto inspection = std::make_unique<Inspection>();
  if (order.has_value()) inspection->history.emplace(*order);
  RETURN_IF_ERROR(
      WalkEvents(reader, last, inspection->markets,
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
