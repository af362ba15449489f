// What holds for every sequence of commands. A counterexample prints as a transcript: put it into
// testdata/transcripts, and it is the regression test.
//
//   bazel test //engine/core:exchange_property_test --test_env=RC_PARAMS=seed=...
//
// repeats a run, and max_success=10000 makes it long.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/differential/session.h"
#include "engine/differential/trading_session.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/fields.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/resting_order.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/views/depth_view.h"
#include "engine/views/page.h"
#include "engine/views/portfolio.h"
#include "gtest/gtest.h"
// After gtest, which it relies on.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

// An exchange with its markets, to which a session is applied command by command.
class Run {
 public:
  // `opening` receives the commands that define the markets and fund the accounts.
  explicit Run(absl::FunctionRef<void(const Command& command, Bytes attachment,
                                      std::span<const Event> events)>
                   opening = [](const Command&, Bytes, std::span<const Event>) {}) {
    for (const SessionCommand& each : OpeningCommands()) {
      opening(each.command, each.attachment, Apply(each.command, each.attachment));
    }
  }

  std::span<const Event> Apply(Command command, Bytes attachment = {}) {
    command.sequence = exchange_.last_applied().Next();
    command.timestamp = Timestamp::FromNanos(exchange_.now().nanos() + 1);
    exchange_.Apply(command, attachment, events_);
    return events_.events();
  }

  std::vector<RestingOrder> Orders(MarketId market, Side side) const {
    std::vector<RestingOrder> orders;
    exchange_.VisitOrders(market, side,
                          [&](const RestingOrder& order) { orders.push_back(order); });
    return orders;
  }
  std::vector<RestingOrder> AllOrders() const {
    std::vector<RestingOrder> all;
    for (const auto& [id, definition] : exchange_.markets().all()) {
      for (const Side side : {Side::kBid, Side::kAsk}) {
        for (const RestingOrder& order : Orders(id, side)) all.push_back(order);
      }
    }
    return all;
  }

  // Balance, reserved, position and standing of each account.
  std::vector<int64_t> Accounts() const {
    std::vector<int64_t> all;
    for (const AccountId account : {AccountId(1), AccountId(2), AccountId(3)}) {
      const auto state = exchange_.FindAccount(account);
      all.push_back(state.has_value() ? state->balance.micros() : -1);
      all.push_back(state.has_value() ? state->reserved.micros() : -1);
      all.push_back(exchange_.Position(account, MarketId(3)));
      all.push_back(static_cast<int64_t>(exchange_.StandingOf(account)));
    }
    return all;
  }

  const Exchange& exchange() const { return exchange_; }

 private:
  Exchange exchange_;
  EventBuffer events_;
};

bool Arrives(const Event& event) {
  return event.kind == EventKind::kAccepted || event.kind == EventKind::kReplaced ||
         (event.kind == EventKind::kAmended && event.priority() == PriorityOutcome::kLost);
}

RC_GTEST_PROP(Exchange, EveryCommandIsAnsweredInOrderAndLeavesAValidState, ()) {
  Run run;
  for (const Command& command : (*AnyTradingSession()).commands) {
    const auto events = run.Apply(command);
    RC_ASSERT(!events.empty());
    for (size_t i = 0; i < events.size(); ++i) {
      RC_ASSERT(events[i].sequence == run.exchange().last_applied());
      RC_ASSERT(events[i].index == i);
    }
    run.exchange().CheckInvariants();
  }
}

RC_GTEST_PROP(Exchange, ARefusalIsOneEventAndChangesNothing, ()) {  // E4
  Run run;
  for (const Command& command : (*AnyTradingSession()).commands) {
    const auto orders_before = run.AllOrders();
    const auto markets_before = run.exchange().markets().all();
    const auto accounts_before = run.Accounts();
    const auto events = run.Apply(command);
    if (events.front().kind == EventKind::kCancelled &&
        events.front().cancel_reason() == CancelReason::kExpired) {
      continue;  // Caused by time, not by the command.
    }
    if (events.front().kind != EventKind::kRejected) {
      RC_ASSERT(std::ranges::count(events, EventKind::kRejected, &Event::kind) == 0);
      continue;
    }
    RC_ASSERT(run.Accounts() == accounts_before);
    RC_ASSERT(events.size() == 1u);
    const OrderId named = NamesAnOrder(command.kind) ? command.order_id : OrderId();
    RC_ASSERT(events.front().order_id == named);
    RC_ASSERT(events.front().market == command.market);
    RC_ASSERT(events.front().account == command.account);
    RC_ASSERT(events.front().reject_reason() != RejectReason::kNone);
    RC_ASSERT(run.AllOrders() == orders_before);
    RC_ASSERT(run.exchange().markets().all() == markets_before);
  }
}

// Every unit requested has traded, was cancelled or reduced, or rests; the events add up to it.
RC_GTEST_PROP(Exchange, QuantityIsConserved, ()) {  // E1
  struct Account {
    Quantity asked, traded, withdrawn;
    Quantity remaining() const { return asked - traded - withdrawn; }
  };
  Run run;
  std::map<OrderId, Account> orders;
  for (const Command& command : (*AnyTradingSession()).commands) {
    for (const Event& event : run.Apply(command)) {
      Account& order = orders[event.order_id];
      switch (event.kind) {
        case EventKind::kReplaced: {
          Account& replaced = orders[event.counter_order_id];
          replaced.withdrawn += replaced.remaining();
          [[fallthrough]];
        }
        case EventKind::kAccepted:
          order.asked = event.quantity;
          break;
        case EventKind::kTrade:
          if (event.order_id == OrderId()) continue;  // Of no order: it changes none.
          order.traded += event.quantity;
          if (command.kind != CommandKind::kExecute) {
            orders[event.counter_order_id].traded += event.quantity;
          }
          RC_ASSERT(!event.quantity.is_zero());
          break;
        case EventKind::kCancelled:
        case EventKind::kReduced:
          order.withdrawn += event.quantity;
          break;
        case EventKind::kAmended:
          order.asked = event.quantity;
          order.withdrawn = Quantity();
          break;
        default:
          continue;
      }
      RC_ASSERT(order.remaining() == event.quantity_remaining);
    }
    uint64_t live = 0;
    for (const RestingOrder& order : run.AllOrders()) {
      RC_ASSERT(orders[order.id].traded == order.quantity_filled);
      RC_ASSERT(orders[order.id].remaining() == order.quantity_remaining);
    }
    for (const auto& [id, order] : orders) live += order.remaining().is_zero() ? 0 : 1;
    RC_ASSERT(live == run.exchange().live_order_count());
  }
}

// Trades take the makers in the order in which they stood, each but the last completely; and an
// order leaves nothing on the table that it could have had, nor takes what its terms forbid.
RC_GTEST_PROP(Exchange, TradesFollowPriorityAndStopOnlyWhenTheyMust, ()) {  // E2, E3
  Run run;
  for (const Command& command : (*AnyTradingSession()).commands) {
    const std::vector<RestingOrder> bids = run.Orders(command.market, Side::kBid);
    const std::vector<RestingOrder> asks = run.Orders(command.market, Side::kAsk);
    const auto events = run.Apply(command);
    const Event& arrival = events.front();
    const MarketDefinition* const market = run.exchange().markets().Find(command.market);
    if (market != nullptr && market->mirrored) {
      RC_ASSERT(command.kind == CommandKind::kExecute ||
                std::ranges::count(events, EventKind::kTrade, &Event::kind) == 0);
      continue;
    }
    if (!Arrives(arrival)) {
      // An expiry may come before.
      RC_ASSERT(arrival.kind == EventKind::kCancelled ||
                std::ranges::count(events, EventKind::kTrade, &Event::kind) == 0);
      continue;
    }
    // Transcripts show what prevents trades; this tests priority without it.
    if (std::ranges::any_of(events, [](const Event& event) {
          return event.kind == EventKind::kCancelled &&
                 event.cancel_reason() != CancelReason::kImmediateOrCancel &&
                 event.cancel_reason() != CancelReason::kFillOrKill;
        })) {
      continue;
    }
    const bool is_market_order =
        command.kind == CommandKind::kNewOrder && command.type == OrderType::kMarket;
    const auto accepts = [&](Price price) {
      if (is_market_order) return true;
      return arrival.side == Side::kBid ? price <= arrival.price : price >= arrival.price;
    };
    const std::vector<RestingOrder>& makers = arrival.side == Side::kBid ? asks : bids;
    const SelfTradePrevention prevention = command.flags.self_trade_prevention();
    const bool prevents_self_trade =
        prevention != SelfTradePrevention::kNone && arrival.account != AccountId();
    Quantity available;
    Quantity of_others;
    bool ends_at_own = false;
    for (const RestingOrder& maker : makers) {
      if (!accepts(maker.price)) continue;
      available += maker.quantity_remaining;
      if (maker.account == arrival.account) {
        ends_at_own |= prevention != SelfTradePrevention::kCancelMaker;
      } else if (!ends_at_own) {
        of_others += maker.quantity_remaining;
      }
    }
    Quantity expected = std::min(available, arrival.quantity_remaining);
    // A fill-or-kill order that prevents self-trades counts others' orders alone, and none after
    // an own order that would end it.
    if (command.kind == CommandKind::kNewOrder && command.tif == TimeInForce::kFillOrKill &&
        (prevents_self_trade ? of_others : available) < arrival.quantity_remaining) {
      expected = Quantity();
    }
    const bool is_complete = expected == arrival.quantity_remaining;
    size_t maker = 0;
    for (const Event& event : events) {
      if (event.kind != EventKind::kTrade) continue;
      RC_ASSERT(maker < makers.size());
      RC_ASSERT(event.order_id == makers[maker].id);
      RC_ASSERT(event.counter_order_id == arrival.order_id);
      RC_ASSERT(event.price == makers[maker].price);
      RC_ASSERT(accepts(event.price));
      RC_ASSERT(event.quantity == std::min(expected, makers[maker].quantity_remaining));
      expected -= event.quantity;
      ++maker;
    }
    RC_ASSERT(expected.is_zero());
    const bool may_rest = command.kind != CommandKind::kNewOrder || Rests(command.tif);
    const bool rests = std::ranges::count(run.Orders(command.market, arrival.side),
                                          arrival.order_id, &RestingOrder::id) == 1;
    RC_ASSERT(rests == (may_rest && !is_complete));
    // A group of the maker's may trip after it.
    const bool is_cancelled = std::ranges::any_of(events, [&](const Event& event) {
      return event.kind == EventKind::kCancelled && event.order_id == arrival.order_id;
    });
    RC_ASSERT(is_cancelled == (!may_rest && !is_complete));
  }
}

RC_GTEST_PROP(Exchange, EventsGiveTheDepthOfTheBooks, ()) {
  Run run;
  DepthView depth;
  for (const Command& command : (*AnyTradingSession()).commands) {
    depth.OnEvents(command, run.Apply(command));
    RC_ASSERT(depth.order_count() == run.exchange().live_order_count());
    for (const MarketDefinition& market : SessionMarkets()) {
      for (const Side side : {Side::kBid, Side::kAsk}) {
        const std::vector<RestingOrder> orders = run.Orders(market.id, side);
        size_t at = 0;
        depth.VisitLevels(market.id, side, [&](Price price, const DepthView::Level& level) {
          Quantity sum;
          for (const DepthView::Place& place : level.queue) {
            RC_ASSERT(at < orders.size());
            RC_ASSERT(orders[at].id == place.order);
            RC_ASSERT(orders[at].price == price);
            RC_ASSERT(orders[at].quantity_remaining == place.quantity_remaining);
            sum += place.quantity_remaining;
            ++at;
          }
          RC_ASSERT(sum == level.quantity);
          return true;
        });
        RC_ASSERT(at == orders.size());
        const auto best = depth.BestPrice(market.id, side);
        RC_ASSERT(best == (orders.empty() ? std::nullopt : std::optional(orders.front().price)));
      }
    }
  }
}

// What was paid in less what was paid out, by account, as events say.
Money PaidIn(const Command& command, std::span<const Event> events) {
  if (command.kind != CommandKind::kDeposit && command.kind != CommandKind::kWithdraw) return {};
  Money sum;
  for (const Event& event : events) {
    if (event.kind == EventKind::kBalance) sum += event.change();
  }
  return sum;
}

// balance = deposits − withdrawals + the sum over markets of realised_pnl − cost_basis − fees.
Money BalanceBy(const PortfolioView& portfolio, AccountId account, Money paid_in) {
  Money balance = paid_in;
  const Page<PortfolioPosition> positions = portfolio.Positions(account, {}, {});
  for (const PortfolioPosition* const row : positions.rows) {
    balance += row->realised_pnl - row->cost_basis - row->fees;
  }
  return balance;
}

RC_GTEST_PROP(Exchange, EventsGiveTheOrdersAndTheMoneyOfAccounts, ()) {
  PortfolioView portfolio;
  std::map<AccountId, Money> paid_in;
  const auto fold = [&](const Command& command, Bytes attachment, std::span<const Event> events) {
    portfolio.OnEvents(command, attachment, events);
    paid_in[command.account] += PaidIn(command, events);
  };
  Run run(fold);
  for (Command command : (*AnyTradingSession()).commands) {
    const std::span<const Event> events = run.Apply(command);
    command.sequence = run.exchange().last_applied();
    fold(command, {}, events);
    uint64_t live = 0;
    for (const RestingOrder& order : run.AllOrders()) {
      if (order.account == AccountId()) continue;
      ++live;
      const PortfolioOrder* const row = portfolio.FindOrder(order.id);
      RC_ASSERT(row != nullptr);
      RC_ASSERT(row->status == OrderStatus::kLive);
      RC_ASSERT(row->price == order.price);
      RC_ASSERT(row->remaining == order.quantity_remaining);
      RC_ASSERT(row->filled == order.quantity_filled);
      RC_ASSERT(row->side == order.side);
    }
    RC_ASSERT(portfolio.live_order_count() == live);
    for (const AccountId account : {AccountId(1), AccountId(2)}) {
      const auto state = run.exchange().FindAccount(account);
      const PortfolioPosition* const position = portfolio.FindPosition(account, MarketId(3));
      RC_ASSERT((position == nullptr ? 0 : position->position) ==
                run.exchange().Position(account, MarketId(3)));
      RC_ASSERT(state.has_value());
      RC_ASSERT(portfolio.FindCash(account)->balance == state->balance);
      RC_ASSERT(BalanceBy(portfolio, account, paid_in[account]) == state->balance);
    }
  }
}

// Asking an exchange for its digest, its orders and its soundness in between, or never, is the
// same.
RC_GTEST_PROP(Exchange, TheSameCommandsGiveTheSameEventsAndDigests, ()) {  // R1
  const TradingSession session = *AnyTradingSession();
  Run asked;
  Run left_alone;
  for (const Command& command : session.commands) {
    const auto events = asked.Apply(command);
    asked.exchange().CheckInvariants();
    const uint64_t live = asked.exchange().live_order_count();
    asked.exchange().StateDigest();
    RC_ASSERT(asked.exchange().live_order_count() == live);
    RC_ASSERT(std::ranges::equal(left_alone.Apply(command), events));
    RC_ASSERT(left_alone.exchange().live_order_count() == live);
  }
  RC_ASSERT(asked.exchange().StateDigest() == left_alone.exchange().StateDigest());
}

// While no account trades for money and nothing is limited, the digest is the one that
// engine/DESIGN.md describes, computed here from what can be visited. differential_test has the
// rest of it.
RC_GTEST_PROP(Exchange, TheStateDigestIsThatOfWhatCanBeVisited, ()) {
  Run run;
  for (Command command : (*AnyTradingSession()).commands) {
    if (command.kind == CommandKind::kDefineGroup || command.market == MarketId(3) ||
        command.kind == CommandKind::kSetPositionLimit) {
      continue;
    }
    run.Apply(command);
    DigestSum sum;
    for (const RestingOrder& order : run.AllOrders()) sum.Add(DigestOfOrder(order));
    for (const MarketDefinition& market : SessionMarkets()) {
      sum.Add(DigestOfMarket(market));
      AddMarketStatus({.market = market.id, .state = run.exchange().StateOf(market.id)}, sum);
    }
    Money held;
    for (const AccountId account : {AccountId(1), AccountId(2), AccountId(3)}) {
      const auto state = run.exchange().FindAccount(account);
      if (!state.has_value()) continue;
      AddAccountStatus({.account = account,
                        .is_open = true,
                        .balance = state->balance,
                        .standing = run.exchange().StandingOf(account)},
                       sum);
      held += state->balance;
    }
    AddExchangeStatus({.state = run.exchange().state(), .held = held}, sum);
    RC_ASSERT(run.exchange().StateDigest() ==
              DigestOfState({.last_applied = run.exchange().last_applied(),
                             .now = run.exchange().now(),
                             .market_count = SessionMarkets().size(),
                             .live_order_count = run.AllOrders().size(),
                             .sum = sum.value()}));
  }
}

}  // namespace
}  // namespace engine
