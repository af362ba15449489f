// The object "ouch" of the file of a venue, and the exact error of each mistake.

#include "tools/cli/serve/ouch_fields.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr char kVenue[] = R"({
"schema": "ticktape.venue/1",
"accounts": [{"id": 1}, {"id": 7}],
"markets": [
{"definition": {"id": 3, "symbol": "ACME", "price_decimals": 2, "price_max": "9999.99"}},
{"definition": {"id": 4, "symbol": "WIDE", "price_decimals": 2}},
{"definition": {"id": 5, "symbol": "NINECHARS", "price_max": 100}},
{"definition": {"id": 6, "symbol": "PARTS", "price_max": 100, "quantity_decimals": 1}},
{"definition": {"id": 7, "symbol": "FINE", "price_decimals": 5, "price_max": 100}}],
"logins": [],
"ouch": {"listen": "7003", "connections_max": 5, "symbols": ["ACME"],
"logins": [
{"user": "ONE", "password": "secret-1", "firm": "F", "account": 1, "cancel_on_disconnect": true},
{"user": "two", "password": "secret-two", "firm": "FIRM", "account": "7"}]}
})";

TEST(OuchFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const OuchConfig& ouch = venue->ouch;
  EXPECT_EQ(ouch.listen, "7003");
  EXPECT_EQ(ouch.connections_max, 5u);
  EXPECT_EQ(ouch.markets, std::vector<engine::MarketId>{engine::MarketId(3)});
  ASSERT_EQ(ouch.logins.size(), 2u);
  EXPECT_EQ(ouch.logins[0].user, "ONE");
  EXPECT_EQ(ouch.logins[0].password, "secret-1");
  EXPECT_EQ(ouch.logins[0].firm, "F");
  EXPECT_EQ(ouch.logins[0].account, engine::AccountId(1));
  EXPECT_TRUE(ouch.logins[0].cancels_at_end);
  EXPECT_EQ(ouch.logins[1].account, engine::AccountId(7));
  EXPECT_FALSE(ouch.logins[1].cancels_at_end);
}

TEST(OuchFields, IsNotServedByDefault) {
  std::string text = kVenue;
  text = absl::StrCat(text.substr(0, text.find(",\n\"ouch\"")), "}");
  const auto venue = ParseVenueFile(text, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_TRUE(venue->ouch.listen.empty());
  EXPECT_TRUE(venue->ouch.logins.empty());
}

TEST(OuchFields, MistakesAreRefusedWithoutThePassword) {
  const auto refused = [](absl::string_view from, absl::string_view to, absl::string_view error) {
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{from, to}}), "venue.json");
    ASSERT_FALSE(venue.ok()) << to;
    EXPECT_TRUE(absl::StrContains(venue.status().message(), error)) << venue.status();
    EXPECT_FALSE(absl::StrContains(venue.status().message(), "secret")) << venue.status();
  };
  refused(R"("listen": "7003")", R"("listen": "a b")", "ouch.listen: ");
  refused(R"("connections_max": 5)", R"("connections_max": 0)", "a whole number from 1");
  refused(R"(["ACME"])", R"(["NONE"])", "the symbol of one of the markets, unlike 'NONE'");
  refused(R"(["ACME"])", R"(["ACME", "ACME"])", "each symbol once");
  refused(R"(["ACME"])", R"(["WIDE"])", "expected a market with prices from 0 to 214748 dollars");
  refused(R"(["ACME"])", R"(["NINECHARS"])", "a symbol of at most 8 characters");
  refused(R"(["ACME"])", R"(["PARTS"])", "a market whose lot is of whole shares");
  refused(R"(["ACME"])", R"(["FINE"])", "at most 4 price_decimals");
  refused(R"("user": "ONE")", R"("user": "SEVENCH")", "1 to 6 printable ASCII");
  refused(R"("user": "ONE")", R"("user": "Two")", "a user that no login before it has");
  refused(R"("password": "secret-1")", R"("password": "secret7")", "another value of 7 bytes");
  refused(R"("password": "secret-1")", R"("password": "secret-long1")",
          "another value of 12 bytes");
  refused(R"("password": "secret-1", )", "", "ouch.logins[0].password: found nothing");
  refused(R"("firm": "F")", R"("firm": "FIRMS")", "1 to 4 printable ASCII");
  refused(R"("firm": "F", )", "", "ouch.logins[0].firm: ");
  refused(R"("account": 1,)", R"("account": 2,)", "the id of one of the accounts");
  refused(R"("firm": "F")", R"("firm": "F", "host": 1)", "host");
}

}  // namespace
}  // namespace tools
