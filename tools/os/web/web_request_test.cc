#include "tools/os/web/web_request.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

constexpr absl::string_view kHost = "a.example:8443";

TEST(WebRequest, IsWrittenAsHttp) {
  const std::vector<WebHeader> headers = {{"KEY", "k"}, {"Accept", "application/json"}};
  EXPECT_EQ(RequestBytes(kHost, {.method = "GET", .target = "/a?b=c", .headers = headers}).value(),
            "GET /a?b=c HTTP/1.1\r\nHost: a.example:8443\r\nKEY: k\r\n"
            "Accept: application/json\r\n\r\n");
  EXPECT_EQ(RequestBytes(kHost, {.method = "POST", .target = "/", .body = "{}"}).value(),
            "POST / HTTP/1.1\r\nHost: a.example:8443\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(WebRequest, OnlyOneThatMayHaveABodyHasALengthWithoutIt) {
  const auto has_length = [](absl::string_view method) {
    return absl::StrContains(RequestBytes(kHost, {.method = method, .target = "/"}).value(),
                             "Content-Length: 0\r\n");
  };
  EXPECT_FALSE(has_length("GET"));
  EXPECT_FALSE(has_length("HEAD"));
  EXPECT_TRUE(has_length("POST"));
  EXPECT_TRUE(has_length("DELETE"));
}

TEST(WebRequest, NothingOfTheCallerEndsALine) {
  using namespace std::string_literals;
  for (const std::string& bad :
       {"/a\r\nX: y"s, "/a b"s, "/a\0"s, "/a\x7f"s, "a"s, ""s, "/\xc3\xa4"s}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckTarget(bad))) << bad;
    EXPECT_FALSE(RequestBytes(kHost, {.method = "GET", .target = bad}).ok()) << bad;
  }
  for (const std::string& bad : {""s, "GET /"s, "GET\r\n"s, "G\0T"s}) {
    EXPECT_FALSE(RequestBytes(kHost, {.method = bad, .target = "/"}).ok()) << bad;
  }
  for (const std::string& bad : {"s3cret\r\nX: y"s, "s3cret\n"s, "s3cret\0"s, "s3cret\x7f"s}) {
    const std::vector<WebHeader> headers = {{"a", bad}};
    const absl::Status status = CheckHeaders(headers);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << bad;
    EXPECT_FALSE(absl::StrContains(status.message(), "s3cret")) << status;
  }
}

TEST(WebRequest, ValueMayHaveAnyByteButControlCharactersAnywhere) {
  for (size_t size = 1; size <= 20; ++size) {
    for (size_t place = 0; place < size; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string value(size, 'v');
        value[place] = static_cast<char>(byte);
        const std::vector<WebHeader> headers = {{"a", value}};
        const bool is_control = byte < 0x20 || byte == 0x7f;
        ASSERT_EQ(CheckHeaders(headers).ok(), !is_control) << size << " " << place << " " << byte;
      }
    }
  }
}

TEST(WebRequest, NameOfAHeaderIsAToken) {
  using namespace std::string_literals;
  for (const std::string& bad : {""s, "a b"s, "a:"s, "a\r\nb"s, "\xc3\xa4"s, "a\0"s}) {
    EXPECT_FALSE(WebHeaderName::IsAllowed(bad)) << bad;
  }
  for (const absl::string_view good : {"Authorization", "X-Host", "a1_~"}) {
    EXPECT_TRUE(WebHeaderName::IsAllowed(good)) << good;
  }
}

TEST(WebRequest, HeadersOfTheConnectionAreTheClients) {
  for (const absl::string_view name : {"host", "Content-Length", "TRANSFER-ENCODING", "Connection",
                                       "Upgrade", "expect", "Sec-WebSocket-Extensions"}) {
    EXPECT_FALSE(WebHeaderName::IsAllowed(name)) << name;
  }
}

}  // namespace
}  // namespace tools
