#include "replay/commands_of_orders.h"

#include <algorithm>

#include "engine/base/status_macros.h"
#include "engine/state/resting_order.h"
#include "journal/journal_info.h"
#include "replay/exchange_state.h"

namespace replay {

std::vector<engine::SequenceNumber> CommandsOfRestingOrders(const Machine& machine) {
  std::vector<engine::SequenceNumber> commands;
  const ExchangeState* const exchange = FindExchange(machine);
  if (exchange == nullptr) return commands;
  exchange->VisitAllOrders([&](const engine::RestingOrder& order) {
    commands.push_back(engine::SequenceNumber(order.id.value()));
  });
  std::ranges::sort(commands);
  return commands;
}

absl::StatusOr<const journal::Row*> CommandsOfOrders::Find(engine::SequenceNumber sequence) {
  if (sequence < reader_.info().first_sequence) {
    while (next_kept_ < kept_.size() && kept_[next_kept_].sequence < sequence) ++next_kept_;
    const bool is_kept = next_kept_ < kept_.size() && kept_[next_kept_].sequence == sequence;
    return is_kept ? &kept_[next_kept_] : nullptr;
  }
  if (batch_.empty() || batch_.rows.back().sequence < sequence) {
    RETURN_IF_ERROR(reader_.SeekToSequence(sequence));
    ASSIGN_OR_RETURN(batch_, reader_.NextBatch());
  }
  return &batch_.rows[sequence - batch_.rows.front().sequence];
}

}  // namespace replay
