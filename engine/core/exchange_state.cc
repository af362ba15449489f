// Reads the state: look-ups, the digest, the invariants.

#include <map>
#include <tuple>

#include "engine/base/check.h"
#include "engine/core/exchange.h"
#include "engine/core/state_digest.h"
#include "engine/types/time_in_force.h"

namespace engine {

void Exchange::VisitOrders(MarketId market, Side side,
                           absl::FunctionRef<void(const RestingOrder&)> visit) const {
  const Market* const found = markets_.Find(market);
  if (found == nullptr) return;
  found->book.VisitOrders(side, [&](Slot slot) { visit(storage_.ValueOf(slot)); });
}

// Visits all live orders, the oldest first.
void Exchange::VisitAllSlots(absl::FunctionRef<void(Slot)> visit) const {
  index_.VisitFrom(OrderId(), visit);
}

std::optional<AccountState> Exchange::FindAccount(AccountId account) const {
  if (!ledger_.IsOpen(account)) return std::nullopt;
  return ledger_.StateOf(account);
}

MarketState Exchange::StateOf(MarketId market) const {
  const Market* const found = markets_.Find(market);
  CHECK(found != nullptr) << "market " << market;
  return found->state;
}

// ---- Digest

Digest Exchange::StateDigest() const {
  DigestSum sum = market_sum_;
  const OrderSum::Total orders = order_sum_.BroughtUpTo(last_applied_, storage_, index_);
  sum.Add(orders.sum);
  sum.Add(account_digest_.Update(ledger_, risk_, groups_, now_));
  AddExchangeStatus({.state = state_,
                     .default_fees = default_fees_,
                     .held = ledger_.held(),
                     .fees_collected = ledger_.fees_collected()},
                    sum);
  return DigestOfState({.last_applied = last_applied_,
                        .now = now_,
                        .market_count = directory_.all().size(),
                        .live_order_count = orders.count,
                        .sum = sum.value()});
}

// ---- Invariants

void Exchange::CheckInvariants() const {
  for (const auto& [id, definition] : directory_.all()) {
    const Market* const market = markets_.Find(id);
    CHECK(market != nullptr) << "market " << id;
    CHECK(market->definition == &definition) << "market " << id;
    market->book.CheckInvariants();
    if (market->is_binary() && market->state != MarketState::kOpen &&
        market->state != MarketState::kPaused) {
      CHECK(market->book.is_empty()) << "market " << id;
    }
  }
  CheckOrders();
  CheckAccounts();
}

// CHECKs that the index, the groups, the expiries and the risk counts agree with the books.
void Exchange::CheckOrders() const {
  uint64_t order_count = 0;
  uint64_t expiring = 0;
  std::map<OrderGroups::Key, uint64_t> in_groups;
  std::map<AccountId, uint64_t> of_accounts;
  for (const auto& [id, definition] : directory_.all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      VisitOrders(id, side, [&, id = id](const RestingOrder& order) {
        CHECK(index_.Find(order.id) != Slot()) << "order " << order.id << " is not in the index";
        CHECK(storage_.ValueOf(index_.Find(order.id)) == order)
            << "order " << order.id << " is elsewhere";
        CHECK_EQ(order.market, id) << "order " << order.id;
        CHECK_LE(order.priority, last_applied_) << "order " << order.id;
        CHECK_LE(order.quantity_total(), kQuantityMax) << "order " << order.id;
        CHECK(Rests(order.tif)) << "order " << order.id;
        CHECK(order.credit >= Money() && order.credit.micros() < kBalanceStepMicros)
            << "order " << order.id;
        ++order_count;
        ++of_accounts[order.account];
        if (order.tif == TimeInForce::kGoodTillTime) {
          ++expiring;
          CHECK(expiries_.all().contains({order.expires_at, order.id})) << "order " << order.id;
          CHECK_GT(order.expires_at, now_) << "order " << order.id;
        }
        if (order.group == GroupId()) return;
        const OrderGroups::Key key = {order.account, order.group};
        ++in_groups[key];
        const auto group = groups_.all().find(key);
        CHECK(group != groups_.all().end() && group->second.orders.contains(order.id))
            << "order " << order.id;
        CHECK(!group->second.is_tripped) << "order " << order.id;
      });
    }
  }
  CHECK_EQ(order_count, index_.Count());
  CHECK_EQ(expiring, expiries_.all().size());
  for (const auto& [key, group] : groups_.all()) {
    CHECK_EQ(group.orders.size(), in_groups[key]) << "group " << key.second;
    Quantity traded;
    for (const OrderGroups::Fill& fill : group.fills) traded += fill.quantity;
    CHECK_EQ(group.traded, traded) << "group " << key.second;
  }
  for (const auto& [account, counts] : risk_.accounts()) {
    CHECK_EQ(counts.open_orders, of_accounts[account]) << "account " << account;
  }
}

// CHECKs that orders have the marks that their accounts and markets need, that the ledger's
// `required` is the sum of what they require, and E1.
void Exchange::CheckAccounts() const {
  std::map<std::tuple<AccountId, MarketId, Side>, Money> required;
  VisitAllSlots([&](Slot slot) {
    const OrderSlot& order = storage_.order(slot);
    const Market& market = *markets_.Find(order.market);
    CHECK(order.marks.has(OrderMarks::kCounted) || !risk_.Find(order.account).has_value())
        << "order " << order.id;
    CHECK_EQ(order.marks.has(OrderMarks::kMoney), market.is_binary()) << "order " << order.id;
    if (!market.is_binary()) return;
    CHECK_EQ(storage_.required(slot), Requirement(market, slot, order.quantity_remaining))
        << "order " << order.id;
    required[{order.account, order.market, order.side}] += storage_.required(slot);
  });
  ledger_.VisitRequired([&](AccountId account, MarketId market, Side side, Money kept) {
    CHECK_EQ(kept, (required[{account, market, side}])) << "account " << account;
    required.erase({account, market, side});
  });
  CHECK(required.empty()) << "orders rest for which nothing is reserved";
  ledger_.CheckInvariants(
      [&](MarketId market) -> const ContractMoney& { return markets_.Find(market)->money; });
}

}  // namespace engine
