// Flows in files of venues and in words of the command line: what they mean, and the exact error of
// each mistake.

#include "tools/cli/serve/flow_fields.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/gateway/flow/flow_terms.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
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
"flows": [
{"market": 4, "source": "day.tape", "from_market": "AAPL", "range": "@+5s..@+10s", "pace": "2.5",
 "repeat": 7, "price_factor": "0.02", "price_offset": "-0.05", "leave_out": true,
 "first_account": 50, "money": "77.50"},
{"market": "ACME", "source": "day.itch.gz"}]}
)";

TEST(FlowFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_EQ(venue->flows.size(), 2u);
  const FlowConfig& flow = venue->flows[0];
  EXPECT_EQ(flow.market, engine::MarketId(4));
  EXPECT_EQ(flow.source, "day.tape");
  EXPECT_EQ(flow.from_market, "AAPL");
  EXPECT_EQ(flow.range, "@+5s..@+10s");
  EXPECT_EQ(flow.pace, 2.5);
  EXPECT_EQ(flow.rounds, 7u);
  ASSERT_TRUE(flow.line.has_value());
  EXPECT_EQ(flow.line->factor, engine::PriceLine::kOne / 50);
  EXPECT_EQ(flow.line->offset, engine::Price::FromUnits(-500));
  EXPECT_TRUE(flow.leaves_out);
  EXPECT_EQ(flow.first_account, engine::AccountId(50));
  EXPECT_EQ(flow.money, *engine::Money::Parse("77.50"));
}

TEST(FlowFields, WhatIsLeftOutHasItsDefault) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const FlowConfig& flow = venue->flows[1];
  EXPECT_EQ(flow.market, engine::MarketId(3));
  EXPECT_EQ(flow.from_market, "ACME");
  EXPECT_EQ(flow.range, "");
  EXPECT_EQ(flow.pace, 1);
  EXPECT_EQ(flow.rounds, 1u);
  EXPECT_FALSE(flow.line.has_value());
  EXPECT_FALSE(flow.leaves_out);
  EXPECT_EQ(flow.first_account, engine::AccountId(2'000'000));
  EXPECT_EQ(flow.money, engine::Money::FromDollars(1'000'000));
}

TEST(FlowFields, PaceAndRepeatHaveWords) {
  const auto venue = ParseVenueFile(
      absl::StrReplaceAll(kVenue, {{"\"2.5\"", "\"max\""}, {"7, ", "\"forever\", "}}),
      "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->flows[0].pace, std::nullopt);
  EXPECT_EQ(venue->flows[0].rounds, 0u);
}

// A text of kVenue, what replaces it, and the error after "venue.json:".
struct Mistake {
  std::string right;
  std::string wrong;
  std::string error;
};

TEST(FlowFields, Mistakes) {
  const std::vector<Mistake> mistakes = {
      {"\"market\": \"ACME\"", "\"market\": \"NONE\"",
       "10: flows[1].market: found 'NONE', expected the id or the symbol of one of the markets, "
       "each in at most one flow"},
      {"\"market\": \"ACME\"", "\"market\": \"RAIN\"",
       "10: flows[1].market: found 'RAIN', expected the id or the symbol of one of the markets, "
       "each in at most one flow"},
      {", \"source\": \"day.itch.gz\"", "",
       "10: flows[1].source: found nothing, expected the path of a journal, or of an ITCH file"},
      {"@+5s..@+10s", "soon",
       "7: flows[0].range: found 'soon', expected a range as of other verbs, e.g. @1..@5000 or "
       "@+5m..@+10m"},
      {"\"2.5\"", "\"fast\"",
       "7: flows[0].pace: found 'fast', expected recorded, max, or a factor above 0, at most "
       "1000000"},
      {"\"2.5\"", "0",
       "7: flows[0].pace: found '0', expected recorded, max, or a factor above 0, at most 1000000"},
      {"\"repeat\": 7", "\"repeat\": 0",
       "8: flows[0].repeat: found '0', expected forever, or how many times, from 1"},
      {"\"0.02\"", "\"-0.02\"",
       "8: flows[0].price_factor: found '-0.02', expected a number above 0, at most 1000000"},
      {"\"-0.05\"", "\"0.00001\"", "8: flows[0].price_offset: found '0.00001', expected a price"},
      {"\"77.50\"", "\"-1\"",
       "9: flows[0].money: found '-1', expected dollars, not below zero, with at most 4 decimals"},
      {"\"pace\"", "\"speed\"",
       "7: flows[0].speed: found an unknown field, expected one of first_account, from_market, "
       "leave_out, market, money, pace, price_factor, price_offset, price_offset_units, range, "
       "repeat, source"},
  };
  for (const auto& [right, wrong, error] : mistakes) {
    ASSERT_TRUE(absl::StrContains(kVenue, right)) << right;
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{right, wrong}}), "venue.json");
    EXPECT_TRUE(absl::IsInvalidArgument(venue.status()));
    EXPECT_EQ(venue.status().message(), absl::StrCat("venue.json:", error)) << wrong;
  }
}

TEST(FlowFields, AnOptionHasTheSameFields) {
  auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  venue->flows.clear();
  const absl::Status taken =
      TakeFlowOption("market=ACME,source=a=b.tape,pace=max,leave_out=1,repeat=forever", *venue);
  ASSERT_TRUE(taken.ok()) << taken;
  ASSERT_EQ(venue->flows.size(), 1u);
  EXPECT_EQ(venue->flows[0].market, engine::MarketId(3));
  EXPECT_EQ(venue->flows[0].source, "a=b.tape");
  EXPECT_EQ(venue->flows[0].pace, std::nullopt);
  EXPECT_TRUE(venue->flows[0].leaves_out);

  for (const auto& [words, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "--flow: '', expected FIELD=VALUE, e.g. market=ACME"},
           {"market=RAIN,pace", "--flow: 'pace', expected FIELD=VALUE, e.g. market=ACME"},
           {"market=RAIN,source=", "--flow: 'source=', expected FIELD=VALUE, e.g. market=ACME"},
           {"market=RAIN,source=x,pace=z",
            "--flow:1: pace: found 'z', expected recorded, max, or a factor above 0, at most "
            "1000000"}}) {
    EXPECT_EQ(TakeFlowOption(words, *venue).message(), error);
  }
}

}  // namespace
}  // namespace tools
