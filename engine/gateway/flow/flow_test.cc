#include "engine/gateway/flow/flow.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/gateway/flow/testing/listed_source.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/messages/kinds.h"
#include "engine/messages/note_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr MarketId kHere(3);
constexpr MarketId kThere(9);
constexpr AccountId kFirst(2'000);
constexpr AccountId kClient(1);

MarketDefinition Market(MarketId id) { return {.id = id, .symbol = "ACME"}; }

// A flow at an exchange that trades, and releases immediately.
struct Floor {
  explicit Floor(std::optional<double> pace, uint64_t rounds = 1)
      : flow({.name = "ACME from ACME of a.tape",
              .terms = {Market(kThere), Market(kHere), std::nullopt},
              .first_account = kFirst,
              .accounts = {kFirst, AccountId(2'007), AccountId(2'008)},
              .pace = pace,
              .rounds = rounds},
             source, venue) {
    exchange.ListenWith(&venue);
    venue.Connect(exchange);
  }
  void Act() {
    status = flow.Act(now, Timestamp::FromNanos(now.nanos()), [this] { return has_room; });
    EXPECT_TRUE(status.ok()) << status;
  }
  void RunUntil(double seconds) {
    const SteadyTime end = SteadyTime::FromNanos(static_cast<int64_t>(seconds * kSecond));
    while (flow.next_time() <= end) {
      now = std::max(now, flow.next_time());
      Act();
    }
    now = end;
  }
  // Without notes.
  std::vector<Command> Entered() const {
    std::vector<Command> entered = exchange.commands();
    std::erase_if(entered, [](const Command& c) { return c.kind == CommandKind::kNote; });
    return entered;
  }
  size_t entered_count() const { return Entered().size(); }
  void SubmitForClient(Command command) {
    command.account = kClient;
    command.market = kHere;
    ASSERT_TRUE(venue.Submit(command, {}, {}).ok());
  }

  ListedSource source;
  ToyExchange exchange{0};
  Venue venue;
  Flow flow;
  SteadyTime now;
  absl::Status status;
  bool has_room = true;
};

TEST(Flow, EntersOrdersInTheMarketOfTheVenue) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.commands[0].client_order_id = ClientOrderId(1'000'000);
  floor.source.commands[0].set_group(GroupId(4));
  floor.RunUntil(1);
  ASSERT_EQ(floor.entered_count(), 1u);
  const Command entered = floor.Entered()[0];
  EXPECT_EQ(entered.market, kHere);
  EXPECT_EQ(entered.account, AccountId(2'007));
  EXPECT_EQ(entered.price, Price::FromUnits(10));
  EXPECT_EQ(entered.quantity, Quantity::FromUnits(5));
  EXPECT_EQ(entered.client_order_id, ClientOrderId());
  EXPECT_EQ(entered.group(), GroupId());
  EXPECT_TRUE(floor.flow.has_ended());
  EXPECT_TRUE(floor.flow.status().ok());
}

TEST(Flow, OrdersLeaveAtTheRecordedTimes) {
  for (const double pace : {1.0, 10.0, 0.5}) {
    Floor floor(pace);
    for (const double second : {0.0, 1.0, 1.0, 4.0}) {
      floor.source.AddOrder(Side::kBid, 10, 5, second);
    }
    floor.now = SteadyTime::FromNanos(50 * kSecond);  // The first one is due when it begins.
    floor.Act();
    EXPECT_EQ(floor.entered_count(), 1u);
    const double due = 50 + 1 / pace;
    EXPECT_EQ(floor.flow.next_time().nanos(), static_cast<int64_t>(due * kSecond));
    floor.RunUntil(due - 0.001);
    EXPECT_EQ(floor.entered_count(), 1u);
    floor.RunUntil(due);
    EXPECT_EQ(floor.entered_count(), 3u);
    floor.RunUntil(50 + 4 / pace - 0.001);
    EXPECT_EQ(floor.entered_count(), 3u);
    floor.RunUntil(50 + 4 / pace);
    EXPECT_EQ(floor.entered_count(), 4u);
    EXPECT_TRUE(floor.flow.has_ended());
    EXPECT_EQ(floor.flow.counts().late_nanos_max, 0);
  }
}

TEST(Flow, AtTheHighestPaceTimesDoNotMatterAndClientsHaveTheirTurn) {
  Floor floor(std::nullopt);
  for (int i = 0; i < 300; ++i) floor.source.AddOrder(Side::kBid, 10, 5, i * 1'000.0);
  floor.Act();
  EXPECT_EQ(floor.entered_count(), Flow::kCommandsOfTurn);
  floor.Act();
  floor.Act();
  EXPECT_EQ(floor.entered_count(), 300u);
  EXPECT_TRUE(floor.flow.has_ended());
}

TEST(Flow, WithoutRoomNothingIsEnteredAndLaterAll) {
  Floor floor(1);
  for (int i = 0; i < 3; ++i) floor.source.AddOrder(Side::kBid, 10, 5, i);
  floor.Act();
  floor.has_room = false;
  floor.now = SteadyTime::FromNanos(10 * kSecond);
  floor.Act();
  EXPECT_EQ(floor.entered_count(), 1u);
  floor.has_room = true;
  floor.Act();
  EXPECT_EQ(floor.entered_count(), 3u);
  EXPECT_EQ(floor.flow.counts().late_nanos_max, 9 * kSecond);
}

TEST(Flow, ACancelNamesTheOrderHere) {
  Floor floor(std::nullopt);
  Command other;
  other.kind = CommandKind::kCancel;
  floor.SubmitForClient(other);  // So that numbers differ.
  floor.source.AddFor(CommandKind::kCancel, floor.source.AddOrder(Side::kBid, 10, 5));
  floor.RunUntil(1);
  const std::vector<Command> entered = floor.Entered();
  ASSERT_EQ(entered.size(), 3u);
  EXPECT_EQ(entered[2].kind, CommandKind::kCancel);
  EXPECT_EQ(entered[2].order_id, OrderIdOf(entered[1].sequence));
  EXPECT_EQ(floor.flow.counts().entered, 2u);
  EXPECT_EQ(floor.flow.counts().refused_in_all(), 0u);
}

TEST(Flow, WhatClientsHaveTradedAwayIsGone) {
  Floor floor(1);
  const OrderId order = floor.source.AddOrder(Side::kAsk, 10, 5);
  floor.source.AddFor(CommandKind::kCancel, order, 2);
  floor.source.AddFor(CommandKind::kCancel, OrderId(1), 2);  // From before the range.
  floor.source.AddOrder(Side::kBid, 9, 5, 3);
  floor.RunUntil(1);
  Command taker = floor.source.commands[0];
  taker.side = Side::kBid;
  floor.SubmitForClient(taker);
  const size_t before = floor.entered_count();
  floor.RunUntil(5);
  EXPECT_EQ(floor.entered_count(), before + 1);
  EXPECT_EQ(floor.flow.counts().commands, 4u);
  EXPECT_EQ(floor.flow.counts().entered, 2u);
  EXPECT_EQ(floor.flow.counts().gone, 2u);
  EXPECT_TRUE(floor.flow.has_ended());
}

TEST(Flow, OrdersOfTheFlowTradeWithEachOther) {
  Floor floor(std::nullopt);
  const OrderId maker = floor.source.AddOrder(Side::kAsk, 10, 5);
  floor.source.AddOrder(Side::kBid, 10, 3, 0, TimeInForce::kImmediateOrCancel);
  floor.source.AddFor(CommandKind::kCancel, maker);
  floor.source.AddFor(CommandKind::kCancel, maker);  // It has ended.
  floor.RunUntil(1);
  EXPECT_EQ(floor.flow.counts().entered, 3u);
  EXPECT_EQ(floor.flow.counts().gone, 1u);
}

TEST(Flow, ARefusalIsCounted) {
  Floor floor(std::nullopt);
  for (int i = 0; i < 3; ++i) floor.source.AddOrder(Side::kBid, 10, 5);
  ASSERT_TRUE(floor.flow.Start().ok());
  floor.exchange.RefuseNext(RejectReason::kMarketPaused);
  floor.RunUntil(1);
  // The toy exchange knows no notes.
  EXPECT_EQ(floor.flow.counts().refused.at(RejectReason::kMarketPaused), 1u);
  EXPECT_EQ(floor.flow.counts().entered, 3u);
}

TEST(Flow, AFullDiskIsWaitedFor) {
  Floor floor(std::nullopt);
  for (int i = 0; i < 3; ++i) floor.source.AddOrder(Side::kBid, 10, 5);
  floor.exchange.SetDiskFull(true);
  floor.Act();
  EXPECT_EQ(floor.flow.next_time().nanos(), kSecond);
  floor.exchange.SetDiskFull(false);
  floor.RunUntil(2);
  EXPECT_EQ(floor.entered_count(), 3u);
}

TEST(Flow, TheJournalsErrorIsReturned) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.exchange.Break();
  EXPECT_FALSE(floor.flow.Act(floor.now, Timestamp(), [] { return true; }).ok());
}

TEST(Flow, ASourceThatIsLateIsWaitedFor) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.is_late = true;
  floor.Act();
  EXPECT_EQ(floor.flow.next_time(), SteadyTime::Max());
  floor.source.is_late = false;
  floor.Act();
  floor.RunUntil(1);
  EXPECT_EQ(floor.entered_count(), 1u);
  EXPECT_TRUE(floor.flow.has_ended());
}

TEST(Flow, AnErrorOfTheSourceEndsIt) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.error = absl::DataLossError("block 3 is damaged");
  floor.RunUntil(1);
  EXPECT_EQ(floor.entered_count(), 1u);
  EXPECT_TRUE(floor.flow.has_ended());
  EXPECT_EQ(floor.flow.status(), floor.source.error);
  EXPECT_EQ(floor.flow.next_time(), SteadyTime::Max());
}

TEST(Flow, ARoundBeginsWithoutTheOrdersOfTheOneBefore) {
  Floor floor(1, /*rounds=*/2);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.AddOrder(Side::kBid, 11, 5, 1);
  floor.RunUntil(10);
  std::vector<CommandKind> kinds;
  for (const Command& command : floor.Entered()) kinds.push_back(command.kind);
  const auto order = CommandKind::kNewOrder;
  const auto cancel = CommandKind::kCancel;
  EXPECT_EQ(kinds, (std::vector<CommandKind>{order, order, cancel, cancel, order, order}));
  EXPECT_EQ(floor.flow.counts().rounds, 2u);
  EXPECT_EQ(floor.flow.counts().gone, 0u);
  EXPECT_TRUE(floor.flow.has_ended());
}

TEST(Flow, EndlessRoundsGoOn) {
  Floor floor(1, /*rounds=*/0);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.AddOrder(Side::kBid, 11, 5, 1);
  floor.RunUntil(100.5);
  EXPECT_EQ(floor.flow.counts().rounds, 101u);
  EXPECT_FALSE(floor.flow.has_ended());
}

TEST(Flow, WhatAnEarlierRunHasLeftIsCancelledFirst) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  Command rests = floor.source.commands[0];
  rests.sequence = SequenceNumber(40);
  const auto make = [&](uint64_t id, AccountId account, MarketId market) {
    Event event;
    event.kind = EventKind::kAccepted;
    event.order_id = OrderId(id);
    event.account = account;
    event.market = market;
    event.quantity = event.quantity_remaining = Quantity::FromUnits(5);
    floor.flow.OnHistory(rests, {{event}});
  };
  make(40, AccountId(2'007), kHere);
  make(41, kClient, kHere);
  make(42, AccountId(2'007), MarketId(5));
  ASSERT_TRUE(floor.flow.Start().ok());
  floor.RunUntil(1);
  const std::vector<Command> entered = floor.Entered();
  ASSERT_EQ(entered.size(), 2u);
  EXPECT_EQ(entered[0].kind, CommandKind::kCancel);
  EXPECT_EQ(entered[0].order_id, OrderId(40));
  EXPECT_EQ(entered[0].account, AccountId(2'007));
}

TEST(Flow, AMassCancelIsOfTheFlowAlone) {
  Floor floor(1);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.AddOrder(Side::kBid, 11, 5);
  floor.source.commands.back().account = AccountId(8);
  floor.source.AddOrder(Side::kAsk, 20, 5);
  Command& of_account = floor.source.Add(CommandKind::kMassCancel, 1);
  of_account.market = MarketId();  // Of all markets.
  Command& of_all = floor.source.Add(CommandKind::kMassCancel, 2);
  of_all.account = AccountId();
  floor.RunUntil(0.5);
  Command client = floor.source.commands[0];
  floor.SubmitForClient(client);

  floor.RunUntil(1.5);
  std::vector<Command> entered = floor.Entered();
  EXPECT_EQ(entered.back().kind, CommandKind::kMassCancel);
  EXPECT_EQ(entered.back().account, AccountId(2'007));
  EXPECT_EQ(entered.back().market, kHere);

  floor.RunUntil(3);  // What is left is the order of account 8.
  entered = floor.Entered();
  ASSERT_EQ(entered.size(), 6u);
  EXPECT_EQ(entered.back().kind, CommandKind::kCancel);
  EXPECT_EQ(entered.back().account, AccountId(2'008));
  EXPECT_TRUE(floor.flow.has_ended());
}

TEST(Flow, AnExpiryStaysAsFarAway) {
  for (const double pace : {1.0, 10.0}) {
    Floor floor(pace);
    floor.source.AddOrder(Side::kBid, 10, 5, 0, TimeInForce::kGoodTillTime);
    Command& order = floor.source.commands[0];
    order.set_expires_at(Timestamp::FromNanos(order.timestamp.nanos() + 30 * kSecond));
    floor.now = SteadyTime::FromNanos(7 * kSecond);
    floor.Act();
    EXPECT_EQ(floor.Entered()[0].expires_at().nanos(),
              7 * kSecond + static_cast<int64_t>(30 / pace * kSecond));
  }
  Floor floor(1);
  floor.source.AddOrder(Side::kBid, 10, 5, 0, TimeInForce::kGoodTillTime);
  floor.source.commands[0].set_expires_at(Timestamp::Max());
  floor.source.commands[0].timestamp = Timestamp::Min();
  floor.Act();
  EXPECT_GT(floor.Entered()[0].expires_at().nanos(), int64_t{100} * 365 * 86'400 * kSecond);
}

TEST(Flow, OrdersOfAccountZeroMayTradeWithEachOther) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  floor.source.AddOrder(Side::kBid, 10, 5);
  for (Command& command : floor.source.commands) {
    command.flags = command.flags.WithSelfTradePrevention(SelfTradePrevention::kCancelMaker);
  }
  floor.source.commands[0].account = AccountId();
  floor.RunUntil(1);
  const std::vector<Command> entered = floor.Entered();
  EXPECT_EQ(entered[0].account, kFirst);
  EXPECT_EQ(entered[0].flags.self_trade_prevention(), SelfTradePrevention::kNone);
  EXPECT_EQ(entered[1].flags.self_trade_prevention(), SelfTradePrevention::kCancelMaker);
}

TEST(Flow, AnAccountThatIsNotItsOwnIsNeverUsed) {
  Floor floor(std::nullopt);
  floor.source.AddOrder(Side::kBid, 10, 5);
  // As if the source had changed; 2000 + this is account 1.
  floor.source.commands[0].account = AccountId(static_cast<uint32_t>(kClient.value() - 2'000));
  floor.RunUntil(1);
  EXPECT_EQ(floor.entered_count(), 0u);
  EXPECT_EQ(floor.flow.counts().unfit, 1u);
}

}  // namespace
}  // namespace engine
