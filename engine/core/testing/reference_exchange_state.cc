#include "engine/base/check.h"
#include "engine/core/state_digest.h"
#include "engine/core/testing/reference_exchange.h"
#include "engine/core/testing/reference_exchange_arrival.h"

namespace engine {

Digest ReferenceExchange::StateDigest() const {
  DigestSum sum;
  for (const auto& [id, order] : orders_) sum.Add(DigestOfOrder(order));
  for (const auto& [id, market] : markets_) {
    sum.Add(DigestOfMarket(*market.definition));
    AddMarketStatus({id, market.state, market.settlement_value, market.fees}, sum);
  }
  for (const auto& [id, account] : accounts_) {
    AddAccountStatus({id, account.is_open, account.balance, account.limits, account.rate_second,
                      account.rate_count},
                     sum);
  }
  for (const auto& [key, position] : positions_) {
    AddPosition(key.first, key.second, position, sum);
  }
  for (const auto& [key, group] : groups_) {
    AddGroupStatus({key.first, key.second, group.limit, group.window_nanos, group.is_tripped}, sum);
    for (const auto& [time, quantity] : group.fills) {
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
  __int128 cash = fees_collected_.micros();
  for (const auto& [id, account] : accounts_) {
    CHECK_EQ(account.balance.micros() % kBalanceStepMicros, 0) << "account " << id;
    CHECK(account.balance.micros() >= Reserved(id)) << "account " << id << " has promised too much";
    cash += account.balance.micros();
  }
  for (const auto& [id, market] : markets_) {
    const auto bids = Queue(id, Side::kBid);
    const auto asks = Queue(id, Side::kAsk);
    if (!bids.empty() && !asks.empty())
      CHECK_LT(bids.front()->price, asks.front()->price) << "(E2)";
    int64_t open_interest = 0;
    int64_t sum = 0;
    for (const auto& [key, position] : positions_) {
      if (key.second != id) continue;
      sum += position;
      if (position > 0) open_interest += position;
    }
    CHECK_EQ(sum, 0) << "(E1) in market " << id;
    __int128 escrow = open_interest;
    for (int i = market.definition->quantity_decimals; i < 6; ++i) escrow *= 10;
    cash += escrow;
  }
  CHECK(cash == held_.micros()) << "(E1)";
}

}  // namespace engine
