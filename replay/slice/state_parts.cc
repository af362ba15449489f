#include "replay/slice/state_parts.h"

#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace replay {

absl::StatusOr<StateParts> TakeStateApart(const Machine& machine, const Interest& interest) {
  StateParts state;
  RETURN_IF_ERROR(machine.Save([&](engine::Bytes bytes) -> absl::Status {
    ASSIGN_OR_RETURN(engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
    std::visit([&](auto& entities) { state.Take(std::move(entities)); }, part);
    return absl::OkStatus();
  }));
  const auto other_account = [&](const auto& entity) { return !interest.Has(entity.account); };
  const auto other_market = [&](const auto& entity) { return !interest.Has(entity.market); };
  std::erase_if(state.markets, [&](const engine::SnapshotMarket& market) {
    return !interest.Has(market.definition.id);
  });
  std::erase_if(state.accounts, other_account);
  std::erase_if(state.positions, other_account);
  std::erase_if(state.positions, other_market);
  std::erase_if(state.groups, other_account);
  std::erase_if(state.group_fills, other_account);
  std::erase_if(state.orders, other_account);
  std::erase_if(state.orders, other_market);
  return state;
}

}  // namespace replay
