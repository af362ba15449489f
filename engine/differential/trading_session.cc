#include "engine/differential/trading_session.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

std::vector<MarketDefinition> SessionMarkets() {
  MarketDefinition acme;
  acme.id = MarketId(1);
  acme.symbol = "ACME";
  acme.price_decimals = 2;
  acme.price_max = Price::FromUnits(100'000);
  MarketDefinition zinc = acme;
  zinc.id = MarketId(2);
  zinc.symbol = "ZINC";
  zinc.tick = Price::FromUnits(5);
  zinc.lot = Quantity::FromUnits(10);
  zinc.price_min = Price::FromUnits(-100);
  MarketDefinition rain;
  rain.id = MarketId(3);
  rain.symbol = "RAIN";
  rain.kind = MarketKind::kBinary;
  rain.price_decimals = 4;
  rain.quantity_decimals = 2;
  rain.tick = Price::FromUnits(5);
  rain.price_min = Price::FromUnits(5);
  rain.price_max = Price::FromUnits(9'995);
  MarketDefinition echo = acme;
  echo.id = MarketId(4);
  echo.symbol = "ECHO";
  echo.mirrored = true;
  return {acme, zinc, rain, echo};
}

std::vector<SessionCommand> OpeningCommands() {
  std::vector<SessionCommand> commands;
  Command command;
  command.kind = CommandKind::kDefineMarket;
  for (const MarketDefinition& definition : SessionMarkets()) {
    command.market = definition.id;
    commands.push_back({command, EncodeMarketDefinition(definition)});
  }
  for (const uint32_t account : {1, 2}) {
    command = Command();
    command.account = AccountId(account);
    command.kind = CommandKind::kOpenAccount;
    commands.push_back({command, {}});
    command.kind = CommandKind::kDeposit;
    command.set_amount(Money::FromMicros(account == 1 ? 100'000'000 : 100'000));
    commands.push_back({command, {}});
  }
  return commands;
}

void showValue(const TradingSession& session, std::ostream& out) {
  MarketDirectory markets;
  for (const MarketDefinition& definition : SessionMarkets()) markets.Add(definition);
  const MessageText text(markets);
  out << "\n# A counterexample.\n";
  for (const SessionCommand& opening : OpeningCommands()) {
    out << text.Format(opening.command, opening.attachment) << "\n";
  }
  for (const Command& command : session.commands) out << text.Format(command) << "\n";
}

namespace {

template <typename T>
rc::Gen<T> Mostly(rc::Gen<T> usual, rc::Gen<T> rare) {
  return rc::gen::weightedOneOf<T>({{30, std::move(usual)}, {1, std::move(rare)}});
}

rc::Gen<int64_t> AnyPrice() {
  return Mostly<int64_t>(
      rc::gen::map(rc::gen::inRange(0, 6), [](int ticks) { return int64_t{1000 + 5 * ticks}; }),
      rc::gen::element<int64_t>(0, 1, 1003, -100, -5, 100'000, 100'001,
                                std::numeric_limits<int64_t>::min(),
                                std::numeric_limits<int64_t>::max()));
}

rc::Gen<uint64_t> AnyQuantity() {
  const auto times = [](uint64_t lot) {
    return rc::gen::map(rc::gen::inRange<uint64_t>(1, 6), [lot](uint64_t n) { return n * lot; });
  };
  return Mostly<uint64_t>(
      rc::gen::oneOf(times(1), times(10)),
      rc::gen::element<uint64_t>(0, 7, kQuantityMax.units(), kQuantityMax.units() + 1,
                                 std::numeric_limits<uint64_t>::max()));
}

template <typename Enum>
rc::Gen<Enum> Enumerator(std::initializer_list<Enum> sound) {
  return Mostly<Enum>(
      rc::gen::elementOf(std::vector<Enum>(sound)),
      rc::gen::map(rc::gen::inRange(0, 256), [](int number) { return static_cast<Enum>(number); }));
}

rc::Gen<CommandKind> AnyKind() {
  return Mostly<CommandKind>(
      rc::gen::weightedElement<CommandKind>({{20, CommandKind::kNewOrder},
                                             {4, CommandKind::kCancel},
                                             {4, CommandKind::kReduce},
                                             {4, CommandKind::kReduceTo},
                                             {4, CommandKind::kReplace},
                                             {6, CommandKind::kAmend},
                                             {2, CommandKind::kAdvanceTime},
                                             {1, CommandKind::kMassCancel},
                                             {1, CommandKind::kPauseMarket},
                                             {2, CommandKind::kOpenMarket},
                                             {1, CommandKind::kDefineGroup},
                                             {1, CommandKind::kResetGroup},
                                             {1, CommandKind::kTriggerGroup},
                                             {1, CommandKind::kDeleteGroup},
                                             {1, CommandKind::kSetExpiry},
                                             {2, CommandKind::kExecute}}),
      rc::gen::map(rc::gen::inRange(0, static_cast<int>(kLastCommandKind) + 2),
                   [](int n) { return static_cast<CommandKind>(n); }));
}

// The bits of OrderFlags; mostly none.
rc::Gen<uint8_t> AnyFlags() {
  return Mostly<uint8_t>(rc::gen::weightedElement<uint8_t>(
                             {{10, 0}, {1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {1, 24}}),
                         rc::gen::arbitrary<uint8_t>());
}

rc::Gen<Command> AnyCommand() {
  return rc::gen::exec([] {
    Command command;
    command.kind = *AnyKind();
    command.market =
        MarketId(*rc::gen::weightedElement<uint32_t>({{20, 1}, {5, 2}, {20, 3}, {10, 4}, {1, 5}}));
    command.account = AccountId(*rc::gen::weightedElement<uint32_t>({{10, 1}, {10, 2}, {1, 3}}));
    if (command.market == MarketId(4) && *rc::gen::inRange(0, 10) != 0) command.account = {};
    command.order_id = OrderId(*rc::gen::inRange<uint64_t>(0, 60));
    command.side = *Enumerator({Side::kBid, Side::kAsk});
    command.type = *Enumerator({OrderType::kLimit, OrderType::kLimit, OrderType::kMarket});
    command.tif = *Enumerator({TimeInForce::kGoodTillCancelled, TimeInForce::kGoodTillCancelled,
                               TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill,
                               TimeInForce::kGoodTillTime, TimeInForce::kDay});
    const bool has_price =
        command.kind != CommandKind::kNewOrder || command.type != OrderType::kMarket;
    command.price = Price::FromUnits(has_price ? *AnyPrice() : 0);
    command.quantity = Quantity::FromUnits(*AnyQuantity());
    command.flags = OrderFlags::FromBits(*AnyFlags());
    command.set_group(GroupId(*rc::gen::weightedElement<uint32_t>({{10, 0}, {1, 1}, {1, 65'537}})));
    return command;
  });
}

}  // namespace

rc::Gen<TradingSession> AnyTradingSession() {
  return rc::gen::map(rc::gen::scale(2.0, rc::gen::container<std::vector<Command>>(AnyCommand())),
                      [](std::vector<Command> commands) {
                        return TradingSession{.commands = std::move(commands)};
                      });
}

}  // namespace engine
