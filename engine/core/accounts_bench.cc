// What accounts, money and limits cost each command. Of a hundred commands of an order flow 45 are
// new orders, 48 cancels, 5 amends, 2 trades. Each benchmark measures one of these kinds, with a
// thousand accounts in random order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/core/contract_money.h"
#include "engine/core/ledger.h"
#include "engine/core/risk_control.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"

namespace engine {
namespace {

constexpr uint32_t kAccounts = 1000;
constexpr size_t kOrders = 4096;
constexpr MarketId kMarket(1);

MarketDefinition Definition() {
  MarketDefinition market;
  market.id = kMarket;
  market.kind = MarketKind::kBinary;
  market.price_decimals = 4;
  market.quantity_decimals = 2;
  return market;
}

struct Order {
  AccountId account;
  Side side = {};
  Quantity quantity;
  Price price;
};

std::vector<Order> Orders() {
  Prng prng(1);
  std::vector<Order> orders(kOrders);
  for (Order& order : orders) {
    order.account = AccountId(static_cast<uint32_t>(1 + prng.Below(kAccounts)));
    order.side = prng.Chance(50) ? Side::kBid : Side::kAsk;
    order.quantity = Quantity::FromUnits(1 + prng.Below(100));
    order.price = Price::FromUnits(prng.Between(4000, 6000));
  }
  return orders;
}

FeeSchedule Fees(bool has_fees) {
  return has_fees ? FeeSchedule{.taker_coefficient = 700, .maker_coefficient = 175} : FeeSchedule();
}

void Fund(Ledger& ledger) {
  for (uint32_t account = 1; account <= kAccounts; ++account) {
    ledger.Open(AccountId(account));
    ledger.Deposit(AccountId(account), Money::FromDollars(1'000'000));
  }
}

// A new order that rests, and later its cancel. The argument is 1 with fees, 0 without.
void BM_MoneyOfAnOrderAndItsCancel(benchmark::State& state) {
  ContractMoney money{Definition()};
  money.SetFees(Fees(state.range(0) != 0));
  const std::vector<Order> orders = Orders();
  Ledger ledger;
  Fund(ledger);
  const auto at_rest = [&](const Order& order) {
    return money.Requirement(order.side, order.quantity, order.price, FeeRole::kMaker, Money());
  };
  const auto place = [&](const Order& order) {
    benchmark::DoNotOptimize(ledger.IsOpen(order.account));
    const Money worst =
        money.Requirement(order.side, order.quantity, order.price, FeeRole::kWorst, Money());
    benchmark::DoNotOptimize(ledger.CanReserve(order.account, kMarket, order.side, worst));
    ledger.Require(order.account, kMarket, order.side, at_rest(order));
  };
  for (const Order& order : orders) place(order);
  size_t i = 0;
  for (auto _ : state) {
    const Order& order = orders[i++ % kOrders];
    ledger.Require(order.account, kMarket, order.side, -at_rest(order));
    place(order);
  }
}
BENCHMARK(BM_MoneyOfAnOrderAndItsCancel)->Arg(0)->Arg(1);

// Both sides of a trade.
void BM_MoneyOfATrade(benchmark::State& state) {
  ContractMoney money{Definition()};
  money.SetFees(Fees(state.range(0) != 0));
  const std::vector<Order> orders = Orders();
  Ledger ledger;
  Fund(ledger);
  const auto fill = [&](const Order& order, Side side, FeeRole role) {
    const Quantity closable = ledger.Closable(order.account, kMarket, side);
    const FillMoney paid = money.Fill(side, order.quantity, order.price,
                                      std::min(closable, order.quantity), role, Money());
    ledger.Apply(order.account, kMarket, money, side, order.quantity, paid, Money());
  };
  size_t i = 0;
  for (auto _ : state) {
    const Order& order = orders[i++ % kOrders];
    fill(order, order.side, FeeRole::kMaker);
    fill(order, Opposite(order.side), FeeRole::kTaker);
  }
}
BENCHMARK(BM_MoneyOfATrade)->Arg(0)->Arg(1);

// A new order of an account with every limit, and the cancel of another.
void BM_LimitsOfAnOrderAndACancel(benchmark::State& state) {
  const MarketDefinition market = Definition();
  const std::vector<Order> orders = Orders();
  RiskControl risk;
  RiskLimits limits;
  limits.open_orders_max = 1'000'000;
  limits.order_quantity_max = Quantity::FromUnits(1'000'000);
  limits.order_notional_max = Money::FromDollars(1'000'000);
  limits.orders_per_second_max = 1'000'000;
  for (uint32_t account = 1; account <= kAccounts; ++account) {
    risk.SetLimits(AccountId(account), limits, 5000);
  }
  size_t i = 0;
  for (auto _ : state) {
    const Order& order = orders[i++ % kOrders];
    const Timestamp now = Timestamp::FromNanos(static_cast<int64_t>(1000 * i));
    benchmark::DoNotOptimize(risk.Check({.account = order.account,
                                         .market = market,
                                         .quantity = order.quantity,
                                         .price = order.price,
                                         .now = now}));
    risk.Count(order.account, now);
    risk.CountResting(order.account, 1);
    risk.CountResting(order.account, -1);
  }
}
BENCHMARK(BM_LimitsOfAnOrderAndACancel);

}  // namespace
}  // namespace engine
