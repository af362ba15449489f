// The object "agents" of files of venues: what it means, and the exact error of each mistake.

#include "tools/cli/serve/agents_fields.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/gateway/agents/agents.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr char kVenue[] = R"({"schema": "ticktape.venue/1", "logins": [],
"accounts": [{"id": 1, "money": "10"}],
"markets": [{"definition": {"id": 3, "symbol": "ACME", "price_decimals": 2}},
{"definition": {"id": 4, "symbol": "RAIN", "kind": "binary", "price_decimals": 4,
 "quantity_decimals": 2, "price_min": "0.01", "price_max": "0.99"}}],
"agents": {"seed": 9, "first_account": 50, "money": "77.50", "markets": [
{"market": 4, "makers": 4, "noise": 5, "momentum": 6, "actions_per_minute": 90,
 "price": "0.30", "volatility": "0.02", "depth": "150.00"},
{"market": 3, "makers": 1, "noise": 0, "momentum": 0, "price": "12.50", "depth": "10"}]}}
)";

TEST(AgentsFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_TRUE(venue->agents.has_value());
  EXPECT_EQ(venue->agents->seed, 9u);
  EXPECT_EQ(venue->agents->first_account, engine::AccountId(50));
  ASSERT_EQ(venue->agents->markets.size(), 2u);
  const engine::MarketAgents& rain = venue->agents->markets[0];
  EXPECT_EQ(rain.market, engine::MarketId(4));
  EXPECT_EQ(rain.makers, 4u);
  EXPECT_EQ(rain.noise, 5u);
  EXPECT_EQ(rain.momentum, 6u);
  EXPECT_EQ(rain.actions_a_second, 1.5);
  EXPECT_EQ(rain.start, engine::Price::FromUnits(3'000));
  EXPECT_EQ(rain.volatility, engine::Price::FromUnits(200));
  EXPECT_EQ(rain.depth, engine::Quantity::FromUnits(15'000));
}

TEST(AgentsFields, EachAgentOfAMarketHasAnAccount) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_EQ(venue->accounts.size(), 1u + 15);
  EXPECT_EQ(venue->accounts[1].id, engine::AccountId(50));
  EXPECT_EQ(venue->accounts[15].id, engine::AccountId(64));
  EXPECT_EQ(venue->accounts[15].money, *engine::Money::Parse("77.50"));
}

TEST(AgentsFields, WhatIsLeftOutHasItsDefault) {
  const std::string text = absl::StrReplaceAll(
      kVenue, {{R"("seed": 9, "first_account": 50, "money": "77.50", )", ""},
               {R"("makers": 4, "noise": 5, "momentum": 6, "actions_per_minute": 90,)", ""},
               {R"("price": "0.30", "volatility": "0.02", )", ""}});
  const auto venue = ParseVenueFile(text, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->agents->seed, 1u);
  EXPECT_EQ(venue->accounts[1].id, engine::AccountId(1'000'000));
  EXPECT_EQ(venue->accounts[1].money, engine::Money::FromDollars(1'000'000));
  const engine::MarketAgents& rain = venue->agents->markets[0];
  EXPECT_EQ(rain.count(), 6u);
  EXPECT_EQ(rain.actions_a_second, 1);
  EXPECT_EQ(rain.start, engine::Price::FromUnits(5'000));
  EXPECT_EQ(rain.volatility, engine::Price());
}

// A text of kVenue, what replaces it, and the error after "venue.json:".
struct Mistake {
  std::string right;
  std::string wrong;
  std::string error;
};

TEST(AgentsFields, Mistakes) {
  const std::vector<Mistake> mistakes = {
      {"\"seed\": 9", "\"seed\": \"x\"",
       "6: agents.seed: found 'x', expected a whole number that fits"},
      {"\"first_account\": 50", "\"first_account\": 0",
       "6: agents.first_account: found '0', expected a number of an account, from 1"},
      {"\"first_account\": 50", "\"first_account\": 1",
       "6: agents.first_account: found '1', expected the first of 15 numbers of no other account"},
      {"\"first_account\": 50", "\"first_account\": 4294967290",
       "6: agents.first_account: found '4294967290', expected the first of 15 numbers of no other "
       "account"},
      {"\"77.50\"", "\"-1\"",
       "6: agents.money: found '-1', expected dollars, not below zero, with at most 4 decimals"},
      {"\"77.50\"", "\"10000000000\"",
       "6: agents.money: found '10000000000', expected at most 100000000000 dollars in all "
       "accounts together"},
      {"\"market\": 3", "\"market\": 4",
       "9: agents.markets[1].market: found '4', expected the id of one of the markets, each at "
       "most once"},
      {"\"market\": 3", "\"market\": 5",
       "9: agents.markets[1].market: found '5', expected the id of one of the markets, each at "
       "most once"},
      {"\"makers\": 4", "\"makers\": 1001",
       "7: agents.markets[0].makers: found '1001', expected at most 1000 agents of a kind"},
      {"\"noise\": 5", "\"noise\": 1001",
       "7: agents.markets[0].noise: found '1001', expected at most 1000 agents of a kind"},
      {"\"actions_per_minute\": 90", "\"actions_per_minute\": 0",
       "7: agents.markets[0].actions_per_minute: found '0', expected a whole number from 1 to "
       "60000"},
      {"\"0.30\"", "\"1.30\"",
       "8: agents.markets[0].price: found '1.30', expected a price of the market"},
      {"\"price\": \"12.50\", ", "",
       "9: agents.markets[1].price: found nothing, expected a price of the market"},
      {"\"0.02\"", "\"1\"",
       "8: agents.markets[0].volatility: found '1', expected from 0 to the range of the market's "
       "prices"},
      {"\"150.00\"", "\"0\"",
       "8: agents.markets[0].depth: found '0', expected a quantity above zero"},
      {", \"depth\": \"10\"", "",
       "9: agents.markets[1].depth: found nothing, expected a quantity above zero"},
      {"\"seed\"", "\"sead\"",
       "6: agents.sead: found an unknown field, expected one of first_account, markets, money, "
       "seed"},
  };
  for (const auto& [right, wrong, error] : mistakes) {
    ASSERT_TRUE(absl::StrContains(kVenue, right)) << right;
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{right, wrong}}), "venue.json");
    EXPECT_TRUE(absl::IsInvalidArgument(venue.status()));
    EXPECT_EQ(venue.status().message(), absl::StrCat("venue.json:", error)) << wrong;
  }
}

TEST(AgentsFields, ADemoHasAgentsInEachMarketOfKalshi) {
  const auto venue =
      ParseVenueFile(NewVenueFile({"secret01", "secret02", "secret03"}, {}, true), "new");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->kalshi.listen, "127.0.0.1:7002");
  ASSERT_TRUE(venue->agents.has_value());
  EXPECT_EQ(venue->agents->markets.size(), venue->kalshi.markets.size());
}

}  // namespace
}  // namespace tools
