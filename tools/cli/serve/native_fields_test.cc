// The object "native" of the file of a venue, and the exact error of each mistake.

#include "tools/cli/serve/native_fields.h"

#include <string>

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
{"definition": {"id": 3, "symbol": "ACME", "price_decimals": 2}},
{"definition": {"id": 4, "symbol": "WIDE", "price_decimals": 2}}],
"logins": [],
"native": {"listen": "7004", "connections_max": 5, "events_kept": 6,
"logins": [
{"user": "one", "password": "secret-1", "symbols": ["WIDE"], "account": 1, "cancel_on_disconnect": true},
{"user": "sixteen-letters.", "password": "secret-of-24-characters.", "account": "7"}]}
})";

TEST(NativeFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const NativeConfig& native = venue->native;
  EXPECT_EQ(native.listen, "7004");
  EXPECT_EQ(native.connections_max, 5u);
  EXPECT_EQ(native.events_kept, 6u);
  ASSERT_EQ(native.logins.size(), 2u);
  EXPECT_EQ(native.logins[0].user, "one");
  EXPECT_EQ(native.logins[0].password, "secret-1");
  EXPECT_EQ(native.logins[0].account, engine::AccountId(1));
  EXPECT_EQ(native.logins[0].markets.size(), 1u);
  EXPECT_TRUE(native.logins[0].markets.contains(engine::MarketId(4)));
  EXPECT_TRUE(native.logins[0].cancels_at_end);
  EXPECT_EQ(native.logins[1].user, "sixteen-letters.");
  EXPECT_EQ(native.logins[1].account, engine::AccountId(7));
  EXPECT_TRUE(native.logins[1].markets.empty());
  EXPECT_FALSE(native.logins[1].cancels_at_end);
}

TEST(NativeFields, IsNotServedByDefault) {
  std::string text = kVenue;
  text = absl::StrCat(text.substr(0, text.find(",\n\"native\"")), "}");
  const auto venue = ParseVenueFile(text, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_TRUE(venue->native.listen.empty());
  EXPECT_TRUE(venue->native.logins.empty());
}

TEST(NativeFields, MistakesAreRefusedWithoutThePassword) {
  const auto refused = [](absl::string_view from, absl::string_view to, absl::string_view error) {
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{from, to}}), "venue.json");
    ASSERT_FALSE(venue.ok()) << to;
    EXPECT_TRUE(absl::StrContains(venue.status().message(), error)) << venue.status();
    EXPECT_FALSE(absl::StrContains(venue.status().message(), "secret")) << venue.status();
  };
  refused(R"("listen": "7004")", R"("listen": "a b")", "native.listen: ");
  refused(R"("connections_max": 5)", R"("connections_max": 0)", "a whole number from 1");
  refused(R"("events_kept": 6)", R"("events_kept": 0)", "a whole number from 1");
  refused(R"(["WIDE"])", R"(["NONE"])", "the symbol of one of the markets, unlike 'NONE'");
  refused(R"("user": "one")", R"("user": "seventeen-letters")", "1 to 16 printable ASCII");
  refused(R"("user": "one")", R"("user": "sixteen-letters.")",
          "a user that no login before it has");
  refused(R"("password": "secret-1")", R"("password": "secret7")", "another value of 7 bytes");
  refused(R"("password": "secret-1")", R"("password": "secret-of-25-characters..")",
          "another value of 25 bytes");
  refused(R"("password": "secret-1", )", "", "native.logins[0].password: found nothing");
  refused(R"("account": 1,)", R"("account": 2,)", "the id of one of the accounts");
  refused(R"("user": "one")", R"("user": "one", "firm": 1)", "firm");
}

}  // namespace
}  // namespace tools
