#include "engine/gateway/agents/agents.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/gateway/testing/toy_exchange.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr MarketId kRain(7);
constexpr AccountId kFirst(100);

MarketDefinition Rain() {
  MarketDefinition rain;
  rain.id = kRain;
  rain.symbol = "RAIN";
  rain.price_decimals = 4;
  rain.price_max = Price::FromUnits(9'999);
  // Fine near both ends.
  const auto band = [](int64_t from, int64_t tick) {
    return TickBand{.from = Price::FromUnits(from), .tick = Price::FromUnits(tick)};
  };
  rain.bands = {band(1, 1), band(100, 100), band(9'900, 1)};
  rain.lot = Quantity::FromUnits(10);
  return rain;
}

AgentsOptions Options(uint64_t seed) {
  return {.seed = seed,
          .first_account = kFirst,
          .markets = {{.market = kRain,
                       .makers = 2,
                       .noise = 2,
                       .momentum = 1,
                       .start = Price::FromUnits(4'000),
                       .volatility = Price::FromUnits(500),
                       .depth = Quantity::FromUnits(1'000),
                       .actions_a_second = 2}}};
}

// Agents at an exchange that trades, and releases immediately.
struct Floor {
  explicit Floor(uint64_t seed, AgentsOptions (*options)(uint64_t) = Options)
      : agents(options(seed), venue) {
    markets.Add(Rain());
    exchange.ListenWith(&venue);
    venue.Connect(exchange);
    agents.Start(markets, now);
  }
  void Run(int64_t seconds) {
    for (int64_t i = 0; i < seconds * 10; ++i) {
      now = now + kSecond / 10;
      status = agents.Act(now, Timestamp::FromNanos(now.nanos()), [this] { return has_room; });
    }
  }
  int64_t Count(CommandKind kind) const {
    return std::ranges::count(exchange.commands(), kind, &Command::kind);
  }

  MarketDirectory markets;
  ToyExchange exchange{0};
  Venue venue;
  Agents agents;
  SteadyTime now;
  absl::Status status;
  bool has_room = true;
};

TEST(Agents, OrdersAreOfTheMarketsGrid) {
  Floor floor(1);
  floor.Run(/*seconds=*/600);
  std::set<AccountId> accounts;
  std::set<Side> sides;
  for (const Command& command : floor.exchange.commands()) {
    accounts.insert(command.account);
    EXPECT_EQ(command.market, kRain);
    if (command.kind != CommandKind::kNewOrder) continue;
    sides.insert(command.side);
    ASSERT_GE(command.price, Rain().price_min);
    ASSERT_LE(command.price, Rain().price_max);
    EXPECT_EQ(command.price.units() % Rain().TickAt(command.price).units(), 0) << command.price;
    EXPECT_EQ(command.quantity.units() % 10, 0u);
    EXPECT_GT(command.quantity.units(), 0u);
  }
  EXPECT_EQ(sides.size(), 2u);
  EXPECT_EQ(accounts.size(), 5u);
  EXPECT_EQ(*accounts.begin(), kFirst);
}

TEST(Agents, ActAsOftenAsTheirRateSays) {
  Floor floor(2);
  floor.Run(/*seconds=*/500);
  // Two makers, twice a second.
  EXPECT_NEAR(static_cast<double>(floor.Count(CommandKind::kMassCancel)), 2000, 200);
}

TEST(Agents, TradeAndFollowTheFairPrice) {
  Floor floor(3);
  std::set<int64_t> prices;
  floor.Run(/*seconds=*/600);
  for (const Command& command : floor.exchange.commands()) {
    if (command.tif == TimeInForce::kImmediateOrCancel) prices.insert(command.price.units());
  }
  // It moves by ten cents of a dollar or so in ten minutes.
  ASSERT_FALSE(prices.empty());
  EXPECT_GT(*prices.rbegin() - *prices.begin(), 300);
}

TEST(Agents, ASeedAndTheTimesGiveTheCommands) {
  const auto commands = [](uint64_t seed) {
    Floor floor(seed);
    floor.Run(/*seconds=*/60);
    return floor.exchange.commands();
  };
  EXPECT_EQ(commands(4), commands(4));
  EXPECT_NE(commands(4), commands(5));
}

TEST(Agents, WithoutRoomDoNothing) {
  Floor floor(5);
  floor.has_room = false;
  floor.Run(/*seconds=*/60);
  EXPECT_TRUE(floor.exchange.commands().empty());
  floor.has_room = true;
  floor.Run(/*seconds=*/1);
  // What was missed is not made up for.
  EXPECT_LT(floor.exchange.commands().size(), 100u);
  EXPECT_FALSE(floor.exchange.commands().empty());
}

TEST(Agents, LeaveAMarketThatRefusesAloneForAWhile) {
  Floor floor(6);
  floor.Run(/*seconds=*/10);
  const size_t before = floor.exchange.commands().size();
  floor.exchange.RefuseNext(RejectReason::kMarketPaused);
  while (floor.exchange.commands().size() == before) floor.Run(/*seconds=*/1);
  const size_t refused = floor.exchange.commands().size();
  floor.Run(/*seconds=*/4);
  EXPECT_LE(floor.exchange.commands().size(), refused);
  floor.Run(/*seconds=*/4);
  EXPECT_GT(floor.exchange.commands().size(), refused);
}

TEST(Agents, AFullDiskIsNoErrorABrokenJournalIs) {
  Floor floor(7);
  floor.exchange.SetDiskFull(true);
  floor.Run(/*seconds=*/10);
  EXPECT_TRUE(floor.status.ok()) << floor.status;
  floor.exchange.SetDiskFull(false);
  floor.Run(/*seconds=*/10);
  EXPECT_FALSE(floor.exchange.commands().empty());
  floor.exchange.Break();
  floor.Run(/*seconds=*/10);
  EXPECT_FALSE(floor.status.ok());
}

TEST(Agents, AMakerThatHoldsContractsQuotesLower) {
  const auto highest_bid = [](int64_t held) {
    Floor floor(8, [](uint64_t seed) {
      AgentsOptions options = Options(seed);
      options.markets[0].volatility = Price();
      options.markets[0].noise = options.markets[0].momentum = 0;
      options.markets[0].makers = 1;
      return options;
    });
    Event position;
    position.kind = EventKind::kPosition;
    position.account = kFirst;
    position.market = kRain;
    position.price = Price::FromUnits(held);
    floor.agents.OnHistory(Command(), {&position, 1});
    floor.Run(/*seconds=*/5);
    int64_t highest = 0;
    for (const Command& command : floor.exchange.commands()) {
      if (command.side == Side::kBid) highest = std::max(highest, command.price.units());
    }
    return highest;
  };
  EXPECT_EQ(highest_bid(0), 3'900);
  EXPECT_EQ(highest_bid(3'000), 3'600);
  EXPECT_EQ(highest_bid(-3'000), 4'200);
}

}  // namespace
}  // namespace engine
