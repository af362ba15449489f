// What folding costs the views that answer clients: an order that rests and is cancelled, and an
// order that takes it, with the money and positions of both accounts. A hundred accounts and twenty
// markets, in random order; each order carries the client's id as text. An iteration is two
// commands, and includes making them: BM_Nothing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/order_note.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/views/candles.h"
#include "engine/views/market_stats.h"
#include "engine/views/portfolio.h"
#include "engine/views/trade_tape.h"

namespace engine {
namespace {

constexpr uint32_t kAccounts = 100;
constexpr uint32_t kMarkets = 20;
constexpr uint64_t kQuantity = 100;
constexpr int64_t kPrice = 5'000;

// Makes commands and their events as the exchange does.
class Market {
 public:
  struct Record {
    Command command;
    std::span<const Event> events;
  };

  Command Define(uint32_t market) {
    Command command = Next(CommandKind::kDefineMarket);
    command.account = AccountId();
    command.market = MarketId(market);
    return command;
  }

  // An order of a random account in a random market.
  Record Rest() {
    Command command = Next(CommandKind::kNewOrder);
    command.account = AccountId(static_cast<uint32_t>(1 + prng_.Below(kAccounts)));
    command.market = MarketId(static_cast<uint32_t>(1 + prng_.Below(kMarkets)));
    events_.clear();
    Add(command, EventKind::kAccepted, OrderIdOf(command.sequence), Side::kBid);
    maker_ = command;
    return {command, events_};
  }
  // The order that rested last leaves.
  Record Cancel() {
    Command command = Next(CommandKind::kCancel);
    command.account = maker_.account;
    command.market = maker_.market;
    events_.clear();
    Event& event = Add(command, EventKind::kCancelled, OrderIdOf(maker_.sequence), Side::kBid);
    event.quantity_remaining = Quantity();
    event.detail = static_cast<uint8_t>(CancelReason::kRequested);
    return {command, events_};
  }
  // An order of another account takes it.
  Record Take() {
    Command command = Next(CommandKind::kNewOrder);
    command.account = AccountId(maker_.account.value() % kAccounts + 1);
    command.market = maker_.market;
    events_.clear();
    const OrderId taker = OrderIdOf(command.sequence);
    const OrderId maker = OrderIdOf(maker_.sequence);
    Add(command, EventKind::kAccepted, taker, Side::kAsk);
    Event& trade = Add(command, EventKind::kTrade, maker, Side::kBid);
    trade.counter_order_id = taker;
    trade.account = maker_.account;
    trade.quantity_remaining = Quantity();
    AddMoney(command, maker_.account, maker, static_cast<int64_t>(kQuantity));
    AddMoney(command, command.account, taker, -static_cast<int64_t>(kQuantity));
    return {command, events_};
  }

 private:
  Command Next(CommandKind kind) {
    ++sequence_;
    Command command;
    command.sequence = SequenceNumber(sequence_);
    command.timestamp = Timestamp::FromNanos(static_cast<int64_t>(sequence_) * 1'000'000);
    command.kind = kind;
    command.tif = TimeInForce::kGoodTillCancelled;
    return command;
  }
  Event& Add(const Command& command, EventKind kind, OrderId order, Side side) {
    Event event;
    event.sequence = command.sequence;
    event.index = static_cast<uint32_t>(events_.size());
    event.kind = kind;
    event.order_id = order;
    event.side = side;
    event.price = Price::FromUnits(kPrice);
    event.quantity = Quantity::FromUnits(kQuantity);
    event.quantity_remaining = Quantity::FromUnits(kQuantity);
    event.account = command.account;
    event.market = command.market;
    return events_.emplace_back(event);
  }
  void AddMoney(const Command& command, AccountId account, OrderId order, int64_t change) {
    int64_t& position = positions_[account.value() * (kMarkets + 1) + command.market.value()];
    position += change;
    Add(command, EventKind::kBalance, order, Side()).account = account;
    Event& held = Add(command, EventKind::kPosition, OrderId(), Side());
    held.account = account;
    held.price = Price::FromUnits(position);
  }

  Prng prng_{1};
  uint64_t sequence_ = 0;
  Command maker_;
  std::vector<Event> events_;
  std::vector<int64_t> positions_ = std::vector<int64_t>(size_t{kAccounts + 1} * (kMarkets + 1));
};

struct Views {
  MarketStatsView stats;
  TradeTape tape;
  CandleView candles;
  PortfolioView portfolio;
};

enum Which { kPortfolio, kStats, kTape, kCandles, kAll };

void Fold(Which which, const Market::Record& record, Bytes attachment, Views& views) {
  const auto& [command, events] = record;
  if (which == kPortfolio || which == kAll) views.portfolio.OnEvents(command, attachment, events);
  if (which == kStats || which == kAll) views.stats.OnEvents(command, attachment, events);
  if (which == kTape || which == kAll) views.tape.OnEvents(command, events);
  if (which == kCandles || which == kAll) views.candles.OnEvents(command, events);
}

void DefineMarkets(Market& market, Views& views) {
  for (uint32_t id = 1; id <= kMarkets; ++id) {
    MarketDefinition definition;
    definition.id = MarketId(id);
    definition.symbol = "M" + std::to_string(id);
    definition.price_decimals = 4;
    definition.quantity_decimals = 2;
    definition.price_max = Price::FromUnits(9'999);
    definition.kind = MarketKind::kBinary;
    Event event;
    event.kind = EventKind::kMarketDefined;
    event.market = definition.id;
    const std::vector<std::byte> attachment = EncodeMarketDefinition(definition);
    Fold(kAll, {market.Define(id), {&event, 1}}, attachment, views);
  }
}

void BM_OrderAndItsCancel(benchmark::State& state) {
  const auto which = static_cast<Which>(state.range(0));
  Market market;
  Views views;
  DefineMarkets(market, views);
  const std::vector<std::byte> note = EncodeOrderNote("0c3e5f5c-5d9b-4e39-9a2e-0a7b1f8a9f10");
  for (auto _ : state) {
    Fold(which, market.Rest(), note, views);
    Fold(which, market.Cancel(), {}, views);
  }
}
BENCHMARK(BM_OrderAndItsCancel)->Arg(kPortfolio)->Arg(kAll);

void BM_OrderAndTheOrderThatTakesIt(benchmark::State& state) {
  const auto which = static_cast<Which>(state.range(0));
  Market market;
  Views views;
  DefineMarkets(market, views);
  const std::vector<std::byte> note = EncodeOrderNote("0c3e5f5c-5d9b-4e39-9a2e-0a7b1f8a9f10");
  for (auto _ : state) {
    Fold(which, market.Rest(), note, views);
    Fold(which, market.Take(), note, views);
  }
}
BENCHMARK(BM_OrderAndTheOrderThatTakesIt)->DenseRange(kPortfolio, kAll);

// What making the records costs: it is part of the others.
void BM_Nothing(benchmark::State& state) {
  Market market;
  for (auto _ : state) {
    benchmark::DoNotOptimize(market.Rest());
    benchmark::DoNotOptimize(market.Take());
  }
}
BENCHMARK(BM_Nothing);

}  // namespace
}  // namespace engine
