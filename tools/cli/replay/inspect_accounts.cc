#include "tools/cli/replay/inspect_accounts.h"

#include <optional>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/names.h"
#include "engine/state/snapshot_parts.h"
#include "engine/state/state_digest.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_state.h"
#include "replay/reference_machine.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::MarketDefinition;
using engine::MarketDirectory;

// Calls `ask` with the exchange of the machine: ExchangeState has no accounts.
template <typename Ask>
auto AskExchange(const replay::Machine& machine, Ask ask) {
  if (const auto* fast = dynamic_cast<const replay::ExchangeMachine*>(&machine)) {
    return ask(fast->exchange());
  }
  const auto* const reference = dynamic_cast<const replay::ReferenceMachine*>(&machine);
  CHECK(reference != nullptr) << "asked of " << machine.name() << " what only an exchange knows";
  return ask(reference->exchange());
}

std::optional<engine::AccountState> StateOf(const replay::Machine& machine, AccountId account) {
  return AskExchange(machine, [account](const auto& exchange) {
    const auto state = exchange.FindAccount(account);
    std::optional<engine::AccountState> same;
    if (state.has_value()) {
      same = engine::AccountState{.balance = state->balance, .reserved = state->reserved};
    }
    return same;
  });
}

}  // namespace

AccountMoney MoneyOf(const replay::Machine& machine, AccountId account) {
  AccountMoney money;
  const auto state = StateOf(machine, account);
  money.is_open = state.has_value();
  if (!state.has_value()) return money;
  money.state = *state;
  for (const auto& [id, definition] : replay::ExchangeOf(machine).markets().all()) {
    const int64_t position = AskExchange(machine, [&, market = id](const auto& exchange) {
      return exchange.Position(account, market);
    });
    if (position != 0) money.positions[id] = position;
  }
  return money;
}

InspectedAccount InspectAccount(const replay::Machine& machine, AccountId account) {
  InspectedAccount found{.account = account, .money = MoneyOf(machine, account), .orders = {}};
  for (const auto& [id, definition] : replay::ExchangeOf(machine).markets().all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      replay::ExchangeOf(machine).VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        if (order.account == account) found.orders.push_back(order);
      });
    }
  }
  return found;
}

std::map<AccountId, AccountMoney> MoneyOfAll(const replay::Machine& machine) {
  std::map<AccountId, AccountMoney> all;
  // Only a snapshot lists all accounts; it comes from this process, so decoding it cannot fail.
  const absl::Status walked = machine.Save([&](engine::Bytes bytes) {
    ASSIGN_OR_RETURN(const engine::SnapshotPart part, engine::DecodeSnapshotPart(bytes));
    if (const auto* list = std::get_if<std::vector<engine::AccountStatus>>(&part)) {
      for (const engine::AccountStatus& status : *list) {
        if (status.is_open) all[status.account].is_open = true;
      }
    } else if (const auto* list = std::get_if<std::vector<engine::SnapshotPosition>>(&part)) {
      for (const engine::SnapshotPosition& position : *list) {
        if (position.position != 0) {
          all[position.account].positions[position.market] = position.position;
        }
      }
    }
    return absl::OkStatus();
  });
  CHECK(walked.ok()) << walked.message();
  for (auto& [account, money] : all) {
    const auto state = StateOf(machine, account);
    if (state.has_value()) money.state = *state;
  }
  return all;
}

std::string PositionText(int64_t position, const MarketDefinition* market) {
  const std::string sign = position > 0 ? "+" : "";
  if (market == nullptr) return absl::StrCat(sign, position, " units");
  return absl::StrCat(
      sign, engine::FormatPrice(engine::Price::FromUnits(position), market->quantity_decimals));
}

void WriteMoneyOf(JsonObject& json, const AccountMoney& money, const MarketDirectory& markets) {
  json.Field("is_open", money.is_open);
  json.Field("balance", money.state.balance);
  json.Field("reserved", money.state.reserved);
  json.Field("available", money.state.available());
  json.Objects("positions", money.positions, [&](const auto& entry) {
    const auto& [id, position] = entry;
    const MarketDefinition* market = markets.Find(id);
    if (market != nullptr) json.Field("market", market->symbol);
    json.Field("market_id", id);
    if (market != nullptr) json.Field("position", PositionText(position, market));
    json.Field("position_units", position);
  });
}

void AddAccount(Report& report, const InspectedAccount& account, const MarketDirectory& markets) {
  const AccountMoney& money = account.money;
  report.Line(Styled(Style::kBold, absl::StrCat("account ", account.account.value())), "  ",
              money.is_open ? absl::StrCat("balance ", money.state.balance.ToString(), ", ",
                                           money.state.reserved.ToString(), " of it reserved, ",
                                           money.state.available().ToString(), " available")
                            : "was not opened, so it has no money");
  for (const auto& [id, position] : money.positions) {
    const MarketDefinition* market = markets.Find(id);
    report.Line("   position  ", MarketText(id, market), " ", PositionText(position, market));
  }
  report.BeginObject("account");
  report.Field("account", account.account);
  WriteMoneyOf(report, money, markets);
  report.Objects("orders", account.orders, [&](const engine::RestingOrder& order) {
    const MarketDefinition* market = markets.Find(order.market);
    report.Line("   order ", order.id, "  ", MarketText(order.market, market), " ",
                engine::NameOf(order.side), " ", PriceText(order.price, market), "  ",
                QuantityText(order.quantity_remaining, market));
    report.Field("order", order.id);
    if (market != nullptr) report.Field("market", market->symbol);
    report.Field("market_id", order.market);
    report.Field("side", engine::NameOf(order.side));
    WritePrice(report, "price", order.price, market);
    WriteQuantity(report, "remaining", order.quantity_remaining, market);
  });
  report.EndObject();
  if (account.orders.empty()) report.Line("   no order of it rests");
  report.Line();
}

}  // namespace tools
