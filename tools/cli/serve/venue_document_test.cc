// VENUE_FILE.md is right: its example is a venue, and it names every field that a venue may have.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/serve/venue_file.h"

namespace tools {
namespace {

std::string Document() {
  std::ifstream file("tools/cli/serve/VENUE_FILE.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text between ```json and ```.
std::string Example() {
  const std::vector<std::string> parts = absl::StrSplit(Document(), "```json\n");
  return parts.size() == 2 ? parts[1].substr(0, parts[1].find("```")) : "";
}

TEST(VenueDocument, TheExampleIsAVenue) {
  const auto venue = ParseVenueFile(Example(), "example");
  ASSERT_TRUE(venue.ok()) << venue.status().message();
  EXPECT_EQ(venue->accounts.size(), 2u + 6);  // Those of the agents also.
  EXPECT_EQ(venue->markets.size(), 2u);
  EXPECT_EQ(venue->logins.size(), 2u);
  ASSERT_EQ(venue->markets[1].schedule.size(), 4u);
  EXPECT_EQ(venue->ouch.logins.size(), 1u);
  EXPECT_EQ(venue->itch.lines.size(), 2u);
  EXPECT_EQ(venue->native.logins.size(), 1u);
  ASSERT_EQ(venue->kalshi.markets.size(), 1u);
  EXPECT_EQ(venue->kalshi.markets[0].determines_at, venue->markets[1].schedule[2].at);
  EXPECT_EQ(venue->kalshi.markets[0].settles_at, venue->markets[1].schedule[3].at);
}

// The fields of the object in which `before` is, as the error of an unknown field lists them.
std::vector<std::string> FieldsBeside(absl::string_view before) {
  const std::string text =
      absl::StrReplaceAll(Example(), {{before, absl::StrCat("\"unknown\": 1, ", before)}});
  const std::string error(ParseVenueFile(text, "example").status().message());
  const std::vector<std::string> parts = absl::StrSplit(error, ", expected one of ");
  EXPECT_EQ(parts.size(), 2u) << error;
  return absl::StrSplit(parts.back(), ", ");
}

TEST(VenueDocument, EveryFieldHasARowAndIsKnown) {
  const std::string document = Document();
  size_t count = 0;
  for (const char* before : {"\"schema\"",
                             "\"id\": 1, \"money\"",
                             "\"open_orders_max\"",
                             "\"market\": 1",
                             "\"definition\"",
                             "\"id\": 2, \"symbol\"",
                             "\"at\": \"2026-11-26T12",
                             "\"name\": \"desk-2\"",
                             "\"listen\": \"127.0.0.1:7001",
                             "\"listen\": \"127.0.0.1:7002",
                             "\"listen\": \"127.0.0.1:7003",
                             "\"user\": \"DESK1\"",
                             "\"address\": \"239.1.1.2",
                             "\"retransmission\"",
                             "\"user\": \"FEED1\"",
                             "\"listen\": \"127.0.0.1:7005",
                             "\"user\": \"desk-fast\"",
                             "\"ticker\": \"KXRAIN\"",
                             "\"ticker\": \"KXRAIN-26DEC31\"",
                             "\"market\": 2, \"event\"",
                             "\"id\": \"6f96",
                             "\"account\": 2, \"tier\"",
                             "\"seed\"",
                             "\"market\": 2, \"makers\"",
                             "\"market\": 1, \"source\""}) {
    for (const std::string& field : FieldsBeside(before)) {
      const bool has_row = absl::StrContains(document, absl::StrCat("\n| `", field, "`")) ||
                           absl::StrContains(document, absl::StrCat(", `", field, "` | "));
      EXPECT_TRUE(has_row) << field;
      ++count;
    }
  }
  EXPECT_EQ(count, 10u + 4 + 4 + 3 + 2 + 22 + 3 + 4 + 3 + 12 + 4 + 5 + 3 + 7 + 2 + 4 + 5 + 7 + 5 +
                       8 + 3 + 2 + 4 + 11 + 13);
}

}  // namespace
}  // namespace tools
