#include "tools/cli/record/resting_orders.h"

#include <algorithm>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/state/resting_order.h"
#include "replay/command_row.h"
#include "replay/commands_of_orders.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/open_journal.h"

namespace tools {
namespace {

// The order's acceptance event, with its current data.
engine::Event AcceptedAgain(const engine::RestingOrder& order) {
  engine::Event event;
  event.sequence = engine::SequenceNumber(order.id.value());
  event.kind = engine::EventKind::kAccepted;
  event.order_id = order.id;
  event.account = order.account;
  event.market = order.market;
  event.side = order.side;
  event.price = order.price;
  event.quantity = event.quantity_remaining = order.quantity_total();
  return event;
}

}  // namespace

absl::StatusOr<uint64_t> RepeatRestingOrders(
    const Recording::HistoryListener::Restored& restored, Console& console,
    absl::FunctionRef<bool(engine::AccountId)> wanted,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> repeat) {
  std::vector<engine::RestingOrder> orders;
  replay::ExchangeOf(restored.machine).VisitAllOrders([&](const engine::RestingOrder& order) {
    if (wanted(order.account)) orders.push_back(order);
  });
  std::ranges::sort(orders, {}, &engine::RestingOrder::id);
  replay::CommandsOfOrders commands(restored.reader,
                                    KeptRows(restored.directory, restored.reader.info(), console));
  uint64_t nameless = 0;
  for (const engine::RestingOrder& order : orders) {
    // The client order id is in the command that created the order.
    ASSIGN_OR_RETURN(const journal::Row* const row,
                     commands.Find(engine::SequenceNumber(order.id.value())));
    if (row == nullptr) {
      ++nameless;
      continue;
    }
    engine::Command command = replay::ToCommand(*row);
    command.account = order.account;
    std::vector<engine::Event> events = {AcceptedAgain(order)};
    if (!order.quantity_filled.is_zero()) {
      engine::Event& filled = events.emplace_back(events.front());
      filled.kind = engine::EventKind::kTrade;
      filled.quantity = order.quantity_filled;
      filled.quantity_remaining = order.quantity_remaining;
    }
    repeat(command, events);
  }
  return nameless;
}

}  // namespace tools
