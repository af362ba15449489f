#include "engine/wire/soup/login.h"

#include <cstddef>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/soup/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(SoupLogin, RequestsHaveTheBytesOfTheWire) {
  std::string bytes;
  AppendSoupLoginRequest(
      {.user = "DESK1", .password = "secret", .session = "2611280001", .sequence = 42}, bytes);
  EXPECT_EQ(bytes, absl::StrCat(absl::string_view("\0\x2fL", 3),
                                "DESK1 secret    2611280001                  42"));
  const auto request = ParseSoupLoginRequest(AsBytes(bytes).subspan(3));
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(*request,
            (SoupLoginRequest{
                .user = "DESK1", .password = "secret", .session = "2611280001", .sequence = 42}));
}

TEST(SoupLogin, AnswersHaveTheBytesOfTheWire) {
  std::string bytes;
  AppendSoupLoginAccepted({.session = "TODAY", .sequence = 7}, bytes);
  EXPECT_EQ(bytes, absl::StrCat(absl::string_view("\0\x1f"
                                                  "A",
                                                  3),
                                "TODAY                        7"));
  EXPECT_EQ(*ParseSoupLoginAccepted(AsBytes(bytes).subspan(3)),
            (SoupLoginAccepted{.session = "TODAY", .sequence = 7}));
  bytes.clear();
  AppendSoupLoginRejected(SoupLoginRefusal::kSessionNotAvailable, bytes);
  EXPECT_EQ(bytes, std::string("\0\2JS", 4));
  EXPECT_EQ(*ParseSoupLoginRejected(AsBytes(bytes).subspan(3)),
            SoupLoginRefusal::kSessionNotAvailable);
}

// A login request of these fields.
std::string Fields(absl::string_view user, absl::string_view password, absl::string_view session,
                   absl::string_view number) {
  return absl::StrCat(user, password, session, number);
}

TEST(SoupLogin, BlanksAroundATextAreNoPartOfIt) {
  const std::string bytes = Fields(" a    ", "         b", "          ", "00000000000000000007");
  EXPECT_EQ(*ParseSoupLoginRequest(AsBytes(bytes)),
            (SoupLoginRequest{.user = "a", .password = "b", .session = "", .sequence = 7}));
  const std::string blank(46, ' ');
  EXPECT_EQ(*ParseSoupLoginRequest(AsBytes(blank)), SoupLoginRequest());
}

TEST(SoupLogin, TheLargestNumberIsOfSixtyFourBits) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::string bytes = Fields("user  ", "password  ", "session   ", absl::StrCat(kMax));
  EXPECT_EQ(ParseSoupLoginRequest(AsBytes(bytes))->sequence, kMax);
}

TEST(SoupLogin, OtherBytesAreRefusedWithoutThePassword) {
  const auto refused = [](const std::string& bytes, absl::string_view why) {
    const auto request = ParseSoupLoginRequest(AsBytes(bytes));
    ASSERT_FALSE(request.ok()) << why;
    EXPECT_TRUE(absl::StrContains(request.status().message(), why)) << request.status();
    EXPECT_FALSE(absl::StrContains(request.status().message(), "hush")) << request.status();
  };
  const std::string sound = Fields("user  ", "hush      ", "session   ", "                   1");
  ASSERT_TRUE(ParseSoupLoginRequest(AsBytes(sound)).ok());
  for (size_t length = 0; length < sound.size(); ++length) {
    refused(sound.substr(0, length), absl::StrCat(length, " bytes, expected 46"));
  }
  refused(sound + " ", "47 bytes, expected 46");
  refused(Fields("us\ter ", "hush      ", "session   ", "                   1"), "user: ");
  refused(Fields("user  ", "hush\xff     ", "session   ", "                   1"), "password: ");
  refused(Fields("user  ", "hush      ", std::string("\0session  ", 10), "                   1"),
          "session: ");
  for (const char* number :
       {"                  -1", "                  +1", "                 1 1",
        "18446744073709551616", "                0x10", "                 1.0"}) {
    refused(Fields("user  ", "hush      ", "session   ", number), "sequence number: ");
  }
  EXPECT_FALSE(ParseSoupLoginAccepted(AsBytes(sound)).ok());
  EXPECT_FALSE(ParseSoupLoginRejected(AsBytes(absl::string_view("X"))).ok());
  EXPECT_FALSE(ParseSoupLoginRejected({}).ok());
}

}  // namespace
}  // namespace engine
