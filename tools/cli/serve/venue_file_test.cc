// Files of venues: what they mean, and the exact error of each mistake.

#include "tools/cli/serve/venue_file.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "gtest/gtest.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::CommandKind;

constexpr char kVenue[] = R"({
"schema": "ticktape.venue/1",
"accounts": [
{"id": 1, "money": "100.5"},
{"id": "7",
 "limits": {"open_orders_max": 5, "order_quantity_max_units": 6,
  "order_notional_max": "7.5", "orders_per_second_max": 8},
 "position_limits": [{"market": 3, "limit": 50},
  {"market": "4", "limit_units": "1000000000000000000"}]}],
"markets": [
{"definition": {"id": 3, "symbol": "ACME", "price_decimals": 2}},
{"definition": {"id": 4, "symbol": "RAIN",
  "kind": "binary", "price_decimals": 2, "price_max": 0.99, "unopened": 1},
 "schedule": [{"at": "2026-11-25T14:30:00Z", "do": "open"},
  {"at": "2026-11-25T15:30:00Z", "do": "close"},
  {"at": "2026-11-25T16:30:00Z", "do": "determine", "value": "0.25"},
  {"at": "2026-11-25T16:30:00Z", "do": "settle"}]}],
"logins": [
{"name": "ann", "secret": "secret-of-ann", "account": 1, "cancel_on_disconnect": true},
{"name": "bob", "secret": "secret-of-bob", "account": 7}],
"text": {"listen": "unix:venue.socket", "connections_max": 9,
 "login_seconds_max": 2}
}
)";

TEST(VenueFile, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_EQ(venue->accounts.size(), 2u);
  EXPECT_EQ(venue->accounts[0].id, engine::AccountId(1));
  EXPECT_EQ(venue->accounts[0].money, engine::Money::FromMicros(100'500'000));
  EXPECT_FALSE(venue->accounts[0].limits.has_value());
  EXPECT_EQ(venue->accounts[1].id, engine::AccountId(7));
  EXPECT_EQ(venue->accounts[1].money, engine::Money());
  EXPECT_EQ(venue->accounts[1].limits,
            (engine::RiskLimits{.open_orders_max = 5,
                                .order_quantity_max = engine::Quantity::FromUnits(6),
                                .order_notional_max = engine::Money::FromMicros(7'500'000),
                                .orders_per_second_max = 8}));
  EXPECT_TRUE(venue->accounts[0].position_limits.empty());
  ASSERT_EQ(venue->accounts[1].position_limits.size(), 2u);
  EXPECT_EQ(venue->accounts[1].position_limits[0].market, engine::MarketId(3));
  EXPECT_EQ(venue->accounts[1].position_limits[0].limit, engine::Quantity::FromUnits(50));
  EXPECT_EQ(venue->accounts[1].position_limits[1].market, engine::MarketId(4));
  EXPECT_EQ(venue->accounts[1].position_limits[1].limit, engine::kPositionLimitMax);
  ASSERT_EQ(venue->logins.size(), 2u);
  EXPECT_EQ(venue->logins[0].name, "ann");
  EXPECT_EQ(venue->logins[0].secret, "secret-of-ann");
  EXPECT_EQ(venue->logins[0].account, engine::AccountId(1));
  EXPECT_TRUE(venue->logins[0].cancel_on_disconnect);
  EXPECT_FALSE(venue->logins[1].cancel_on_disconnect);
  EXPECT_EQ(venue->text.listen, "unix:venue.socket");
  EXPECT_EQ(venue->text.connections_max, 9u);
  EXPECT_EQ(venue->text.login_seconds_max, 2u);
}

TEST(VenueFile, MarketsHaveTheirDefinitionsAndSchedules) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_EQ(venue->markets.size(), 2u);
  EXPECT_EQ(
      venue->markets[0].definition,
      (engine::MarketDefinition{.id = engine::MarketId(3), .symbol = "ACME", .price_decimals = 2}));
  EXPECT_TRUE(venue->markets[0].schedule.empty());
  EXPECT_EQ(venue->markets[1].definition,
            (engine::MarketDefinition{.id = engine::MarketId(4),
                                      .symbol = "RAIN",
                                      .price_decimals = 2,
                                      .price_max = engine::Price::FromUnits(99),
                                      .kind = engine::MarketKind::kBinary,
                                      .starts_unopened = true}));
  const std::vector<ScheduledAction>& schedule = venue->markets[1].schedule;
  ASSERT_EQ(schedule.size(), 4u);
  EXPECT_EQ(schedule[0].at, *engine::Timestamp::Parse("2026-11-25T14:30:00Z"));
  EXPECT_EQ(schedule[0].kind, CommandKind::kOpenMarket);
  EXPECT_EQ(schedule[1].kind, CommandKind::kCloseMarket);
  EXPECT_EQ(schedule[2].kind, CommandKind::kDetermineMarket);
  EXPECT_EQ(schedule[2].value, engine::Price::FromUnits(25));
  EXPECT_EQ(schedule[3].kind, CommandKind::kSettleMarket);
}

TEST(VenueFile, WhatIsLeftOutHasItsDefault) {
  const auto venue = ParseVenueFile(
      R"({"schema":"ticktape.venue/1","accounts":[],"markets":[],"logins":[]})", "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_TRUE(venue->accounts.empty() && venue->markets.empty() && venue->logins.empty());
  EXPECT_EQ(venue->text.listen, "127.0.0.1:7001");
  EXPECT_EQ(venue->text.connections_max, 10'000u);
  EXPECT_EQ(venue->text.login_seconds_max, 10u);
}

// A text of kVenue, what replaces it, and the error after "venue.json:".
struct Mistake {
  const char* right;
  std::string wrong;
  std::string error;
};

void ExpectErrors(const std::vector<Mistake>& mistakes) {
  for (const auto& [right, wrong, error] : mistakes) {
    ASSERT_TRUE(absl::StrContains(kVenue, right)) << right;
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{right, wrong}}), "venue.json");
    EXPECT_EQ(venue.status(), absl::InvalidArgumentError(absl::StrCat("venue.json:", error)))
        << wrong;
  }
}

TEST(VenueFile, MistakesInAccounts) {
  constexpr char kId[] = "expected a number of an account, from 1 to 4294967295";
  constexpr char kMoney[] = "expected dollars, not below zero, with at most 4 decimals";
  ExpectErrors({
      {"\"open_orders_max\": 5", "\"open_orders_max\": \"many\"",
       "6: accounts[1].limits.open_orders_max: found 'many', expected a whole number that fits"},
      {"\"orders_per_second_max\": 8", "\"orders_per_second_max\": -1",
       "7: accounts[1].limits.orders_per_second_max: found '-1', expected a whole number that "
       "fits"},
      {"\"7.5\"", "\"much\"",
       "7: accounts[1].limits.order_notional_max: found 'much', expected dollars"},
      {"\"7.5\"", "{}",
       "7: accounts[1].limits.order_notional_max: found an object, expected a number or a text"},
      {"\"id\": 1, ", "", absl::StrCat("4: accounts[0].id: found nothing, ", kId)},
      {"\"id\": 1,", "\"id\": 0,", absl::StrCat("4: accounts[0].id: found '0', ", kId)},
      {"\"id\": 1,", "\"id\": 4294967296,",
       "4: accounts[0].id: found '4294967296', expected a whole number that fits"},
      {"\"id\": \"7\"", "\"id\": 1",
       "5: accounts[1].id: found '1', expected a number that no account before it has"},
      {"\"100.5\"", "-1", absl::StrCat("4: accounts[0].money: found '-1', ", kMoney)},
      {"\"100.5\"", "0.00001", absl::StrCat("4: accounts[0].money: found '0.00001', ", kMoney)},
      {"\"100.5\"", "\"\"", absl::StrCat("4: accounts[0].money: found '', ", kMoney)},
      {"\"id\": \"7\",", "\"id\": 7, \"money\": 100000000000,",
       "5: accounts[1].money: found '100000000000', expected at most 100000000000 dollars in all "
       "accounts together"},
      {"\"money\"", "\"monye\"",
       "4: accounts[0].monye: found an unknown field, expected one of id, limits, money, "
       "position_limits"},
      {"\"id\": 1,", "\"id\": 1, \"\\u0069d\": 1,",
       "4: accounts[0].id: found a second time, expected once"},
      {"{\"id\": 1, \"money\": \"100.5\"}", "true",
       "3: accounts[0]: found true, expected an object {...}"},
  });
}

TEST(VenueFile, MistakesInPositionLimits) {
  constexpr char kMarket[] = "expected the id of one of the markets";
  constexpr char kLimit[] =
      "expected a quantity of at most 1000000000000000000 quantity units of its market";
  constexpr char kFirst[] = "8: accounts[1].position_limits[0].";
  ExpectErrors({
      {"\"market\": 3", "\"market\": 5", absl::StrCat(kFirst, "market: found '5', ", kMarket)},
      {"\"market\": 3", "\"market\": 0", absl::StrCat(kFirst, "market: found '0', ", kMarket)},
      {"\"market\": 3, ", "", absl::StrCat(kFirst, "market: found nothing, ", kMarket)},
      {"\"market\": 3", "\"market\": \"ACME\"",
       absl::StrCat(kFirst, "market: found 'ACME', expected a whole number that fits")},
      {"\"market\": 3", "\"market\": []",
       absl::StrCat(kFirst, "market: found a list, expected a number or a text")},
      {"\"market\": \"4\"", "\"market\": 3",
       "9: accounts[1].position_limits[1].market: found '3', expected a market that no limit "
       "before "
       "it has"},
      {"\"limit\": 50", "\"limit\": -1", absl::StrCat(kFirst, "limit: found '-1', ", kLimit)},
      {"\"limit\": 50", "\"limit\": 0.5", absl::StrCat(kFirst, "limit: found '0.5', ", kLimit)},
      {"\"limit\": 50", "\"limit\": \"\"", absl::StrCat(kFirst, "limit: found '', ", kLimit)},
      {"\"limit\": 50", "\"limit\": null",
       absl::StrCat(kFirst, "limit: found null, expected a number or a text")},
      {", \"limit\": 50", "", absl::StrCat(kFirst, "limit: found nothing, ", kLimit)},
      {"\"limit\": 50", "\"limit\": 1000000000000000001",
       absl::StrCat(kFirst, "limit: found '1000000000000000001', ", kLimit)},
      {"\"limit\": 50", "\"limit_units\": 18446744073709551616",
       absl::StrCat(kFirst, "limit_units: found '18446744073709551616', ", kLimit)},
      {"\"limit\": 50", "\"limit\": 50, \"limit_units\": 50",
       absl::StrCat(kFirst, "limit: found '50', expected none beside limit_units")},
      {"\"limit\": 50", "\"limits\": 50, \"limit\": 50",
       absl::StrCat(kFirst,
                    "limits: found an unknown field, expected one of limit, limit_units, market")},
      {"[{\"market\": 3, \"limit\": 50},", "[7,",
       "8: accounts[1].position_limits[0]: found '7', expected an object {...}"},
      {"[{\"market\": 3, \"limit\": 50},\n  {\"market\": \"4\", \"limit_units\": "
       "\"1000000000000000000\"}]",
       "{}", "8: accounts[1].position_limits: found an object, expected a list [...]"},
  });
}

TEST(VenueFile, APositionLimitHasTheDecimalsOfItsMarket) {
  const auto venue = ParseVenueFile(
      R"({"schema":"ticktape.venue/1","logins":[],
          "accounts":[{"id":1,"position_limits":[{"market":2,"limit":"2.5"}]}],
          "markets":[{"definition":{"id":2,"symbol":"A","quantity_decimals":2}}]})",
      "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->accounts[0].position_limits[0].limit, engine::Quantity::FromUnits(250));
}

TEST(VenueFile, MistakesInMarkets) {
  ExpectErrors({
      {"\"id\": 3, ", "",
       "11: markets[0].definition.id: found nothing, expected a number of a "
       "market"},
      {", \"symbol\": \"ACME\"", "",
       "11: markets[0].definition.symbol: found nothing, expected the name of a market"},
      {"\"id\": 4", "\"id\": 3",
       "12: markets[1].definition.id: found '3', expected a number that no market before it has"},
      {"RAIN", "ACME",
       "12: markets[1].definition.symbol: found 'ACME', expected a symbol that no market before it "
       "has"},
      {"RAIN", "#RAIN",
       "12: markets[1].definition: symbol must be 1 to 32 printable ASCII characters without "
       "spaces"},
      {"0.99", "0.999", "13: markets[1].definition.price_max: found '0.999', expected a price"},
      {"\"price_max\": 0.99", "\"price_max_units\": 0.99",
       "13: markets[1].definition.price_max_units: found '0.99', expected a price"},
      {"binary", "ternary",
       "13: markets[1].definition.kind: found 'ternary', expected equity or binary"},
      {"\"unopened\": 1", "\"unopened\": []",
       "13: markets[1].definition.unopened: found a list, expected a number or a text"},
      {"\"unopened\": 1", "\"lot\": -1",
       "13: markets[1].definition.lot: found '-1', expected a quantity"},
      {"{\"definition\": {\"id\": 3, \"symbol\": \"ACME\", \"price_decimals\": 2}}", "{}",
       "10: markets[0].definition: found nothing, expected an object {...}"},
      {"{\"id\": 3, \"symbol\": \"ACME\", \"price_decimals\": 2}", "null",
       "11: markets[0].definition: found null, expected an object {...}"},
  });
}

TEST(VenueFile, MistakesInSchedules) {
  constexpr char kOnce[] = "expected each action once, in the order open, close, determine, settle";
  constexpr char kValue[] = "expected 0 to 1 dollar with at most 2 decimals";
  ExpectErrors({
      {"2026-11-25T14:30:00Z", "noon",
       "14: markets[1].schedule[0].at: found 'noon', expected a time, e.g. 2026-11-25T14:30:00Z"},
      {"2026-11-25T15:30:00Z", "2026-11-25T14:29:59Z",
       "15: markets[1].schedule[1].at: found '2026-11-25T14:29:59Z', expected no time before that "
       "of the action before it, 2026-11-25T14:30:00.000000000Z"},
      {"\"open\"", "\"pause\"",
       "14: markets[1].schedule[0].do: found 'pause', expected open, close, determine or settle"},
      {", \"do\": \"open\"", "",
       "14: markets[1].schedule[0].do: found nothing, expected open, close, determine or settle"},
      {"\"close\"", "\"open\"",
       absl::StrCat("15: markets[1].schedule[1].do: found 'open', ", kOnce)},
      {"\"open\"", "\"settle\"",
       absl::StrCat("15: markets[1].schedule[1].do: found 'close', ", kOnce)},
      {"\"unopened\": 1", "\"unopened\": 0",
       "14: markets[1].schedule[0].do: found 'open', expected another action: the market has no "
       "\"unopened\": 1"},
      {"\"0.25\"", "1.01",
       absl::StrCat("16: markets[1].schedule[2].value: found '1.01', ", kValue)},
      {"\"0.25\"", "0.255",
       absl::StrCat("16: markets[1].schedule[2].value: found '0.255', ", kValue)},
      {", \"value\": \"0.25\"", "",
       absl::StrCat("16: markets[1].schedule[2].value: found nothing, ", kValue)},
      {"\"do\": \"close\"", "\"do\": \"close\", \"value\": 1",
       "15: markets[1].schedule[1].value: found '1', expected none: only determine has a value"},
      {"\"kind\": \"binary\"", "\"kind\": \"equity\"",
       "16: markets[1].schedule[2].do: found 'determine', expected open or close in an equity "
       "market"},
  });
}

TEST(VenueFile, MistakesInLoginsShowNoSecret) {
  constexpr char kName[] = "expected 1 to 64 printable ASCII characters without spaces";
  constexpr char kSecret[] = "expected 8 to 64 printable ASCII characters without spaces";
  const std::string long_word(65, 'x');
  ExpectErrors({
      {"\"ann\"", "\"\"", absl::StrCat("19: logins[0].name: found '', ", kName)},
      {"\"ann\"", "\"a n\"", absl::StrCat("19: logins[0].name: found 'a n', ", kName)},
      {"\"ann\"", absl::StrCat("\"", long_word, "\""),
       absl::StrCat("19: logins[0].name: found '", long_word, "', ", kName)},
      {"\"name\": \"ann\", ", "", absl::StrCat("19: logins[0].name: found nothing, ", kName)},
      {"\"bob\"", "\"ann\"",
       "20: logins[1].name: found 'ann', expected a name that no login before it has"},
      {"secret-of-bob", "secret!",
       absl::StrCat("20: logins[1].secret: found another value of 7 bytes, ", kSecret)},
      {"secret-of-bob", "secret of bob",
       absl::StrCat("20: logins[1].secret: found another value of 13 bytes, ", kSecret)},
      {"secret-of-bob", long_word,
       absl::StrCat("20: logins[1].secret: found another value of 65 bytes, ", kSecret)},
      {"\"secret\": \"secret-of-bob\", ", "",
       absl::StrCat("20: logins[1].secret: found nothing, ", kSecret)},
      {"\"secret\": \"secret-of-bob\"", "\"secrte\": \"secret-of-bob\", \"secret\": \"12345678\"",
       "20: logins[1].secrte: found an unknown field, expected one of account, "
       "cancel_on_disconnect, name, secret"},
      {"\"account\": 7", "\"account\": 8",
       "20: logins[1].account: found '8', expected the id of one of the accounts"},
      {"\"cancel_on_disconnect\": true", "\"cancel_on_disconnect\": \"yes\"",
       "19: logins[0].cancel_on_disconnect: found 'yes', expected true or false"},
  });
}

TEST(VenueFile, MistakesInTheRest) {
  ExpectErrors({
      {"venue/1", "venue/2", "2: schema: found 'ticktape.venue/2', expected 'ticktape.venue/1'"},
      {"\"schema\": \"ticktape.venue/1\",", "",
       "3: schema: found nothing, expected 'ticktape.venue/1'"},
      {"\"accounts\"", "\"acounts\"", "2: accounts: found nothing, expected a list [...]"},
      {"\"text\": {\"listen\": \"unix:venue.socket\", \"connections_max\": 9,\n "
       "\"login_seconds_max\": 2}",
       "\"text\": 5", "21: text: found '5', expected an object {...}"},
      {"\"connections_max\": 9", "\"connections_max\": 0",
       "21: text.connections_max: found '0', expected a whole number from 1"},
      {"\"login_seconds_max\": 2", "\"login_seconds_max\": 0",
       "22: text.login_seconds_max: found '0', expected a whole number from 1"},
      {"unix:venue", "unix: venue",
       "21: text.listen: found 'unix: venue.socket', expected e.g. 127.0.0.1:7001"},
      {"\"text\"", "\"test\"",
       "21: test: found an unknown field, expected one of accounts, agents, flows, itch, kalshi, "
       "logins, markets, native, ouch, schema, text"},
  });
}

std::string ErrorOf(std::string text) {
  return std::string(ParseVenueFile(std::move(text), "venue.json").status().message());
}

TEST(VenueFile, WhatIsNoJsonIsNamedByLineAndColumn) {
  EXPECT_EQ(ErrorOf(""), "venue.json:1:1: The document is empty.");
  EXPECT_EQ(ErrorOf("{\"schema\": \"a\",\n  \"b\" 5}"),
            "venue.json:2:7: Missing a colon after a name of object member.");
  EXPECT_EQ(ErrorOf("{}\n{}"),
            "venue.json:2:1: The document root must not be followed by other values.");
  EXPECT_EQ(ErrorOf(std::string("{}\n\0{", 5)), "venue.json:2:1: a zero byte");
  EXPECT_EQ(ErrorOf("{\n\"a\":\"\xff\"}"), "venue.json:2:6: Invalid encoding in string.");
  EXPECT_EQ(ErrorOf("\n[]"), "venue.json:1: the file is not a JSON object, expected {...}");
  EXPECT_EQ(ErrorOf("\n5"), "venue.json:2: the file is not a JSON object, expected {...}");
}

TEST(VenueFile, DeepAndLargeFilesAreRefused) {
  EXPECT_EQ(ErrorOf(std::string(kVenueFileBytesMax, '[')), "venue.json:1:16777217: Invalid value.");
  std::string nested(1'000'000, '[');
  nested.append(1'000'000, ']');
  EXPECT_EQ(ErrorOf(nested), "venue.json:1: the file is not a JSON object, expected {...}");
  EXPECT_EQ(ErrorOf(std::string(kVenueFileBytesMax + 1, ' ')),
            "venue.json:1: found 16777217 bytes, expected at most 16777216");
}

TEST(VenueFile, ANewVenueIsAccepted) {
  const auto venue = ParseVenueFile(NewVenueFile({"secret01", "secret02", "secret03"}), "new");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  ASSERT_EQ(venue->accounts.size(), 2u);
  EXPECT_GT(venue->accounts[0].money, engine::Money());
  EXPECT_GT(venue->accounts[1].money, engine::Money());
  ASSERT_EQ(venue->markets.size(), 15u);
  EXPECT_EQ(venue->kalshi.markets.size(), 12u);
  EXPECT_TRUE(venue->kalshi.keys.empty());
  EXPECT_EQ(venue->markets[2].definition.kind, engine::MarketKind::kBinary);
  ASSERT_EQ(venue->logins.size(), kNewVenueLogins);
  EXPECT_EQ(venue->logins[0].secret, "secret01");
  EXPECT_EQ(venue->logins[1].secret, "secret02");
  EXPECT_EQ(venue->logins[2].secret, "secret03");
  EXPECT_EQ(venue->logins[1].account, engine::AccountId(1));
  EXPECT_EQ(venue->logins[2].account, engine::AccountId(2));
  EXPECT_TRUE(venue->logins[0].cancel_on_disconnect);
}

}  // namespace
}  // namespace tools
