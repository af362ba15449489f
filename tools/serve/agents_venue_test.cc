// Agents in a whole venue: they trade by its rules, rest while it does, and go on after a restart.

#include <cstdint>
#include <memory>

#include "absl/strings/match.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/agents/agents.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::AccountId;

constexpr int64_t kSecond = 1'000'000'000;

class AgentsVenueTest : public testing::Test {
 protected:
  AgentsVenueTest() {
    for (const uint32_t id : {1, 100, 101, 102, 103}) {
      config.accounts.push_back({.id = AccountId(id), .money = engine::Money::FromDollars(10'000)});
    }
    config.markets = {{.definition = {.id = engine::MarketId(3),
                                      .symbol = "RAIN",
                                      .price_decimals = 2,
                                      .price_max = engine::Price::FromUnits(99),
                                      .kind = engine::MarketKind::kBinary}}};
    config.logins = {{.name = "one", .secret = "12345678", .account = AccountId(1)}};
    config.agents = engine::AgentsOptions{.seed = 3,
                                          .first_account = AccountId(100),
                                          .markets = {{.market = engine::MarketId(3),
                                                       .makers = 2,
                                                       .noise = 1,
                                                       .momentum = 1,
                                                       .start = engine::Price::FromUnits(40),
                                                       .volatility = engine::Price::FromUnits(3),
                                                       .depth = engine::Quantity::FromUnits(100),
                                                       .actions_a_second = 1}}};
    clock.Set(*engine::Timestamp::Parse("2026-11-25T10:00:00Z"));
  }
  std::unique_ptr<SmallVenue> Start() {
    return std::make_unique<SmallVenue>(config, directory, clock, steady);
  }
  void Pass(SmallVenue& venue, int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      clock.Set(engine::Timestamp::FromNanos(clock.Now().nanos() + kSecond / 10));
      steady.Advance(kSecond / 10);
      venue.Turn();
    }
  }
  static uint64_t Commands(const SmallVenue& venue) { return venue.server.counts().commands; }

  VenueConfig config;
  journal::MemoryDirectory directory;
  engine::ManualClock clock;
  engine::ManualSteadyClock steady;
};

TEST_F(AgentsVenueTest, ClientsTradeWithThem) {
  const auto venue = Start();
  ASSERT_TRUE(venue->started.ok()) << venue->started;
  Pass(*venue, /*seconds=*/20);
  EXPECT_GT(Commands(*venue), 100u);
  const auto peer = venue->Connect();
  venue->LogIn(*peer, "one");
  EXPECT_TRUE(absl::StrContains(venue->Say(*peer, "SUBMIT 1 RAIN BUY 0.99 5\n", "\n"), "FILL"));
}

TEST_F(AgentsVenueTest, LeaveAClosedMarketAlone) {
  config.markets[0].schedule = {{.at = *engine::Timestamp::Parse("2026-11-25T10:00:10Z"),
                                 .kind = engine::CommandKind::kCloseMarket}};
  const auto venue = Start();
  Pass(*venue, /*seconds=*/10);
  EXPECT_GT(Commands(*venue), 50u);
  Pass(*venue, /*seconds=*/2);
  const uint64_t before = Commands(*venue);
  Pass(*venue, /*seconds=*/60);
  EXPECT_EQ(Commands(*venue), before);
}

TEST_F(AgentsVenueTest, GoOnAfterARestart) {
  auto venue = Start();
  Pass(*venue, /*seconds=*/20);
  const uint64_t before = Commands(*venue);
  ASSERT_TRUE(venue->server.Drain().ok());
  venue.reset();
  venue = Start();
  ASSERT_TRUE(venue->started.ok()) << venue->started;
  EXPECT_EQ(Commands(*venue), before);
  Pass(*venue, /*seconds=*/20);
  EXPECT_GT(Commands(*venue), before + 100);
}

}  // namespace
}  // namespace tools
