#include "engine/differential/random_commands.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/differential/random_commands_parts.h"
#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

constexpr std::array<Scenario, 9> kScenarios = {{
    {.name = "equity", .equity = 100, .kind_account = 0, .kind_groups = 0},
    {.name = "binary", .equity = 0, .stp = 0, .group = 0, .kind_lifecycle = 0},
    {.name = "self_trade", .stp = 70, .market_orders = 15, .kind_limits = 0},
    {.name = "groups", .group = 80, .kind_groups = 6},
    {.name = "expiry", .expiring = 70, .kind_lifecycle = 3},
    {.name = "lifecycle", .reduce_only = 20, .kind_lifecycle = 14, .kind_exchange = 4},
    {.name = "limits", .poor = 40, .kind_limits = 8, .kind_position_limits = 4},
    {.name = "hostile", .hostile = 40, .poor = 20, .kind_lifecycle = 4, .kind_groups = 4},
    {.name = "mixed",
     .equity = 30,
     .stp = 30,
     .group = 30,
     .expiring = 30,
     .kind_limits = 3,
     .kind_position_limits = 4},
}};

}  // namespace

absl::string_view ScenarioName(uint64_t seed) { return kScenarios[seed % kScenarios.size()].name; }

RandomCommands::RandomCommands(uint64_t seed)
    : prng_(seed),
      scenario_(kScenarios[seed % kScenarios.size()]),
      is_mirrored_(seed / kScenarios.size() % 4 == 2) {
  now_ = Timestamp::FromNanos(prng_.Chance(90) ? int64_t{1'767'225'600} * kSecond
                                               : OneOf<int64_t>({0, -3 * kSecond}));
  QueueSetup();
}

// ---- Queued commands.

void RandomCommands::Queue(Command command, std::vector<std::byte> attachment) {
  queue_.push_back({command, std::move(attachment)});
}

// ---- The next command.

SessionCommand RandomCommands::Next(const ReferenceExchange& exchange) {
  if (shut_for_ > 0 && --shut_for_ == 0)
    queue_.push_front({CommandOf(CommandKind::kResumeExchange), {}});
  if (queue_.empty()) MakeAny(exchange);
  SessionCommand made = std::move(queue_.front());
  queue_.pop_front();
  if (Chance(scenario_.hostile)) Spoil(made);
  if (made.command.kind == CommandKind::kPauseExchange ||
      made.command.kind == CommandKind::kHaltExchange) {
    shut_for_ = 1 + static_cast<int>(prng_.Below(8));
  }
  Orders orders;
  for (const auto& [id, market] : exchange.markets().all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      exchange.VisitOrders(id, side, [&](const RestingOrder& order) { orders.push_back(order); });
    }
  }
  now_ = std::max(exchange.now(), now_);
  now_ = NextTime(orders);
  made.command.timestamp = now_;
  made.command.sequence = exchange.last_applied().Next();
  return made;
}

void RandomCommands::MakeAny(const ReferenceExchange& exchange) {
  if (is_mirrored_ && Chance(12)) return MakeExecution(exchange);
  const Scenario& s = scenario_;
  int draw = static_cast<int>(prng_.Below(100));
  const auto drawn = [&](int weight) { return (draw -= weight) < 0; };
  if (drawn(s.kind_leave)) return MakeAboutOrder(exchange, /*leaves=*/true);
  if (drawn(s.kind_change)) return MakeAboutOrder(exchange, /*leaves=*/false);
  if (drawn(s.kind_lifecycle)) return MakeLifecycle(exchange);
  if (drawn(s.kind_exchange)) {
    return Queue(CommandOf(OneOf(
        {CommandKind::kPauseExchange, CommandKind::kHaltExchange, CommandKind::kResumeExchange})));
  }
  if (drawn(s.kind_account)) return MakeAccount(exchange);
  if (drawn(s.kind_limits)) return QueueRiskLimits(AnyAccount());
  if (drawn(s.kind_position_limits)) return QueuePositionLimit(exchange);
  if (drawn(s.kind_groups)) return MakeGroup();
  if (drawn(s.kind_mass_cancel)) return MakeMassCancel(exchange);
  if (drawn(s.kind_time)) return Queue(CommandOf(CommandKind::kAdvanceTime));
  if (drawn(s.kind_note)) return MakeNote();
  MakeOrder(exchange);
}

void RandomCommands::MakeOrder(const ReferenceExchange& exchange) {
  const MarketId id = AnyMarket(exchange);
  const MarketDefinition* const found = exchange.markets().Find(id);
  const MarketDefinition market = found != nullptr ? *found : MarketOfShape(0);
  Command command = CommandOf(CommandKind::kNewOrder, AnyAccount(), id);
  if (market.kind == MarketKind::kEquity && Chance(30)) command.account = AccountId();
  command.side = OneOf({Side::kBid, Side::kAsk});
  command.type = Chance(scenario_.market_orders) ? OrderType::kMarket : OrderType::kLimit;
  command.tif = OneOf({TimeInForce::kGoodTillCancelled, TimeInForce::kGoodTillCancelled,
                       TimeInForce::kGoodTillCancelled, TimeInForce::kGoodTillCancelled,
                       TimeInForce::kDay, TimeInForce::kDay, TimeInForce::kImmediateOrCancel,
                       TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill});
  if (command.type == OrderType::kMarket && Chance(98)) {
    command.tif = OneOf({TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill});
  } else if (Chance(scenario_.expiring)) {
    command.tif = TimeInForce::kGoodTillTime;
  }
  if (command.tif == TimeInForce::kGoodTillTime) command.set_expires_at(AnyExpiry());
  if (command.type == OrderType::kLimit || Chance(1)) command.price = AnyPrice(market);
  command.quantity = AnyQuantity(market);
  command.flags = AnyFlags(Rests(command.tif), command.tif == TimeInForce::kImmediateOrCancel);
  if (command.account != AccountId() && Chance(scenario_.group)) {
    command.set_group(AnyGroup());
  }
  if (market.mirrored) FitMirrored(command);
  Queue(command);
}

// Mostly makes the new order one that a mirrored market takes.
void RandomCommands::FitMirrored(Command& command) {
  if (Chance(5)) return;
  command.account = AccountId();
  command.set_group(GroupId());
  command.type = OrderType::kLimit;
  if (!Rests(command.tif)) {
    command.tif = TimeInForce::kGoodTillCancelled;
    command.flags = OrderFlags();
  }
}

// Mostly of an order in a mirrored market, for a part of it or all, at its price or near that.
void RandomCommands::MakeExecution(const ReferenceExchange& exchange) {
  std::vector<MarketId> markets;
  for (const auto& [id, market] : exchange.markets().all()) {
    if (market.mirrored) markets.push_back(id);
  }
  const bool is_elsewhere = markets.empty() || Chance(3);
  const MarketId id = is_elsewhere ? AnyMarket(exchange) : markets[prng_.Below(markets.size())];
  const MarketDefinition* const market = exchange.markets().Find(id);
  Command command = CommandOf(CommandKind::kExecute, AccountId(), id);
  if (Chance(3)) command.account = AnyAccount();
  if (market == nullptr) return Queue(command);
  command.price = AnyPrice(*market);
  command.quantity = AnyQuantity(*market);
  if (Chance(50)) command.side = OneOf({Side::kBid, Side::kAsk});
  Orders orders;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    exchange.VisitOrders(id, side, [&](const RestingOrder& order) { orders.push_back(order); });
  }
  if (orders.empty() || Chance(15)) {
    if (Chance(5)) command.order_id = OrderId(prng_.Below(exchange.last_applied().value() + 3));
    return Queue(command);
  }
  const RestingOrder& order = orders[prng_.Below(orders.size())];
  command.order_id = order.id;
  if (Chance(80)) command.price = order.price;
  const uint64_t lot = market->lot.units();
  const uint64_t remaining = order.quantity_remaining.units();
  command.quantity = Quantity::FromUnits(lot * (1 + prng_.Below(remaining / lot + 1)));
  if (Chance(30)) command.quantity = order.quantity_remaining;
  Queue(command);
}

void RandomCommands::MakeAboutOrder(const ReferenceExchange& exchange, bool leaves) {
  const MarketId id = AnyMarket(exchange);
  const AccountId account = AnyAccount();
  Command command =
      CommandOf(leaves ? OneOf({CommandKind::kCancel, CommandKind::kReduce, CommandKind::kReduceTo})
                       : OneOf({CommandKind::kAmend, CommandKind::kAmend, CommandKind::kReplace,
                                CommandKind::kReplace, CommandKind::kSetExpiry}),
                account, id);
  const MarketDefinition* market = exchange.markets().Find(command.market);
  Orders orders;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    exchange.VisitOrders(command.market, side,
                         [&](const RestingOrder& order) { orders.push_back(order); });
  }
  if (orders.empty() && Chance(95)) return MakeOrder(exchange);
  if (orders.empty() || Chance(4)) {
    command.order_id = OrderId(prng_.Below(exchange.last_applied().value() + 3));
    command.quantity = Quantity::FromUnits(prng_.Below(30));
    if (market != nullptr) command.price = AnyPrice(*market);
    return Queue(command);
  }
  const RestingOrder& order = orders[prng_.Below(orders.size())];
  command.order_id = order.id;
  if (Chance(97)) command.account = order.account;
  if (Chance(1)) command.market = MarketId(1 + static_cast<uint32_t>(prng_.Below(4)));
  const uint64_t lot = market->lot.units();
  const uint64_t remaining = order.quantity_remaining.units();
  command.price = Chance(50) ? order.price : AnyPrice(*market);
  if (command.kind == CommandKind::kSetExpiry) {
    command.set_new_expiry(Chance(25) ? Timestamp() : AnyExpiry());
  }
  if (leaves) {
    const uint64_t part = prng_.Below(remaining / lot + 2) * lot;
    command.quantity =
        Quantity::FromUnits(Chance(5) ? OneOf({remaining, uint64_t{0}, part + 1}) : part);
  } else {
    const uint64_t total = order.quantity_total().units();
    command.quantity = Chance(50) ? AnyQuantity(*market)
                                  : Quantity::FromUnits(OneOf({total, total + lot, total - lot,
                                                               order.quantity_filled.units() + lot,
                                                               order.quantity_filled.units()}));
  }
  Queue(command);
}

void RandomCommands::MakeMassCancel(const ReferenceExchange& exchange) {
  Command command = CommandOf(CommandKind::kMassCancel, Chance(20) ? AccountId() : AnyAccount());
  if (Chance(60)) command.market = AnyMarket(exchange);
  if (Chance(30)) command.set_group(AnyGroup());
  if (Chance(40)) command.side = OneOf({Side::kBid, Side::kAsk});
  Queue(command);
}

}  // namespace engine
