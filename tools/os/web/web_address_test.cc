#include "tools/os/web/web_address.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

TEST(WebAddress, SchemeDecidesOnTlsAndThePort) {
  const WebAddress plain = {.is_tls = false, .host = "example.com", .port = 80, .path = "/a?b=c"};
  const WebAddress tls = {.is_tls = true, .host = "example.com", .port = 443, .path = "/a?b=c"};
  EXPECT_EQ(ParseWebAddress("http://example.com/a?b=c").value(), plain);
  EXPECT_EQ(ParseWebAddress("ws://example.com/a?b=c").value(), plain);
  EXPECT_EQ(ParseWebAddress("https://example.com/a?b=c").value(), tls);
  EXPECT_EQ(ParseWebAddress("wss://example.com/a?b=c").value(), tls);
  EXPECT_EQ(ParseWebAddress("WSS://Example.COM/a?b=c").value(), tls);
}

TEST(WebAddress, ReadsEachFormOfAHost) {
  EXPECT_EQ(ParseWebAddress("http://127.0.0.1:8080").value(),
            (WebAddress{.is_tls = false, .host = "127.0.0.1", .port = 8080, .path = ""}));
  EXPECT_EQ(ParseWebAddress("https://[::1]:8443/").value(),
            (WebAddress{.is_tls = true, .host = "::1", .port = 8443, .path = "/"}));
  EXPECT_EQ(ParseWebAddress("https://[FE80::1]").value(),
            (WebAddress{.is_tls = true, .host = "fe80::1", .port = 443, .path = ""}));
  EXPECT_EQ(ParseWebAddress("wss://a-b_c.example").value().host, "a-b_c.example");
}

TEST(WebAddress, IsWrittenWithThePortWhereItIsNeeded) {
  const auto written = [](absl::string_view url) {
    const WebAddress address = ParseWebAddress(url).value();
    return HostAndPort(address) + " " + HostField(address);
  };
  EXPECT_EQ(written("https://a.example/"), "a.example:443 a.example");
  EXPECT_EQ(written("https://a.example:80/"), "a.example:80 a.example:80");
  EXPECT_EQ(written("http://[::1]"), "[::1]:80 [::1]");
  EXPECT_EQ(written("http://[::1]:81"), "[::1]:81 [::1]:81");
}

TEST(WebAddress, RefusesAllOtherTexts) {
  const std::string refused[] = {
      "",
      "example.com",
      "ftp://example.com",
      "https:/example.com",
      "https://",
      "https:///path",
      "https://:443/",
      "https://example.com:/",
      "https://example.com:0/",
      "https://example.com:65536/",
      "https://example.com:+1/",
      "https://example.com: 1/",
      "https://example.com:1:2/",
      "https://user@example.com/",
      "https://user:secret@example.com/",
      "https://exa mple.com/",
      "https://example.com/a b",
      "https://example.com/a#b",
      "https://example.com?a",
      "https://example.com/\r\nHost: other",
      "https://example.com\r\n/",
      "https://\xc3\xa4.example/",
      "https://[::1",
      "https://::1/",
      "https://[]/",
      "https://[::1]x/",
      "https://[::1%25eth0]/",
      "https://[example.com]/",
      "https://" + std::string(254, 'a'),
      "https://example.com/" + std::string(5000, 'a'),
      std::string("https://example.com/\0", 21),
  };
  for (const std::string& url : refused) {
    const auto address = ParseWebAddress(url);
    ASSERT_TRUE(absl::IsInvalidArgument(address.status())) << url;
    EXPECT_TRUE(absl::StrContains(address.status().message(), "expected a URL such as")) << url;
    EXPECT_FALSE(absl::StrContains(address.status().message(), "\r")) << url;
  }
}

}  // namespace
}  // namespace tools
