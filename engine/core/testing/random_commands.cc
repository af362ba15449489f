#include "engine/core/testing/random_commands.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/risk_limits.h"

namespace engine {
namespace {

constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kSecond = 1'000'000'000;
constexpr std::initializer_list<int64_t> kWindows = {1, 1000, 100'000'000, kSecond, 3 * kSecond};

constexpr std::array<Scenario, 9> kScenarios = {{
    {.name = "equity", .equity = 100, .kind_account = 0, .kind_groups = 0},
    {.name = "binary", .equity = 0, .stp = 0, .group = 0, .kind_lifecycle = 0},
    {.name = "self_trade", .stp = 70, .market_orders = 15, .kind_limits = 0},
    {.name = "groups", .group = 80, .kind_groups = 6},
    {.name = "expiry", .expiring = 70, .kind_lifecycle = 3},
    {.name = "lifecycle", .reduce_only = 20, .kind_lifecycle = 14, .kind_exchange = 4},
    {.name = "limits", .poor = 40, .kind_limits = 8},
    {.name = "hostile", .hostile = 40, .poor = 20, .kind_lifecycle = 4, .kind_groups = 4},
    {.name = "mixed", .equity = 30, .stp = 30, .group = 30, .expiring = 30, .kind_limits = 3},
}};

// Binary in cents; binary tapered with hundredths of contracts; equity with ticks and lots; binary
// in between.
MarketDefinition Shape(int shape) {
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

Command Of(CommandKind kind, AccountId account = {}, MarketId market = {}) {
  Command command;
  command.kind = kind;
  command.account = account;
  command.market = market;
  return command;
}

}  // namespace

absl::string_view ScenarioName(uint64_t seed) { return kScenarios[seed % kScenarios.size()].name; }

RandomCommands::RandomCommands(uint64_t seed)
    : prng_(seed), scenario_(kScenarios[seed % kScenarios.size()]) {
  now_ = Timestamp::FromNanos(prng_.Chance(90) ? int64_t{1'767'225'600} * kSecond
                                               : OneOf<int64_t>({0, -3 * kSecond}));
  QueueSetup();
}

// ---- The world before trading.

void RandomCommands::Queue(Command command, std::vector<std::byte> attachment) {
  queue_.push_back({command, std::move(attachment)});
}

void RandomCommands::QueueMarket(MarketId id, int shape, bool starts_unopened) {
  MarketDefinition market = Shape(shape);
  market.id = id;
  market.symbol = absl::StrCat("M", Chance(98) ? id.value() : 1);
  market.starts_unopened = starts_unopened;
  Queue(Of(CommandKind::kDefineMarket, AccountId(), id), EncodeMarketDefinition(market));
}

void RandomCommands::QueueFees(MarketId market) {
  FeeSchedule fees;
  fees.taker_coefficient = OneOf<uint32_t>({0, 700, 700, 350, 9999});
  fees.maker_coefficient = OneOf<uint32_t>({0, 175, 175, 700, 9999});
  fees.multiplier = OneOf<uint32_t>({100, 100, 50, 0});
  Queue(Of(CommandKind::kSetFees, AccountId(), market), EncodeFeeSchedule(fees));
}

void RandomCommands::QueueRiskLimits(AccountId account) {
  RiskLimits limits;
  if (Chance(50)) limits.open_orders_max = prng_.Below(6);
  if (Chance(40)) limits.order_quantity_max = Quantity::FromUnits(prng_.Below(300));
  if (Chance(40)) limits.order_notional_max = Money::FromMicros(prng_.Between(0, 20'000'000));
  if (Chance(50)) limits.orders_per_second_max = prng_.Below(5);
  Queue(Of(CommandKind::kSetRiskLimits, account), EncodeRiskLimits(limits));
}

void RandomCommands::QueueSetup() {
  if (Chance(scenario_.fees)) QueueFees(MarketId());
  for (int shape = 0; shape < 4; ++shape) {
    QueueMarket(MarketId(++markets_made_), shape, Chance(scenario_.kind_lifecycle));
    if (Chance(50)) Queue(Of(CommandKind::kOpenMarket, AccountId(), MarketId(markets_made_)));
  }
  for (uint32_t account = 1; account <= 3; ++account) {
    Queue(Of(CommandKind::kOpenAccount, AccountId(account)));
    Command deposit = Of(CommandKind::kDeposit, AccountId(account));
    deposit.set_amount(Money::FromDollars(Chance(scenario_.poor) ? 20 : 10'000));
    Queue(deposit);
    if (Chance(scenario_.kind_limits * 4)) QueueRiskLimits(AccountId(account));
  }
  for (int i = scenario_.group / 5; i > 0; --i) MakeGroup();
}

// ---- One after the other.

SessionCommand RandomCommands::Next(const ReferenceExchange& exchange) {
  if (shut_for_ > 0 && --shut_for_ == 0) queue_.push_front({Of(CommandKind::kResumeExchange), {}});
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
  const Scenario& s = scenario_;
  int draw = static_cast<int>(prng_.Below(100));
  const auto drawn = [&](int weight) { return (draw -= weight) < 0; };
  if (drawn(s.kind_leave)) return MakeAboutOrder(exchange, /*leaves=*/true);
  if (drawn(s.kind_change)) return MakeAboutOrder(exchange, /*leaves=*/false);
  if (drawn(s.kind_lifecycle)) return MakeLifecycle(exchange);
  if (drawn(s.kind_exchange)) {
    return Queue(Of(OneOf(
        {CommandKind::kPauseExchange, CommandKind::kHaltExchange, CommandKind::kResumeExchange})));
  }
  if (drawn(s.kind_account)) return MakeAccount(exchange);
  if (drawn(s.kind_limits)) return QueueRiskLimits(AnyAccount());
  if (drawn(s.kind_groups)) return MakeGroup();
  if (drawn(s.kind_mass_cancel)) return MakeMassCancel(exchange);
  if (drawn(s.kind_time)) return Queue(Of(CommandKind::kAdvanceTime));
  MakeOrder(exchange);
}

MarketId RandomCommands::AnyMarket(const ReferenceExchange& exchange) {
  std::vector<MarketId> wanted;
  const MarketKind kind = Chance(scenario_.equity) ? MarketKind::kEquity : MarketKind::kBinary;
  for (const auto& [id, market] : exchange.markets().all()) {
    if (market.kind == kind) wanted.push_back(id);
  }
  if (wanted.empty() || Chance(1)) {
    return MarketId(static_cast<uint32_t>(prng_.Below(markets_made_ + 2)));
  }
  // The newest is the likeliest to be open.
  return Chance(60) ? wanted.back() : wanted[prng_.Below(wanted.size())];
}

Price RandomCommands::AnyPrice(const MarketDefinition& market) {
  const int64_t low = market.price_min.units();
  const int64_t high = market.price_max.units();
  int64_t price = 0;
  if (market.kind == MarketKind::kEquity) {
    price = 1000 + 5 * prng_.Between(-3, 3);
  } else {
    price = low + (high - low) / 2 + prng_.Between(-4, 4) * ((high - low) / 40 + 1);
  }
  if (Chance(8)) price = OneOf({low, high, low + market.tick.units(), high - market.tick.units()});
  if (market.kind == MarketKind::kBinary && Chance(15)) price = prng_.Between(low, high);
  if (Chance(97)) {
    const int64_t tick = market.TickAt(Price::FromUnits(price)).units();
    price -= price % tick;
    price = std::max(price, low);
  }
  if (Chance(1)) price = OneOf<int64_t>({low - 1, high + 1, 0, -5});
  return Price::FromUnits(price);
}

Quantity RandomCommands::AnyQuantity(const MarketDefinition& market) {
  const uint64_t lot = market.lot.units();
  uint64_t quantity = lot * (1 + prng_.Below(6));
  if (market.quantity_decimals == 2) quantity = OneOf<uint64_t>({1, 33, 100, 100, 250, 552, 116});
  if (market.quantity_decimals == 1) quantity = lot * (2 + prng_.Below(10));
  if (market.kind == MarketKind::kEquity) quantity = lot * (2 + prng_.Below(8));
  if (Chance(2)) {
    quantity = OneOf<uint64_t>({0, 1, lot - 1, market.quantity_min.units(), lot, 500, 510,
                                kQuantityMax.units(), kQuantityMax.units() + 1});
  }
  return Quantity::FromUnits(quantity);
}

OrderFlags RandomCommands::AnyFlags(bool rests, bool immediate) {
  OrderFlags flags;
  if (Chance(scenario_.stp)) {
    flags = flags.WithSelfTradePrevention(static_cast<SelfTradePrevention>(prng_.Between(1, 3)));
  }
  const bool sound = Chance(97);
  if ((rests || !sound) && Chance(scenario_.post_only)) flags = flags.WithPostOnly();
  if ((rests || !sound) && Chance(15)) flags = flags.WithCancelOnPause();
  if ((immediate || !sound) && Chance(scenario_.reduce_only * 4)) flags = flags.WithReduceOnly();
  return flags;
}

Timestamp RandomCommands::AnyExpiry() {
  const int64_t span = OneOf<int64_t>({1, 2, 1000, 1'000'000, 200'000'000, kSecond, kSecond});
  const int64_t time = now_.nanos() + prng_.Between(span / 2, span * 2);
  if (Chance(95)) return Timestamp::FromNanos(time);
  return Timestamp::FromNanos(OneOf<int64_t>({now_.nanos(), now_.nanos() - 1, 0, kInt64Max, -1}));
}

void RandomCommands::MakeOrder(const ReferenceExchange& exchange) {
  const MarketId id = AnyMarket(exchange);
  const MarketDefinition* const found = exchange.markets().Find(id);
  const MarketDefinition market = found != nullptr ? *found : Shape(0);
  Command command = Of(CommandKind::kNewOrder, AnyAccount(), id);
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
    command.group = GroupId(static_cast<uint16_t>(prng_.Between(1, 2)));
  }
  Queue(command);
}

void RandomCommands::MakeAboutOrder(const ReferenceExchange& exchange, bool leaves) {
  Command command =
      Of(leaves ? OneOf({CommandKind::kCancel, CommandKind::kReduce, CommandKind::kReduceTo})
                : OneOf({CommandKind::kAmend, CommandKind::kReplace}),
         AnyAccount(), AnyMarket(exchange));
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
  Command command = Of(CommandKind::kMassCancel, Chance(20) ? AccountId() : AnyAccount());
  if (Chance(60)) command.market = AnyMarket(exchange);
  if (Chance(30)) command.group = GroupId(static_cast<uint16_t>(prng_.Between(1, 2)));
  if (Chance(40)) command.side = OneOf({Side::kBid, Side::kAsk});
  Queue(command);
}

void RandomCommands::MakeLifecycle(const ReferenceExchange& exchange) {
  const MarketId id = AnyMarket(exchange);
  const MarketDefinition* const market = exchange.markets().Find(id);
  if (Chance(8)) return QueueFees(Chance(30) ? MarketId() : id);
  if (Chance(4)) {
    return QueueMarket(MarketId(1 + static_cast<uint32_t>(prng_.Below(markets_made_ + 1))), 0,
                       false);
  }
  const auto kind =
      OneOf({CommandKind::kOpenMarket, CommandKind::kPauseMarket, CommandKind::kPauseMarket,
             CommandKind::kCloseMarket, CommandKind::kDetermineMarket, CommandKind::kSettleMarket});
  if (kind == CommandKind::kDetermineMarket && market != nullptr) return QueueDetermine(*market);
  Queue(Of(kind, AccountId(), id));
  // What was paused goes on soon, and what ended is followed by something new: trading is what
  // brings markets into deep states.
  if (kind == CommandKind::kPauseMarket && Chance(85)) {
    for (uint64_t i = prng_.Below(6); i > 0; --i) MakeAboutOrder(exchange, Chance(70));
    Queue(Of(CommandKind::kOpenMarket, AccountId(), id));
  }
  if (kind == CommandKind::kCloseMarket && market != nullptr && Chance(85)) QueueEnd(*market);
}

void RandomCommands::QueueDetermine(const MarketDefinition& market) {
  Command command = Of(CommandKind::kDetermineMarket, AccountId(), market.id);
  const int64_t dollar = market.price_max.units() + market.price_min.units();
  command.price = Price::FromUnits(
      OneOf({int64_t{0}, dollar, dollar / 2, int64_t{1}, dollar / 3, dollar + 1, int64_t{-1}}));
  Queue(command);
}

void RandomCommands::QueueEnd(const MarketDefinition& market) {
  if (market.kind == MarketKind::kEquity) {
    return Queue(Of(CommandKind::kOpenMarket, AccountId(), market.id));
  }
  QueueDetermine(market);
  if (Chance(20)) QueueDetermine(market);
  Queue(Of(CommandKind::kSettleMarket, AccountId(), market.id));
  const bool starts_unopened = Chance(30);
  QueueMarket(MarketId(++markets_made_), OneOf({0, 1, 3}), starts_unopened);
  if (starts_unopened) {
    Queue(Of(CommandKind::kOpenMarket, AccountId(), MarketId(markets_made_)));
  }
}

void RandomCommands::MakeAccount(const ReferenceExchange& exchange) {
  Command command = Of(OneOf({CommandKind::kDeposit, CommandKind::kDeposit, CommandKind::kWithdraw,
                              CommandKind::kWithdraw, CommandKind::kOpenAccount}),
                       AnyAccount());
  if (command.kind == CommandKind::kOpenAccount) return Queue(command);
  command.set_amount(Money::FromMicros(100 * prng_.Between(1, 200'000)));
  const auto account = exchange.FindAccount(command.account);
  if (command.kind == CommandKind::kWithdraw && account.has_value() && Chance(scenario_.poor)) {
    // All there is, or the least bit more.
    const Money available = account->balance - account->reserved;
    command.set_amount(available + Money::FromMicros(OneOf<int64_t>({0, 0, kBalanceStepMicros})));
  }
  if (Chance(5)) {
    command.set_amount(OneOf({Money(), Money::FromMicros(-100), Money::FromMicros(150), kMoneyMax,
                              Money::FromMicros(kInt64Max), Money::FromMicros(kInt64Min)}));
  }
  Queue(command);
}

void RandomCommands::MakeGroup() {
  Command command = Of(CommandKind::kDefineGroup, AnyAccount());
  command.group = GroupId(static_cast<uint16_t>(prng_.Between(1, 2)));
  if (Chance(50)) command.kind = CommandKind::kResetGroup;
  if (command.kind == CommandKind::kDefineGroup) {
    command.quantity = Quantity::FromUnits(OneOf<uint64_t>({5, 20, 60, 200, 800, 3000}));
    command.set_window_nanos(Chance(90) ? OneOf(kWindows) : kInt64Max);
    if (Chance(3)) command.set_window_nanos(OneOf<int64_t>({0, -1}));
    if (Chance(3)) command.quantity = Quantity();
  }
  Queue(command);
}

// Anything at all in one place.
void RandomCommands::Spoil(SessionCommand& made) {
  Command& command = made.command;
  const int64_t word = OneOf({int64_t{0}, int64_t{1}, int64_t{-1}, kInt64Max, kInt64Min,
                              kPriceUnitsMax, static_cast<int64_t>(prng_.Next())});
  switch (prng_.Below(13)) {
    case 0:
      command.kind = static_cast<CommandKind>(prng_.Below(Chance(90) ? 27 : 65536));
      break;
    case 1:
      command.side = static_cast<Side>(prng_.Below(256));
      break;
    case 2:
      command.type = static_cast<OrderType>(prng_.Below(256));
      break;
    case 3:
      command.tif = static_cast<TimeInForce>(prng_.Below(Chance(50) ? 8 : 256));
      break;
    case 4:
      command.flags = OrderFlags::FromBits(static_cast<uint8_t>(prng_.Below(256)));
      break;
    case 5:
      command.group = GroupId(static_cast<uint16_t>(prng_.Below(65536)));
      break;
    case 6:
      command.account = AccountId(static_cast<uint32_t>(prng_.Below(Chance(50) ? 6 : 1u << 31)));
      break;
    case 7:
      command.market = MarketId(static_cast<uint32_t>(prng_.Below(Chance(50) ? 6 : 1u << 31)));
      break;
    case 8:
      command.order_id = OrderId(static_cast<uint64_t>(word));
      break;
    case 9:
      command.price = Price::FromUnits(word);
      break;
    case 10:
      command.quantity = Quantity::FromUnits(Chance(50) ? kQuantityMax.units() + prng_.Below(2)
                                                        : static_cast<uint64_t>(word));
      break;
    case 11:
      if (!made.attachment.empty()) {
        made.attachment[prng_.Below(made.attachment.size())] ^= std::byte{1} << prng_.Below(8);
      }
      break;
    default:
      made.attachment.resize(prng_.Below(made.attachment.size() + 9));
      break;
  }
}

// Mostly a little later; often exactly when something happens.
Timestamp RandomCommands::NextTime(const Orders& orders) {
  const int64_t now = now_.nanos();
  if (now > kInt64Max / 2) return now_;
  int64_t next = now;
  const auto try_moment = [&](int64_t time) {
    if (time > now && time < now + 10 * kSecond) next = time - prng_.Between(0, 1);
  };
  switch (prng_.Below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      break;
    case 4:
    case 5:
    case 6:
      next += prng_.Between(1, 1000);
      break;
    case 7:
    case 8:
      next += prng_.Between(1, 60'000'000);
      break;
    case 9:
      try_moment((now / kSecond + 1) * kSecond);
      break;
    case 10:
      // When what happened at an earlier command leaves the window of a group.
      try_moment(moments_[prng_.Below(moments_.size())] + OneOf(kWindows));
      break;
    default:
      if (!orders.empty()) try_moment(orders[prng_.Below(orders.size())].expires_at.nanos());
      break;
  }
  next = std::max(next, now);
  moments_[prng_.Below(moments_.size())] = next;
  return Timestamp::FromNanos(next);
}

}  // namespace engine
