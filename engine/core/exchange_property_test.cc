// What holds for every sequence of commands. A counterexample prints as a transcript: put it into
// testdata/transcripts, and it is the regression test.
//
//   bazel test //engine/core:exchange_property_test --test_env=RC_PARAMS=seed=...
//
// repeats a run, and max_success=10000 makes it long.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/core/exchange.h"
#include "engine/core/state_digest.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
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
#include "engine/views/depth_view.h"
#include "gtest/gtest.h"
// After gtest, which it relies on.
#include "rapidcheck/gtest.h"

namespace engine {

// The commands after those that define the markets and fund the accounts.
struct Session {
  std::vector<Command> commands;
};

namespace {

// Three markets: one of cents, one with ticks and lots, one binary. What is 10.00 to 10.25 in the
// first two is 0.1000 to 0.1025 dollar in the third.
std::vector<MarketDefinition> Markets() {
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
  return {acme, zinc, rain};
}

Command DefineCommand(const MarketDefinition& definition) {
  Command command;
  command.kind = CommandKind::kDefineMarket;
  command.market = definition.id;
  return command;
}

// Opens the accounts that trade in the binary market. A hundred dollars is a lot for one of them.
std::vector<Command> FundCommands() {
  std::vector<Command> commands;
  for (const uint32_t account : {1, 2}) {
    Command command;
    command.account = AccountId(account);
    command.kind = CommandKind::kOpenAccount;
    commands.push_back(command);
    command.kind = CommandKind::kDeposit;
    command.set_amount(Money::FromMicros(account == 1 ? 100'000'000 : 100'000));
    commands.push_back(command);
  }
  return commands;
}

}  // namespace

void showValue(const Session& session, std::ostream& out) {
  MarketDirectory markets;
  for (const MarketDefinition& definition : Markets()) markets.Add(definition);
  const MessageText text(markets);
  out << "\n# A counterexample.\n";
  for (const MarketDefinition& definition : Markets()) {
    out << text.Format(DefineCommand(definition), EncodeMarketDefinition(definition)) << "\n";
  }
  for (const Command& command : FundCommands()) out << text.Format(command) << "\n";
  for (const Command& command : session.commands) out << text.Format(command) << "\n";
}

namespace {

// ---- Sessions: few prices, ids that mostly exist, now and then a value at a boundary or beyond.

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
                                             {1, CommandKind::kResetGroup}}),
      rc::gen::map(rc::gen::inRange(0, 26), [](int n) { return static_cast<CommandKind>(n); }));
}

// Mostly none.
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
        MarketId(*rc::gen::weightedElement<uint32_t>({{20, 1}, {5, 2}, {20, 3}, {1, 4}}));
    command.account = AccountId(*rc::gen::weightedElement<uint32_t>({{10, 1}, {10, 2}, {1, 3}}));
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
    command.group = GroupId(*rc::gen::weightedElement<uint16_t>({{10, 0}, {1, 1}, {1, 2}}));
    return command;
  });
}

rc::Gen<Session> AnySession() {
  return rc::gen::map(
      rc::gen::scale(2.0, rc::gen::container<std::vector<Command>>(AnyCommand())),
      [](std::vector<Command> commands) { return Session{.commands = std::move(commands)}; });
}

// ---- An exchange with its markets, to which a session is applied command by command.

class Run {
 public:
  Run() {
    for (const MarketDefinition& definition : Markets()) {
      Apply(DefineCommand(definition), EncodeMarketDefinition(definition));
    }
    for (const Command& command : FundCommands()) Apply(command);
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

  // Balance, reserved and position of each account.
  std::vector<int64_t> Accounts() const {
    std::vector<int64_t> all;
    for (const AccountId account : {AccountId(1), AccountId(2), AccountId(3)}) {
      const auto state = exchange_.FindAccount(account);
      all.push_back(state.has_value() ? state->balance.micros() : -1);
      all.push_back(state.has_value() ? state->reserved.micros() : -1);
      all.push_back(exchange_.Position(account, MarketId(3)));
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

// ---- The properties.

RC_GTEST_PROP(Exchange, EveryCommandIsAnsweredInOrderAndLeavesASoundState, ()) {
  Run run;
  for (const Command& command : (*AnySession()).commands) {
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
  for (const Command& command : (*AnySession()).commands) {
    const auto orders_before = run.AllOrders();
    const auto markets_before = run.exchange().markets().all();
    const auto accounts_before = run.Accounts();
    const auto events = run.Apply(command);
    if (events.front().kind == EventKind::kCancelled &&
        events.front().cancel_reason() == CancelReason::kExpired) {
      continue;  // Time's doing, not the command's.
    }
    if (events.front().kind != EventKind::kRejected) {
      RC_ASSERT(std::ranges::count(events, EventKind::kRejected, &Event::kind) == 0);
      continue;
    }
    RC_ASSERT(run.Accounts() == accounts_before);
    RC_ASSERT(events.size() == 1u);
    RC_ASSERT(events.front().order_id == command.order_id);
    RC_ASSERT(events.front().market == command.market);
    RC_ASSERT(events.front().account == command.account);
    RC_ASSERT(events.front().reject_reason() != RejectReason::kNone);
    RC_ASSERT(run.AllOrders() == orders_before);
    RC_ASSERT(run.exchange().markets().all() == markets_before);
  }
}

// Whatever was asked for has traded, was cancelled or reduced, or rests; and each event says so.
RC_GTEST_PROP(Exchange, QuantityIsConserved, ()) {  // E1
  struct Account {
    Quantity asked, traded, withdrawn;
    Quantity remaining() const { return asked - traded - withdrawn; }
  };
  Run run;
  std::map<OrderId, Account> orders;
  for (const Command& command : (*AnySession()).commands) {
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
          order.traded += event.quantity;
          orders[event.counter_order_id].traded += event.quantity;
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
  for (const Command& command : (*AnySession()).commands) {
    const std::vector<RestingOrder> bids = run.Orders(command.market, Side::kBid);
    const std::vector<RestingOrder> asks = run.Orders(command.market, Side::kAsk);
    const auto events = run.Apply(command);
    const Event& arrival = events.front();
    if (!Arrives(arrival)) {
      // An expiry may come before.
      RC_ASSERT(arrival.kind == EventKind::kCancelled ||
                std::ranges::count(events, EventKind::kTrade, &Event::kind) == 0);
      continue;
    }
    // What prevents trades is told by transcripts; here is how they follow each other without.
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
    Quantity available;
    for (const RestingOrder& maker : makers) {
      if (accepts(maker.price)) available += maker.quantity_remaining;
    }
    Quantity expected = std::min(available, arrival.quantity_remaining);
    if (command.kind == CommandKind::kNewOrder && command.tif == TimeInForce::kFillOrKill &&
        expected < arrival.quantity_remaining) {
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

RC_GTEST_PROP(Exchange, EventsTellTheDepthOfTheBooks, ()) {
  Run run;
  DepthView depth;
  for (const Command& command : (*AnySession()).commands) {
    depth.OnEvents(command, run.Apply(command));
    RC_ASSERT(depth.order_count() == run.exchange().live_order_count());
    for (const MarketDefinition& market : Markets()) {
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

// Asking an exchange for its digest, its orders and its soundness in between, or never, is the
// same.
RC_GTEST_PROP(Exchange, TheSameCommandsGiveTheSameEventsAndDigests, ()) {  // R1
  const Session session = *AnySession();
  Run asked;
  Run left_alone;
  for (const Command& command : session.commands) {
    const auto events = asked.Apply(command);
    asked.exchange().CheckInvariants();
    asked.exchange().StateDigest();
    RC_ASSERT(std::ranges::equal(left_alone.Apply(command), events));
  }
  RC_ASSERT(asked.exchange().StateDigest() == left_alone.exchange().StateDigest());
}

// While nobody trades for money and nothing is limited, the digest is the one that engine/DESIGN.md
// describes, computed here from what can be visited. differential_test has the rest of it.
RC_GTEST_PROP(Exchange, TheStateDigestIsThatOfWhatCanBeVisited, ()) {
  Run run;
  for (Command command : (*AnySession()).commands) {
    if (command.kind == CommandKind::kDefineGroup || command.market == MarketId(3)) continue;
    run.Apply(command);
    DigestSum sum;
    for (const RestingOrder& order : run.AllOrders()) sum.Add(DigestOfOrder(order));
    for (const MarketDefinition& market : Markets()) {
      sum.Add(DigestOfMarket(market));
      AddMarketStatus({.market = market.id, .state = run.exchange().StateOf(market.id)}, sum);
    }
    Money held;
    for (const AccountId account : {AccountId(1), AccountId(2), AccountId(3)}) {
      const auto state = run.exchange().FindAccount(account);
      if (!state.has_value()) continue;
      AddAccountStatus({.account = account, .is_open = true, .balance = state->balance}, sum);
      held += state->balance;
    }
    AddExchangeStatus({.state = run.exchange().state(), .held = held}, sum);
    RC_ASSERT(run.exchange().StateDigest() ==
              DigestOfState({.last_applied = run.exchange().last_applied(),
                             .now = run.exchange().now(),
                             .market_count = Markets().size(),
                             .live_order_count = run.AllOrders().size(),
                             .sum = sum.value()}));
  }
}

}  // namespace
}  // namespace engine
