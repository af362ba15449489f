#include <algorithm>
#include <cstdint>
#include <map>

#include "engine/base/check.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"
#include "engine/state/state_digest.h"

namespace engine {

Digest ReferenceExchange::StateDigest() const {
  DigestSum sum;
  for (const auto& [id, order] : orders_) sum.Add(DigestOfOrder(*order));
  for (const auto& [id, market] : markets_) {
    sum.Add(market.digest);
    AddMarketStatus({id, market.state, market.settlement_value, market.fees}, sum);
  }
  for (const auto& [id, account] : accounts_) {
    AddAccountStatus({id, account.is_open, account.balance, account.limits, account.rate_second,
                      account.rate_count, account.standing},
                     sum);
  }
  for (const auto& [key, holding] : holdings_) {
    AddPosition(key.first, key.second, holding.contracts, sum);
  }
  for (const auto& [key, limited] : position_limits_) {
    AddPositionLimit({key.first, key.second, limited.limit, limited.traded}, sum);
  }
  for (const auto& [key, group] : groups_) {
    AddGroupStatus({key.first, key.second, group.limit, group.window_nanos, group.is_tripped}, sum);
    for (const auto& [time, quantity] : group.fills) {
      if (!IsWithin(group, time, now_)) continue;
      AddGroupFill(key.first, key.second, time, quantity, sum);
    }
  }
  AddExchangeStatus({state_, default_fees_, held_, fees_collected_}, sum);
  return DigestOfState({.last_applied = last_applied_,
                        .now = now_,
                        .market_count = markets_.size(),
                        .live_order_count = orders_.size(),
                        .sum = sum.value()});
}

void ReferenceExchange::CheckInvariants() const {
  CheckBooks();
  CheckMoney();
}

// CHECKs E2, E3, and that the indexes have the orders of the books and no others.
void ReferenceExchange::CheckBooks() const {
  size_t orders = 0;
  size_t of_accounts = 0;
  size_t expiring = 0;
  for (const auto& [id, market] : markets_) {
    const RestingOrder* const bid = market.Front(Side::kBid);
    const RestingOrder* const ask = market.Front(Side::kAsk);
    const bool is_mirrored = market.is_mirrored();
    if (bid != nullptr && ask != nullptr && !is_mirrored) {
      CHECK_LT(bid->price, ask->price) << "(E2)";
    }
    for (const Side side : {Side::kBid, Side::kAsk}) {
      const RestingOrder* before = nullptr;
      market.Walk(side, [&, id = id](const RestingOrder& order) {
        CHECK(order.market == id && order.side == side) << "order " << order.id;
        CHECK(!is_mirrored || order.account == AccountId()) << "order " << order.id;
        CHECK(!order.quantity_remaining.is_zero()) << "order " << order.id;
        if (before != nullptr && before->price == order.price) {
          CHECK_LT(before->priority, order.priority) << "(E3)";
        }
        before = &order;
        CHECK(&*orders_.at(order.id) == &order) << "order " << order.id;
        ++orders;
        if (order.account != AccountId()) {
          CHECK(orders_of_.at(order.account).contains(order.id)) << "order " << order.id;
          ++of_accounts;
        }
        if (order.tif == TimeInForce::kGoodTillTime) {
          CHECK(expiries_.contains({order.expires_at, order.id})) << "order " << order.id;
          ++expiring;
        }
        return true;
      });
    }
  }
  CHECK_EQ(orders, orders_.size());
  CHECK_EQ(expiring, expiries_.size());
  for (const auto& [id, own] : orders_of_) {
    CHECK(own.empty() || !IsSuspended(id)) << "account " << id << " is suspended";
    of_accounts -= own.size();
  }
  CHECK_EQ(of_accounts, size_t{0});
}

// CHECKs E1, and that each holding requires what its resting orders require.
void ReferenceExchange::CheckMoney() const {
  std::map<HoldingKey, Holding> holdings;
  for (const auto& [id, order] : orders_) {
    if (!markets_.at(order->market).has_money()) continue;
    holdings[{order->account, order->market}].of(order->side) += RequirementAtRest(*order);
  }
  __int128 cash = fees_collected_.micros();
  std::map<MarketId, int64_t> sums;
  for (const auto& [key, holding] : holdings_) {
    CHECK(holding.required == holdings[key].required) << "account " << key.first;
    holdings.erase(key);
    sums[key.second] += holding.contracts;
    __int128 escrow = std::max<int64_t>(holding.contracts, 0);
    for (int i = markets_.at(key.second).definition->quantity_decimals; i < 6; ++i) escrow *= 10;
    cash += escrow;
  }
  for (const auto& [key, holding] : holdings) {
    CHECK(holding == Holding()) << "orders of account " << key.first << " promise nothing";
  }
  for (const auto& [id, sum] : sums) CHECK_EQ(sum, 0) << "(E1) in market " << id;
  for (const auto& [id, account] : accounts_) {
    CHECK_EQ(account.balance.micros() % kBalanceStepMicros, 0) << "account " << id;
    CHECK(account.balance.micros() >= Reserved(id)) << "account " << id << " has promised too much";
    cash += account.balance.micros();
  }
  CHECK(cash == held_.micros()) << "(E1)";
}

}  // namespace engine
