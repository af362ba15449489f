// The object "kalshi" of files of venues: what it means, and the exact error of each mistake.

#include "tools/cli/serve/kalshi_fields.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr char kVenue[] = R"({"schema": "ticktape.venue/1", "logins": [],
"accounts": [{"id": 1}, {"id": 7}],
"markets": [{"definition": {"id": 3, "symbol": "ACME"}},
{"definition": {"id": 4, "symbol": "KXA-1-B", "kind": "binary", "price_decimals": 4,
 "quantity_decimals": 2, "price_max": "0.99", "unopened": 1},
 "schedule": [{"at": "2026-11-25T14:30:00Z", "do": "open"},
 {"at": "2026-11-25T15:30:00Z", "do": "close"}]},
{"definition": {"id": 5, "symbol": "A/B", "kind": "binary", "price_decimals": 4,
 "quantity_decimals": 2, "price_max": "0.99"}}],
"kalshi": {"listen": "127.0.0.1:7002", "connections_max": 9, "connections_per_user_max": 8,
"signature_window_seconds": 7, "send_date": true,
"series": [{"ticker": "KXA", "title": "A", "category": "c", "frequency": "f", "fee_type": "flat",
 "fee_multiplier": "0.5", "tags": ["x", "y"]},
{"ticker": "KXB", "title": "B"}],
"events": [{"ticker": "KXA-1", "series": "KXA", "title": "A?", "sub_title": "s",
 "mutually_exclusive": true},
{"ticker": "KXB-1", "series": "KXB", "title": "B?"}],
"markets": [{"market": 4, "event": "KXA-1", "title": "t", "yes_sub_title": "ys",
 "no_sub_title": "ns", "rules_primary": "r1", "rules_secondary": "r2",
 "price_level_structure": "linear_cent"}],
"keys": [{"id": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "account": 7,
"public_key": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"},
{"id": "6f9619ff-8b86-4d01-b42d-00cf4fc96400", "account": 7,
"public_key": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"}],
"tiers": [{"account": 7, "tier": "prime"}, {"account": 1, "tier": "basic"}]
}}
)";

TEST(KalshiFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const KalshiConfig& kalshi = venue->kalshi;
  EXPECT_EQ(kalshi.listen, "127.0.0.1:7002");
  EXPECT_EQ(kalshi.connections_max, 9u);
  EXPECT_EQ(kalshi.connections_per_user_max, 8u);
  EXPECT_EQ(kalshi.signature_window_seconds, 7u);
  EXPECT_TRUE(kalshi.sends_date);
  ASSERT_EQ(kalshi.keys.size(), 2u);
  EXPECT_EQ(kalshi.keys[0].id, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff");
  EXPECT_EQ(kalshi.keys[0].account, engine::AccountId(7));
  EXPECT_TRUE(absl::StartsWith(kalshi.keys[0].public_key, "-----BEGIN PUBLIC KEY-----\n"));
  ASSERT_EQ(kalshi.tiers.size(), 2u);
  EXPECT_EQ(kalshi.tiers[0].account, engine::AccountId(7));
  EXPECT_EQ(kalshi.tiers[0].tier, "prime");
}

TEST(KalshiFields, TheCatalogueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const KalshiConfig& kalshi = venue->kalshi;
  ASSERT_EQ(kalshi.series.size(), 2u);
  const engine::KalshiSeries& series = kalshi.series[0];
  EXPECT_EQ(series.ticker + series.title + series.category + series.frequency, "KXAAcf");
  EXPECT_EQ(series.fee_type, "flat");
  EXPECT_EQ(series.fee_multiplier, 50u);
  EXPECT_EQ(series.tags, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(kalshi.series[1].fee_type, "quadratic");
  EXPECT_EQ(kalshi.series[1].fee_multiplier, 100u);
  ASSERT_EQ(kalshi.events.size(), 2u);
  EXPECT_EQ(kalshi.events[0].series + kalshi.events[0].title + kalshi.events[0].sub_title,
            "KXAA?s");
  EXPECT_TRUE(kalshi.events[0].is_mutually_exclusive);
  EXPECT_FALSE(kalshi.events[1].is_mutually_exclusive);
  ASSERT_EQ(kalshi.markets.size(), 1u);
  const engine::KalshiMarket& market = kalshi.markets[0];
  EXPECT_EQ(market.id, engine::MarketId(4));
  EXPECT_EQ(absl::StrCat(market.event, market.title, market.yes_sub_title, market.no_sub_title,
                         market.rules_primary, market.rules_secondary),
            "KXA-1tysnsr1r2");
  EXPECT_EQ(market.price_level_structure, "linear_cent");
  EXPECT_EQ(market.opens_at, *engine::Timestamp::Parse("2026-11-25T14:30:00Z"));
  EXPECT_EQ(market.closes_at, *engine::Timestamp::Parse("2026-11-25T15:30:00Z"));
  EXPECT_FALSE(market.settles_at.has_value());
}

TEST(KalshiFields, WhatIsLeftOutIsNotServed) {
  const auto venue = ParseVenueFile(
      R"({"schema":"ticktape.venue/1","accounts":[],"markets":[],"logins":[],"kalshi":{}})", "v");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->kalshi.listen, "");
  EXPECT_EQ(venue->kalshi.connections_max, 10'000u);
  EXPECT_EQ(venue->kalshi.connections_per_user_max, 200u);
  EXPECT_EQ(venue->kalshi.signature_window_seconds, 20u);
  EXPECT_FALSE(venue->kalshi.sends_date);
  EXPECT_EQ(venue->kalshi.certificate, "");
}

TEST(KalshiFields, TheFilesOfTlsAreBothOrNone) {
  const auto venue = ParseVenueFile(
      R"({"schema":"ticktape.venue/1","accounts":[],"markets":[],"logins":[],
          "kalshi":{"certificate":"c.pem","private_key":"/k.pem"}})",
      "v");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->kalshi.certificate, "c.pem");
  EXPECT_EQ(venue->kalshi.private_key, "/k.pem");
}

// A text of kVenue, what replaces it, and the error after "venue.json:".
struct Mistake {
  std::string right;
  std::string wrong;
  std::string error;
};

void ExpectErrors(const std::vector<Mistake>& mistakes) {
  for (const auto& [right, wrong, error] : mistakes) {
    ASSERT_TRUE(absl::StrContains(kVenue, right)) << right;
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{right, wrong}}), "venue.json");
    EXPECT_TRUE(absl::IsInvalidArgument(venue.status()));
    EXPECT_EQ(venue.status().message(), absl::StrCat("venue.json:", error)) << wrong;
  }
}

TEST(KalshiFields, MistakesInTheOptions) {
  ExpectErrors({
      {"\"127.0.0.1:7002\"", "\"a b\"",
       "10: kalshi.listen: found 'a b', expected e.g. 127.0.0.1:7002"},
      {"\"connections_max\": 9", "\"connections_max\": 0",
       "10: kalshi.connections_max: found '0', expected a whole number from 1"},
      {"\"signature_window_seconds\"", "\"window\"",
       "11: kalshi.window: found an unknown field, expected one of certificate, connections_max, "
       "connections_per_user_max, events, keys, listen, markets, private_key, "
       "send_date, series, signature_window_seconds, tiers"},
      {"\"connections_max\": 9", "\"connections_max\": 9, \"certificate\": \"c.pem\"",
       "10: kalshi.private_key: found nothing, expected a file, because there is one of the other "
       "half"},
      {"\"connections_max\": 9", "\"connections_max\": 9, \"private_key\": \"k.pem\"",
       "10: kalshi.certificate: found nothing, expected a file, because there is one of the other "
       "half"},
  });
}

TEST(KalshiFields, MistakesInSeriesAndEvents) {
  ExpectErrors({
      {"\"ticker\": \"KXB\"", "\"ticker\": \"KXA\"",
       "14: kalshi.series[1].ticker: found 'KXA', expected a ticker that no series before it has"},
      {"\"ticker\": \"KXA\"", "\"ticker\": \"K/A\"",
       "12: kalshi.series[0].ticker: found 'K/A', expected 1 to 64 letters, digits and - . _"},
      {"\"title\": \"B\"", "\"category\": \"B\"",
       "14: kalshi.series[1].title: found nothing, expected a text"},
      {"\"flat\"", "\"free\"",
       "12: kalshi.series[0].fee_type: found 'free', expected quadratic, "
       "quadratic_with_maker_fees, "
       "quadratic_with_combo_maker_fees, flat"},
      {"\"0.5\"", "\"0.505\"",
       "13: kalshi.series[0].fee_multiplier: found '0.505', expected 0 to 14.28 with at most 2 "
       "decimals"},
      {"\"0.5\"", "14.29",
       "13: kalshi.series[0].fee_multiplier: found '14.29', expected 0 to 14.28 with at most 2 "
       "decimals"},
      {"[\"x\", \"y\"]", "[[]]",
       "13: kalshi.series[0].tags: found a list, expected a list of texts"},
      {"\"series\": \"KXB\"", "\"series\": \"KXC\"",
       "17: kalshi.events[1].series: found 'KXC', expected the ticker of one of the series"},
      {"\"ticker\": \"KXB-1\"", "\"ticker\": \"KXA-1\"",
       "17: kalshi.events[1].ticker: found 'KXA-1', expected a ticker that no event before it has"},
      {"\"mutually_exclusive\": true", "\"mutually_exclusive\": 1",
       "16: kalshi.events[0].mutually_exclusive: found '1', expected true or false"},
  });
}

TEST(KalshiFields, MistakesInMarkets) {
  ExpectErrors({
      {"\"market\": 4", "\"market\": 6",
       "18: kalshi.markets[0].market: found '6', expected the id of one of the venue's markets"},
      {"\"market\": 4", "\"market\": 3",
       "18: kalshi.markets[0].market: found '3', expected a binary market with price_decimals 4 "
       "and "
       "quantity_decimals 2"},
      {"\"market\": 4", "\"market\": 5",
       "18: kalshi.markets[0].market: found '5', expected a market whose symbol has only letters, "
       "digits and - . _"},
      {"\"markets\": [{\"market\": 4",
       "\"markets\": [{\"market\": 4, \"title\": \"t\", "
       "\"event\": \"KXB-1\", \"price_level_structure\": \"a\"}, {\"market\": 4",
       "18: kalshi.markets[1].market: found '4', expected a market that none before it has"},
      {"\"event\": \"KXA-1\"", "\"event\": \"KXA\"",
       "18: kalshi.markets[0].event: found 'KXA', expected the ticker of one of the events"},
      {"\"linear_cent\"", "\"\"",
       "20: kalshi.markets[0].price_level_structure: found '', expected the name of a price grid, "
       "e.g. linear_cent"},
  });
}

TEST(KalshiFields, MistakesInKeysAndTiers) {
  ExpectErrors({
      {"00cf4fc964ff", "00CF4FC964FF",
       "21: kalshi.keys[0].id: found '6f9619ff-8b86-4d01-b42d-00CF4FC964FF', expected a UUID in "
       "lower case, e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff"},
      {"00cf4fc96400", "00cf4fc964ff",
       "23: kalshi.keys[1].id: found '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', expected an id that "
       "no "
       "key before it has"},
      {"964ff\", \"account\": 7", "964ff\", \"account\": 8",
       "21: kalshi.keys[0].account: found '8', expected the id of one of the accounts"},
      {"PUBLIC KEY", "PRIVATE KEY",
       "22: kalshi.keys[0].public_key: found another value of 115 bytes, expected the public half "
       "of "
       "an RSA or Ed25519 key: no such key, expected one -----BEGIN PUBLIC KEY----- in PEM"},
      {"\"prime\"", "\"gold\"",
       "25: kalshi.tiers[0].tier: found 'gold', expected basic, advanced, expert, premier, "
       "paragon, "
       "prime or prestige"},
      {"{\"account\": 1, \"tier\"", "{\"account\": 7, \"tier\"",
       "25: kalshi.tiers[1].account: found '7', expected an account that no tier before it has"},
  });
}

}  // namespace
}  // namespace tools
