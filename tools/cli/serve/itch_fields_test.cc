// The object "itch" of the file of a venue, and the error of each mistake.

#include "tools/cli/serve/itch_fields.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr char kVenue[] = R"({
"schema": "ticktape.venue/1", "accounts": [], "markets": [], "logins": [],
"itch": {
"lines": [{"address": "239.1.1.1:26400", "interface": "lo", "hops": 3}, {"address": "[::1]:26400"}],
"packet_bytes": 1000, "retransmission": "127.0.0.1:0", "requests_per_second_max": 7,
"kept_megabytes": 5, "snapshots": "7004",
"logins": [{"user": "ONE", "password": "secret-1"}, {"user": "two", "password": "secret-two"}]}
})";

TEST(ItchFields, EveryValueIsRead) {
  const auto venue = ParseVenueFile(kVenue, "venue.json");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  const ItchConfig& itch = venue->itch;
  ASSERT_EQ(itch.lines.size(), 2u);
  EXPECT_EQ(itch.lines[0].address, "239.1.1.1:26400");
  EXPECT_EQ(itch.lines[0].interface, "lo");
  EXPECT_EQ(itch.lines[0].hops, 3);
  EXPECT_EQ(itch.lines[1].address, "[::1]:26400");
  EXPECT_EQ(itch.lines[1].interface, "");
  EXPECT_EQ(itch.lines[1].hops, 1);
  EXPECT_EQ(itch.packet_bytes, 1000u);
  EXPECT_EQ(itch.retransmission, "127.0.0.1:0");
  EXPECT_EQ(itch.requests_per_second_max, 7u);
  EXPECT_EQ(itch.kept_megabytes, 5u);
  EXPECT_EQ(itch.snapshots, "7004");
  ASSERT_EQ(itch.logins.size(), 2u);
  EXPECT_EQ(itch.logins[0].user, "ONE");
  EXPECT_EQ(itch.logins[1].password, "secret-two");
}

TEST(ItchFields, IsNotPublishedByDefault) {
  const auto venue = ParseVenueFile(
      R"({"schema": "ticktape.venue/1", "accounts": [], "markets": [], "logins": []})", "v");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_TRUE(venue->itch.lines.empty());
}

TEST(ItchFields, MistakesAreRefusedWithoutThePassword) {
  const auto refused = [](absl::string_view from, absl::string_view to, absl::string_view error) {
    const auto venue = ParseVenueFile(absl::StrReplaceAll(kVenue, {{from, to}}), "venue.json");
    ASSERT_FALSE(venue.ok()) << to;
    EXPECT_TRUE(absl::StrContains(venue.status().message(), error)) << venue.status();
    EXPECT_FALSE(absl::StrContains(venue.status().message(), "secret")) << venue.status();
  };
  for (const char* address : {"", "239.1.1.1", "239.1.1.1:0", "unix:feed", "host:1", "1.1.1.1:x"}) {
    refused("239.1.1.1:26400", address, "itch.lines[0].address: ");
  }
  refused(R"("lo")", R"("l o")", "itch.lines[0].interface: ");
  refused(R"("hops": 3)", R"("hops": 256)", "a whole number from 0 to 255");
  refused(R"("hops": 3)", R"("hops": -1)", "itch.lines[0].hops: ");
  refused(R"("hops": 3)", R"("ttl": 3)", "itch.lines[0].ttl: ");
  refused(R"(}, {"address")", R"(}, {"address": "1.1.1.1:1"}, {"address")", "one or two objects");
  refused(R"("packet_bytes": 1000)", R"("packet_bytes": 71)", "a whole number from 72 to 65507");
  refused(R"("packet_bytes": 1000)", R"("packet_bytes": 65508)", "itch.packet_bytes: ");
  refused("127.0.0.1:0", "unix:requests", "itch.retransmission: ");
  refused(R"("requests_per_second_max": 7)", R"("requests_per_second_max": 0)",
          "itch.requests_per_second_max: ");
  refused(R"("kept_megabytes": 5)", R"("kept_megabytes": 1000001)", "itch.kept_megabytes: ");
  refused(R"("snapshots": "7004")", R"("snapshots": "a b")", "itch.snapshots: ");
  refused(R"("user": "ONE")", R"("user": "TWO")", "a user that no login before it has");
  refused(R"("password": "secret-1")", R"("password": "secret7")", "another value of 7 bytes");
  refused(R"("snapshots")", R"("snapshot")", "itch.snapshot: ");
}

TEST(ItchFields, ALineIsRequired) {
  const auto venue = ParseVenueFile(
      R"({"schema": "ticktape.venue/1", "accounts": [], "markets": [], "logins": [], "itch": {}})",
      "v");
  ASSERT_FALSE(venue.ok());
  EXPECT_TRUE(absl::StrContains(venue.status().message(), "itch.lines: ")) << venue.status();
}

}  // namespace
}  // namespace tools
