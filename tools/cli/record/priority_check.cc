#include "tools/cli/record/priority_check.h"

namespace tools {

void PriorityCheck::OnEvents(const engine::Command& command,
                             std::span<const engine::Event> events) {
  if (!expected_.empty() && command.order_id == expected_.front().maker &&
      command.client_order_id.value() == expected_.front().match_number) {
    Count(expected_.front());
    expected_.pop_front();
  }
  depth_.OnEvents(command, events);
}

void PriorityCheck::Count(const engine::ItchExecution& execution) {
  const engine::DepthView::Place* const place = depth_.FindOrder(execution.maker);
  if (place == nullptr) return;  // Its order was refused.
  const engine::DepthLevel& level = *place->level;
  Counts& counts = counts_[execution.type];
  ++counts.executions;
  if (depth_.BestPrice(level.market, level.side) != level.price) {
    ++counts.better_prices;
  } else if ((*level.queue.begin()).order != execution.maker) {
    ++counts.earlier_orders;
  }
}

}  // namespace tools
