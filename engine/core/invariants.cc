#include "engine/core/invariants.h"

#include <cstdint>
#include <map>
#include <tuple>

#include "engine/base/check.h"
#include "engine/core/live_orders.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

// CHECKs that the index, the groups, the expiries and the risk counts agree with the books.
void CheckOrders(const VenueState& venue) {
  uint64_t order_count = 0;
  uint64_t expiring = 0;
  uint64_t cancelled_by_pause = 0;
  uint64_t day_orders = 0;
  std::map<OrderGroups::Key, uint64_t> in_groups;
  std::map<AccountId, uint64_t> of_accounts;
  for (const auto& [id, definition] : venue.directory.all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      venue.VisitOrders(id, side, [&, id = id](const RestingOrder& order) {
        CHECK(venue.index.Find(order.id) != Slot())
            << "order " << order.id << " is not in the index";
        CHECK(venue.storage.ValueOf(venue.index.Find(order.id)) == order)
            << "order " << order.id << " is elsewhere";
        CHECK_EQ(order.market, id) << "order " << order.id;
        CHECK_LE(order.priority, venue.last_applied) << "order " << order.id;
        CHECK_LE(order.quantity_total(), kQuantityMax) << "order " << order.id;
        CHECK(Rests(order.tif)) << "order " << order.id;
        CHECK(order.credit >= Money() && order.credit.micros() < kBalanceStepMicros)
            << "order " << order.id;
        ++order_count;
        ++of_accounts[order.account];
        if (order.tif == TimeInForce::kGoodTillTime) {
          ++expiring;
          CHECK(venue.expiries.all().contains({order.expires_at, order.id}))
              << "order " << order.id;
          CHECK_GT(order.expires_at, venue.now) << "order " << order.id;
        }
        CHECK_EQ(venue.cancel_on_pause.contains({id, order.id}), order.flags.cancel_on_pause())
            << "order " << order.id;
        cancelled_by_pause += order.flags.cancel_on_pause() ? 1 : 0;
        CHECK_EQ(venue.day_orders.contains({id, order.id}), order.tif == TimeInForce::kDay)
            << "order " << order.id;
        day_orders += order.tif == TimeInForce::kDay ? 1 : 0;
        if (order.group == GroupId()) return;
        const OrderGroups::Key key = {order.account, order.group};
        ++in_groups[key];
        const auto group = venue.groups.all().find(key);
        CHECK(group != venue.groups.all().end() && group->second.orders.contains(order.id))
            << "order " << order.id;
        CHECK(!group->second.is_tripped) << "order " << order.id;
      });
    }
  }
  CHECK_EQ(order_count, venue.index.Count());
  CHECK_EQ(expiring, venue.expiries.all().size());
  CHECK_EQ(cancelled_by_pause, venue.cancel_on_pause.size());
  CHECK_EQ(day_orders, venue.day_orders.size());
  for (const auto& [key, group] : venue.groups.all()) {
    CHECK_EQ(group.orders.size(), in_groups[key]) << "group " << key.second;
    Quantity traded;
    for (const OrderGroups::Fill& fill : group.fills) traded += fill.quantity;
    CHECK_EQ(group.traded, traded) << "group " << key.second;
  }
  for (const auto& [account, counts] : venue.risk.accounts()) {
    CHECK_EQ(counts.open_orders, of_accounts[account]) << "account " << account;
  }
  for (const AccountId account : venue.risk.suspended()) {
    CHECK_EQ(of_accounts[account], uint64_t{0}) << "account " << account;
    CHECK(venue.ledger.IsOpen(account)) << "account " << account;
  }
}

// CHECKs that the orders of accounts with position limits, and no others, are marked and counted.
void CheckPositionLimits(const VenueState& venue) {
  std::map<std::tuple<AccountId, MarketId, Side>, Quantity> open;
  VisitLiveOrders(venue, [&](Slot slot) {
    const OrderSlot& order = venue.order(slot);
    CHECK_EQ(order.marks.has(OrderMarks::kPositionLimited),
             venue.position_limits.Find(order.account, order.market) != nullptr)
        << "order " << order.id;
    open[{order.account, order.market, order.side}] += order.quantity_remaining;
  });
  venue.position_limits.Visit([&](const PositionLimitStatus& status, const auto& limited) {
    CHECK(venue.risk.HasPositionLimit(status.account)) << "account " << status.account;
    for (const Side side : {Side::kBid, Side::kAsk}) {
      CHECK_EQ(limited.open(side), (open[{status.account, status.market, side}]))
          << "account " << status.account;
    }
  });
}

// CHECKs that orders have the marks that their accounts and markets need, that the ledger's
// `required` is the sum of what they require, and E1.
void CheckAccounts(const VenueState& venue) {
  std::map<std::tuple<AccountId, MarketId, Side>, Money> required;
  VisitLiveOrders(venue, [&](Slot slot) {
    const OrderSlot& order = venue.order(slot);
    const Market& market = *venue.markets.Find(order.market);
    CHECK(order.marks.has(OrderMarks::kCounted) || !venue.risk.Find(order.account).has_value())
        << "order " << order.id;
    CHECK_EQ(order.marks.has(OrderMarks::kMoney), market.has_money()) << "order " << order.id;
    if (market.is_mirrored()) CHECK_EQ(order.account, AccountId()) << "order " << order.id;
    if (!market.has_money()) return;
    CHECK_EQ(venue.storage.required(slot),
             Requirement(venue, market, slot, order.quantity_remaining))
        << "order " << order.id;
    required[{order.account, order.market, order.side}] += venue.storage.required(slot);
  });
  venue.ledger.VisitRequired([&](AccountId account, MarketId market, Side side, Money kept) {
    CHECK_EQ(kept, (required[{account, market, side}])) << "account " << account;
    required.erase({account, market, side});
  });
  CHECK(required.empty()) << "orders rest for which nothing is reserved";
  venue.ledger.CheckInvariants(
      [&](MarketId market) -> const ContractMoney& { return venue.markets.Find(market)->money(); });
}

}  // namespace

void CheckInvariants(const VenueState& venue) {
  for (const auto& [id, definition] : venue.directory.all()) {
    const Market* const market = venue.markets.Find(id);
    CHECK(market != nullptr) << "market " << id;
    CHECK(market->id() == id && market->definition() == WithoutName(definition)) << "market " << id;
    market->book.CheckInvariants();
    CHECK(market->is_mirrored() || !market->book.is_crossed()) << "market " << id << " (E2)";
    if (market->is_binary() && market->state != MarketState::kOpen &&
        market->state != MarketState::kPaused) {
      CHECK(market->book.is_empty()) << "market " << id;
    }
  }
  CheckOrders(venue);
  CheckAccounts(venue);
  CheckPositionLimits(venue);
}

}  // namespace engine
