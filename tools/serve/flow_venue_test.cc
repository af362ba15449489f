// A recorded order flow in a whole venue: its pace, its orders beside those of a client, a market
// that pauses or closes, and the next start.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/flow/flow.h"
#include "engine/gateway/flow/testing/listed_source.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::Command;
using engine::CommandKind;
using engine::RejectReason;
using engine::Side;

constexpr int64_t kSecond = 1'000'000'000;
constexpr engine::MarketId kRain(3);

class FlowVenueTest : public testing::Test {
 protected:
  FlowVenueTest() {
    for (const uint32_t id : {1, 500, 507}) {
      config.accounts.push_back({.id = AccountId(id), .money = engine::Money::FromDollars(10'000)});
    }
    config.markets = {{.definition = {.id = kRain,
                                      .symbol = "RAIN",
                                      .price_decimals = 2,
                                      .price_max = engine::Price::FromUnits(99),
                                      .kind = engine::MarketKind::kBinary}}};
    config.logins = {{.name = "one", .secret = "12345678", .account = AccountId(1)}};
    clock.Set(*engine::Timestamp::Parse("2026-11-25T10:00:00Z"));
  }
  void TearDown() override {
    if (venue == nullptr) return;
    // E1 to E3: also of the money.
    venue->machine.CheckInvariants();
  }

  void Start(std::optional<double> pace = 1) {
    const engine::MarketDefinition& market = config.markets[0].definition;
    source = std::make_unique<engine::ListedSource>(listed);
    venue = std::make_unique<SmallVenue>(
        config, directory, clock, steady, VenueConversation(), [&](VenueServer& server) {
          server.AddFlow({.name = "RAIN from RAIN of a list",
                          .terms = {market, market, std::nullopt},
                          .first_account = AccountId(500),
                          .accounts = {AccountId(500), AccountId(507)},
                          .pace = pace},
                         *source);
        });
    ASSERT_TRUE(venue->started.ok()) << venue->started;
    begins_at = commands();
  }
  void Pass(int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      clock.Set(engine::Timestamp::FromNanos(clock.Now().nanos() + kSecond / 10));
      steady.Advance(kSecond / 10);
      venue->Turn();
    }
  }
  uint64_t commands() const { return venue->server.counts().commands; }
  // Since the start.
  uint64_t entered() const { return commands() - begins_at; }
  const engine::FlowCounts& counts() const { return venue->server.flows()[0]->counts(); }
  bool has_ended() const { return venue->server.flows()[0]->has_ended(); }

  VenueConfig config;
  journal::MemoryDirectory directory;
  engine::ManualClock clock;
  engine::ManualSteadyClock steady;
  engine::ListedSource listed;
  std::unique_ptr<engine::ListedSource> source;
  std::unique_ptr<SmallVenue> venue;
  uint64_t begins_at = 0;
};

TEST_F(FlowVenueTest, OrdersComeAtThePaceAndTradeAsRecorded) {
  const engine::OrderId ask = listed.AddOrder(Side::kAsk, 40, 10, 0);
  listed.AddOrder(Side::kBid, 40, 4, 20);
  listed.commands.back().account = AccountId();  // Another one.
  listed.AddFor(CommandKind::kCancel, ask, 40);
  Start(/*pace=*/10);
  venue->Turn();
  EXPECT_EQ(entered(), 1u);
  Pass(1);
  EXPECT_EQ(entered(), 1u);
  Pass(1);
  EXPECT_EQ(entered(), 2u);
  Pass(1);
  EXPECT_EQ(entered(), 2u);
  Pass(2);
  EXPECT_EQ(entered(), 4u);  // With the note of its end.
  EXPECT_TRUE(has_ended());
  EXPECT_EQ(counts().refused_in_all(), 0u);
  EXPECT_EQ(counts().gone, 0u);
}

TEST_F(FlowVenueTest, AClientTakesWhatAnOrderOfTheFlowWasToTake) {
  const engine::OrderId ask = listed.AddOrder(Side::kAsk, 40, 10, 0);
  listed.AddOrder(Side::kBid, 40, 10, 10);
  listed.commands.back().account = AccountId();  // Another one.
  listed.AddFor(CommandKind::kCancel, ask, 20);
  Start();
  Pass(1);
  const auto peer = venue->Connect();
  venue->LogIn(*peer, "one");
  EXPECT_TRUE(absl::StrContains(venue->Say(*peer, "SUBMIT 1 RAIN BUY 0.40 7\n", "FILL"),
                                "FILL 1 7 @ 0.40 taker remaining=0"));
  // Of ten, three are left; seven of the other order rest, and the client sells to them.
  Pass(10);
  EXPECT_TRUE(absl::StrContains(venue->Say(*peer, "SUBMIT 2 RAIN SELL 0.40 9\n", "FILL"),
                                "FILL 2 7 @ 0.40 taker remaining=2"));
  Pass(10);
  EXPECT_EQ(counts().entered, 2u);
  EXPECT_EQ(counts().gone, 1u);  // The cancel.
  EXPECT_TRUE(has_ended());
}

TEST_F(FlowVenueTest, OrdersAreReplacedAmendedAndReduced) {
  const engine::OrderId first = listed.AddOrder(Side::kBid, 10, 10, 0);
  Command& replace = listed.AddFor(CommandKind::kReplace, first, 1);
  replace.price = engine::Price::FromUnits(11);
  replace.quantity = engine::Quantity::FromUnits(5);
  const engine::OrderId second = engine::OrderIdOf(replace.sequence);
  Command& amend = listed.AddFor(CommandKind::kAmend, second, 2);
  amend.price = engine::Price::FromUnits(12);
  amend.quantity = engine::Quantity::FromUnits(9);
  listed.AddFor(CommandKind::kReduce, second, 3).quantity = engine::Quantity::FromUnits(2);
  listed.AddFor(CommandKind::kCancel, first, 4);  // It has ended.
  listed.AddFor(CommandKind::kCancel, second, 5);
  Start(std::nullopt);
  Pass(1);
  EXPECT_EQ(counts().entered, 5u);
  EXPECT_EQ(counts().refused_in_all(), 0u);
  EXPECT_EQ(counts().gone, 1u);
}

TEST_F(FlowVenueTest, AReplaceThatIsRefusedLeavesAnOrderThatIsFound) {
  config.markets[0].definition.starts_unopened = true;
  config.markets[0].schedule = {
      {.at = *engine::Timestamp::Parse("2026-11-25T10:00:00Z"), .kind = CommandKind::kOpenMarket}};
  const engine::OrderId first = listed.AddOrder(Side::kBid, 10, 10, 1);
  listed.AddFor(CommandKind::kReplace, first, 2);  // To nothing: it does not fit.
  Command& replace = listed.AddFor(CommandKind::kReplace, first, 2);
  replace.price = engine::Price::FromUnits(99);
  replace.quantity = engine::Quantity::FromUnits(2'000'000'000);  // Money for less.
  const engine::OrderId replaced = engine::OrderIdOf(replace.sequence);
  listed.AddFor(CommandKind::kCancel, replaced, 3);
  Start();
  Pass(5);
  EXPECT_EQ(counts().unfit, 1u);
  EXPECT_EQ(counts().entered, 3u);
  EXPECT_EQ(counts().refused.at(RejectReason::kInsufficientFunds), 1u);
  EXPECT_EQ(counts().gone, 0u);
  EXPECT_EQ(venue->machine.live_order_count(), 0u);
}

TEST_F(FlowVenueTest, AMarketThatIsNotOpenRefusesAndTheFlowGoesOn) {
  config.markets[0].definition.starts_unopened = true;
  config.markets[0].schedule = {
      {.at = *engine::Timestamp::Parse("2026-11-25T10:00:05Z"), .kind = CommandKind::kOpenMarket}};
  for (int second = 0; second < 10; ++second) listed.AddOrder(Side::kBid, 10, 1, second);
  Start();
  Pass(20);
  EXPECT_TRUE(has_ended());
  EXPECT_EQ(counts().entered, 10u);
  EXPECT_GE(counts().refused.at(RejectReason::kMarketNotOpen), 4u);
  EXPECT_LE(counts().refused.at(RejectReason::kMarketNotOpen), 6u);
}

TEST_F(FlowVenueTest, TheCloseOfABinaryMarketEndsIt) {
  config.markets[0].schedule = {
      {.at = *engine::Timestamp::Parse("2026-11-25T10:00:05Z"), .kind = CommandKind::kCloseMarket}};
  for (int second = 0; second < 100; ++second) listed.AddOrder(Side::kBid, 10, 1, second);
  Start();
  Pass(20);
  EXPECT_TRUE(has_ended());
  EXPECT_EQ(venue->server.flows()[0]->status().message(), "its market is closed");
  EXPECT_LT(counts().entered, 10u);
}

TEST_F(FlowVenueTest, TheNextStartBeginsWithoutTheOrdersThatAreLeft) {
  for (int second = 0; second < 10; ++second) listed.AddOrder(Side::kBid, 10, 1, second);
  Start();
  Pass(5);
  const auto peer = venue->Connect();
  venue->LogIn(*peer, "one");
  venue->Say(*peer, "SUBMIT 1 RAIN BUY 0.05 7\n", "ACK 1");
  const uint64_t rested = venue->machine.live_order_count() - 1;
  EXPECT_GE(rested, 5u);
  ASSERT_TRUE(venue->server.Drain().ok());
  venue.reset();

  Start();
  venue->Turn();
  EXPECT_EQ(entered(), rested + 1);
  // The first order of the flow, and the client's.
  EXPECT_EQ(venue->machine.live_order_count(), 2u);
  Pass(20);
  EXPECT_TRUE(has_ended());
  EXPECT_EQ(venue->machine.live_order_count(), 11u);
}

}  // namespace
}  // namespace tools
