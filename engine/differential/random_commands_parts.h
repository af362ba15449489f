// What the sources of RandomCommands share.

#ifndef ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_PARTS_H_
#define ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_PARTS_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

inline constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kSecond = 1'000'000'000;
constexpr std::initializer_list<int64_t> kWindows = {1, 1000, 100'000'000, kSecond, 3 * kSecond};

// 0: binary in cents. 1: binary with tick bands and hundredths of contracts. 2: equity with ticks
// and lots. Others: binary in tenths of cents, with tenths of contracts and lots.
inline MarketDefinition MarketOfShape(int shape) {
  MarketDefinition market;
  market.kind = MarketKind::kBinary;
  switch (shape) {
    case 0:
      market.price_decimals = 2;
      market.price_max = Price::FromUnits(99);
      break;
    case 1:
      market.price_decimals = 4;
      market.quantity_decimals = 2;
      market.price_min = Price::FromUnits(10);
      market.price_max = Price::FromUnits(9990);
      market.tick = Price::FromUnits(10);
      market.bands = {{Price::FromUnits(10), Price::FromUnits(10)},
                      {Price::FromUnits(1000), Price::FromUnits(100)},
                      {Price::FromUnits(9010), Price::FromUnits(10)}};
      break;
    case 2:
      market.kind = MarketKind::kEquity;
      market.price_decimals = 2;
      market.tick = Price::FromUnits(5);
      market.price_min = Price::FromUnits(-100);
      market.price_max = Price::FromUnits(100'000);
      market.lot = Quantity::FromUnits(10);
      market.quantity_min = Quantity::FromUnits(20);
      market.quantity_max = Quantity::FromUnits(500);
      break;
    default:
      market.price_decimals = 3;
      market.quantity_decimals = 1;
      market.price_max = Price::FromUnits(999);
      market.lot = Quantity::FromUnits(5);
      market.quantity_min = Quantity::FromUnits(10);
      break;
  }
  return market;
}

inline Command CommandOf(CommandKind kind, AccountId account = {}, MarketId market = {}) {
  Command command;
  command.kind = kind;
  command.account = account;
  command.market = market;
  return command;
}

// A command of each kind about an account, by number, so that a kind follows what it undoes. What
// has an attachment has none here.
inline std::vector<Command> EachAboutAccount(AccountId account) {
  std::vector<Command> commands;
  for (const CommandKindInfo& info : kCommandKinds) {
    if (info.scope != Scope::kAccount) continue;
    commands.push_back(CommandOf(info.kind, account));
    if (info.price.type == FieldType::kMoney) commands.back().set_amount(Money::FromDollars(1));
  }
  return commands;
}

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_RANDOM_COMMANDS_PARTS_H_
