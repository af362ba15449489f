// The state of an account: money, positions and resting orders. It comes from the engine, because
// only the engine knows what is reserved.

#ifndef TOOLS_CLI_REPLAY_INSPECT_ACCOUNTS_H_
#define TOOLS_CLI_REPLAY_INSPECT_ACCOUNTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/ledger.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "replay/machine.h"
#include "tools/cli/base/report.h"

namespace tools {

// Regular value types, from here on.
struct AccountMoney {
  bool is_open = false;  // Orders of accounts that were never opened may rest too.
  engine::AccountState state;
  std::map<engine::MarketId, int64_t> positions;  // YES contracts; never zero.

  friend bool operator==(const AccountMoney& a, const AccountMoney& b) {
    return a.is_open == b.is_open && a.state.balance == b.state.balance &&
           a.state.reserved == b.state.reserved && a.positions == b.positions;
  }
};

struct InspectedAccount {
  engine::AccountId account;
  AccountMoney money;
  std::vector<engine::RestingOrder> orders;  // By market, bids first, in priority order.
};

// For all three: REQUIRES: the machine is one of replay/engines.h.
AccountMoney MoneyOf(const replay::Machine& machine, engine::AccountId account);
InspectedAccount InspectAccount(const replay::Machine& machine, engine::AccountId account);
std::map<engine::AccountId, AccountMoney> MoneyOfAll(const replay::Machine& machine);

// "+1.00": a position in the decimals of its market; `market` is null if unknown.
std::string PositionText(int64_t position, const engine::MarketDefinition* market);

// Writes into the open object: is_open, balance, reserved, available, positions.
void WriteMoneyOf(JsonObject& json, const AccountMoney& money,
                  const engine::MarketDirectory& markets);
// Adds the account's money, positions and orders.
void AddAccount(Report& report, const InspectedAccount& account,
                const engine::MarketDirectory& markets);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_ACCOUNTS_H_
