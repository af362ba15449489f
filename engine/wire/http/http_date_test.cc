#include "engine/wire/http/http_date.h"

#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

Timestamp At(absl::string_view text) { return Timestamp::Parse(text).value(); }

TEST(HttpDate, IsThatOfTheRfc) {
  EXPECT_EQ(HttpDate(At("1994-11-06T08:49:37Z")), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(HttpDate(At("2026-11-27T20:15:00.999999999Z")), "Fri, 27 Nov 2026 20:15:00 GMT");
}

TEST(HttpDate, IsReadBack) {
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), At("1994-11-06T08:49:37Z"));
}

TEST(HttpDate, OtherTextsAreNone) {
  for (const absl::string_view text :
       {"", "Sun", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 31 Feb 2026 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace engine
