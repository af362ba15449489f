#include "engine/views/portfolio.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/order_note.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kRain(1);
constexpr MarketId kSnow(2);
constexpr AccountId kAnn(1);
constexpr AccountId kBob(2);

Quantity Units(uint64_t units) { return Quantity::FromUnits(units); }

// Commands and their events as the exchange makes them; one second passes between commands.
class PortfolioTest : public testing::Test {
 protected:
  explicit PortfolioTest(const PortfolioOptions& options = {}) : view_(options) {
    for (const MarketId market : {kRain, kSnow}) {
      MarketDefinition definition = {
          .id = market, .symbol = market == kRain ? "RAIN" : "SNOW", .price_decimals = 4};
      definition.quantity_decimals = 2;
      definition.price_max = Price::FromUnits(9'999);
      definition.kind = MarketKind::kBinary;
      Command command = Next(CommandKind::kDefineMarket, AccountId());
      command.market = market;
      Event event = Of(command, EventKind::kMarketDefined);
      view_.OnEvents(command, EncodeMarketDefinition(definition), {&event, 1});
    }
  }

  Command Next(CommandKind kind, AccountId account) {
    ++sequence_;
    Command command;
    command.sequence = SequenceNumber(sequence_);
    command.timestamp = At(sequence_);
    command.kind = kind;
    command.account = account;
    command.market = kRain;
    return command;
  }
  static Timestamp At(uint64_t sequence) {
    return Timestamp::FromNanos(static_cast<int64_t>(sequence) * 1'000'000'000);
  }
  static Event Of(const Command& command, EventKind kind) {
    Event event;
    event.sequence = command.sequence;
    event.kind = kind;
    event.account = command.account;
    event.market = command.market;
    return event;
  }
  static Event AboutOrder(const Command& command, EventKind kind, OrderId order, Side side,
                          int64_t price, uint64_t quantity, uint64_t remaining) {
    Event event = Of(command, kind);
    event.order_id = order;
    event.side = side;
    event.price = Price::FromUnits(price);
    event.quantity = Units(quantity);
    event.quantity_remaining = Units(remaining);
    return event;
  }
  void Fold(const Command& command, std::initializer_list<Event> events, Bytes attachment = {}) {
    view_.OnEvents(command, attachment, {events.begin(), events.size()});
  }

  OrderId Enter(AccountId account, MarketId market = kRain, absl::string_view text = {}) {
    Command command = Next(CommandKind::kNewOrder, account);
    command.market = market;
    command.tif = TimeInForce::kGoodTillCancelled;
    const OrderId id = OrderIdOf(command.sequence);
    const std::vector<std::byte> note =
        text.empty() ? std::vector<std::byte>() : EncodeOrderNote(text);
    Fold(command, {AboutOrder(command, EventKind::kAccepted, id, Side::kBid, 5'000, 100, 100)},
         note);
    return id;
  }
  void Cancel(AccountId account, OrderId order) {
    const Command command = Next(CommandKind::kCancel, account);
    Event event = AboutOrder(command, EventKind::kCancelled, order, Side::kBid, 5'000, 100, 0);
    event.detail = static_cast<uint8_t>(CancelReason::kRequested);
    Fold(command, {event});
  }
  std::vector<OrderId> Ids(AccountId account, const OrderFilter& filter = {}) const {
    std::vector<OrderId> ids;
    PageRequest request = {.from = 0, .limit = 2};
    do {
      const Page<PortfolioOrder> page = view_.Orders(account, filter, request);
      EXPECT_LE(page.rows.size(), 2u);
      for (const PortfolioOrder* const row : page.rows) ids.push_back(row->id);
      request.from = page.next;
    } while (request.from != 0);
    return ids;
  }

  // Bob's taker sells `quantity` to the order of Ann: its events, and the command.
  std::vector<Event> Taken(const Command& command, OrderId maker, uint64_t quantity) {
    const OrderId taker = OrderIdOf(command.sequence);
    std::vector<Event> events;
    events.push_back(
        AboutOrder(command, EventKind::kAccepted, taker, Side::kAsk, 4'000, quantity, quantity));
    Event trade =
        AboutOrder(command, EventKind::kTrade, maker, Side::kBid, 5'000, quantity, 100 - quantity);
    trade.counter_order_id = taker;
    trade.account = kAnn;
    events.push_back(trade);
    AddMoney(command, kAnn, maker, -200'100, 100, static_cast<int64_t>(quantity), events);
    AddMoney(command, kBob, taker, -200'700, 700, -static_cast<int64_t>(quantity), events);
    for (size_t i = 0; i < events.size(); ++i) events[i].index = static_cast<uint32_t>(i);
    return events;
  }
  static void AddMoney(const Command& command, AccountId account, OrderId order, int64_t change,
                       uint64_t fee, int64_t position, std::vector<Event>& events) {
    Event balance = Of(command, EventKind::kBalance);
    balance.account = account;
    balance.order_id = order;
    balance.price = Price::FromUnits(change);
    balance.quantity = Units(fee);
    balance.counter_order_id = OrderId(9'000'000);
    events.push_back(balance);
    Event held = Of(command, EventKind::kPosition);
    held.account = account;
    held.price = Price::FromUnits(position);
    events.push_back(held);
  }

  uint64_t sequence_ = 0;
  PortfolioView view_;
};

TEST_F(PortfolioTest, PagesGiveEachOrderOnceTheLatestFirst) {
  const OrderId first = Enter(kAnn);
  const OrderId second = Enter(kAnn, kSnow);
  Enter(kBob);
  const OrderId third = Enter(kAnn);
  const OrderId fourth = Enter(kAnn);
  Cancel(kAnn, third);
  EXPECT_EQ(Ids(kAnn), (std::vector{fourth, third, second, first}));
  const std::vector markets = {kRain};
  EXPECT_EQ(Ids(kAnn, {.markets = markets, .status = {}, .created = {}}),
            (std::vector{fourth, third, first}));
  EXPECT_EQ(Ids(kAnn, {.markets = markets, .status = OrderStatus::kLive, .created = {}}),
            (std::vector{fourth, first}));
  EXPECT_EQ(Ids(kAnn, {.markets = {}, .status = OrderStatus::kCancelled, .created = {}}),
            std::vector{third});
  const TimeRange middle = {.since = At(second.value()), .until = At(fourth.value())};
  EXPECT_EQ(Ids(kAnn, {.markets = {}, .status = {}, .created = middle}),
            (std::vector{third, second}));
}

TEST_F(PortfolioTest, AnOrderHasTheTextThatItsClientGaveLast) {
  const OrderId order = Enter(kAnn, kRain, "my-order");
  EXPECT_EQ(view_.ClientTextOf(*view_.FindOrder(order)), "my-order");
  const Command amend = Next(CommandKind::kAmend, kAnn);
  const Event amended = AboutOrder(amend, EventKind::kAmended, order, Side::kBid, 5'000, 50, 50);
  Fold(amend, {amended}, AsBytes("no order note"));
  EXPECT_EQ(view_.ClientTextOf(*view_.FindOrder(order)), "my-order");
  Fold(amend, {amended}, EncodeOrderNote("another"));
  EXPECT_EQ(view_.ClientTextOf(*view_.FindOrder(order)), "another");
  EXPECT_EQ(view_.ClientTextOf(*view_.FindOrder(Enter(kAnn))), "");
}

// Whether a command's events come together or one by one.
TEST_F(PortfolioTest, AFillHasItsFeeAndPositionAlsoIfItsEventsComeInParts) {
  for (const bool in_parts : {false, true}) {
    const uint64_t before = view_.last_fill();
    const OrderId maker = Enter(kAnn);
    const Command command = Next(CommandKind::kNewOrder, kBob);
    const std::vector<Event> events = Taken(command, maker, 40);
    if (in_parts) {
      for (const Event& event : events) view_.OnEvents(command, {}, {&event, 1});
    } else {
      view_.OnEvents(command, {}, events);
    }
    ASSERT_EQ(view_.last_fill(), before + 2);
    const PortfolioFill of_ann = {.sequence = command.sequence,
                                  .index = 1,
                                  .account = kAnn,
                                  .order = maker,
                                  .market = kRain,
                                  .side = Side::kBid,
                                  .is_taker = false,
                                  .price = Price::FromUnits(5'000),
                                  .quantity = Units(40),
                                  .fee = Money::FromMicros(100),
                                  .time = command.timestamp,
                                  .position_after = 40};
    PortfolioFill of_bob = of_ann;
    of_bob.account = kBob;
    of_bob.order = OrderIdOf(command.sequence);
    of_bob.side = Side::kAsk;
    of_bob.is_taker = true;
    of_bob.fee = Money::FromMicros(700);
    of_bob.position_after = -40;
    EXPECT_EQ(*view_.FindFill(before + 1), of_ann);
    EXPECT_EQ(*view_.FindFill(before + 2), of_bob);
    const PortfolioOrder& taker = *view_.FindOrder(of_bob.order);
    EXPECT_EQ(taker.status, OrderStatus::kFilled);
    EXPECT_EQ(taker.taker_cost, Money::FromMicros(200'000));
    EXPECT_EQ(taker.taker_fees, Money::FromMicros(700));
    EXPECT_EQ(taker.maker_cost, Money());
    EXPECT_EQ(view_.FindOrder(maker)->remaining, Units(60));
    EXPECT_EQ(view_.FindOrder(maker)->maker_fees, Money::FromMicros(100));
  }
  EXPECT_EQ(view_.Fills(kAnn, {}, {}).rows.size(), 2u);
  EXPECT_EQ(view_.FindPosition(kAnn, kRain)->open_orders, 2u);
}

TEST_F(PortfolioTest, ASettlementHasThePositionAndWhatItPaid) {
  const OrderId maker = Enter(kAnn);
  const Command command = Next(CommandKind::kNewOrder, kBob);
  view_.OnEvents(command, {}, Taken(command, maker, 40));
  const Command determine = Next(CommandKind::kDetermineMarket, AccountId());
  Event determined = Of(determine, EventKind::kDetermined);
  determined.price = Price::FromUnits(10'000);
  Fold(determine, {determined});
  const Command settle = Next(CommandKind::kSettleMarket, AccountId());
  std::vector<Event> events;
  AddMoney(settle, kAnn, OrderId(), 400'000, 0, 0, events);
  AddMoney(settle, kBob, OrderId(), 0, 0, 0, events);
  view_.OnEvents(settle, {}, events);
  const Page<PortfolioSettlement> page = view_.Settlements(kAnn, {}, {});
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rows[0]->value, Price::FromUnits(10'000));
  EXPECT_EQ(page.rows[0]->yes_quantity(), Units(40));
  EXPECT_EQ(page.rows[0]->yes_cost(), Money::FromMicros(200'000));
  EXPECT_EQ(page.rows[0]->no_quantity(), Units(0));
  EXPECT_EQ(page.rows[0]->revenue, Money::FromMicros(400'000));
  EXPECT_EQ(page.rows[0]->fees, Money::FromMicros(100));
  EXPECT_EQ(view_.FindPosition(kAnn, kRain)->realised_pnl, Money::FromMicros(200'000));
  EXPECT_TRUE(view_.FindPosition(kBob, kRain)->is_settled);
  EXPECT_EQ(view_.FindPosition(kBob, kRain)->realised_pnl, Money::FromMicros(-200'000));
}

class BoundedPortfolioTest : public PortfolioTest {
 protected:
  BoundedPortfolioTest()
      : PortfolioTest({.ended_orders_of_account = 2, .ended_orders = 3, .fills = 3}) {}
};

TEST_F(BoundedPortfolioTest, TheOrdersThatEndedFirstAreForgotten) {
  const OrderId live = Enter(kAnn);
  std::vector<OrderId> ann;
  for (int i = 0; i < 3; ++i) ann.push_back(Enter(kAnn));
  Cancel(kAnn, ann[2]);
  Cancel(kAnn, ann[0]);
  Cancel(kAnn, ann[1]);  // Two of an account are kept.
  EXPECT_EQ(view_.FindOrder(ann[2]), nullptr);
  EXPECT_EQ(Ids(kAnn), (std::vector{ann[1], ann[0], live}));
  const std::vector<OrderId> bob = {Enter(kBob), Enter(kBob)};
  Cancel(kBob, bob[0]);
  Cancel(kBob, bob[1]);  // Three of all.
  EXPECT_EQ(view_.FindOrder(ann[0]), nullptr);
  EXPECT_EQ(Ids(kAnn), (std::vector{ann[1], live}));
  EXPECT_EQ(Ids(kBob), (std::vector{bob[1], bob[0]}));
  EXPECT_EQ(view_.live_order_count(), 1u);
}

TEST_F(BoundedPortfolioTest, OrdersThatStayAreFoundAmongManyThatLeft) {
  std::vector<OrderId> stay;
  for (int i = 0; i < 500; ++i) {
    const OrderId order = Enter(kAnn);
    const OrderId leaves = Enter(kAnn);
    if (i % 100 == 0)
      stay.insert(stay.begin(), order);
    else
      Cancel(kAnn, order);
    Cancel(kAnn, leaves);
  }
  EXPECT_EQ(Ids(kAnn, {.markets = {}, .status = OrderStatus::kLive, .created = {}}), stay);
  EXPECT_EQ(Ids(kAnn).size(), stay.size() + 2);
  EXPECT_EQ(view_.FindPosition(kAnn, kRain)->open_orders, stay.size());
}

TEST_F(BoundedPortfolioTest, TheOldestFillsAreForgotten) {
  for (int i = 0; i < 2; ++i) {
    const OrderId maker = Enter(kAnn);
    const Command command = Next(CommandKind::kNewOrder, kBob);
    view_.OnEvents(command, {}, Taken(command, maker, 100));
  }
  EXPECT_EQ(view_.FindFill(1), nullptr);
  EXPECT_EQ(view_.Fills(kAnn, {}, {}).rows.size(), 1u);
  EXPECT_EQ(view_.Fills(kBob, {}, {}).rows.size(), 2u);
}

}  // namespace
}  // namespace engine
