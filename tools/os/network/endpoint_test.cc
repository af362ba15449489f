#include "tools/os/network/endpoint.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

TEST(Endpoint, IsReadBackAsPrinted) {
  for (const char* text :
       {"127.0.0.1:80", "0.0.0.0:0", "[::1]:65535", "[::]:1", "unix:/run/a b:1"}) {
    const auto endpoint = Endpoint::Parse(text);
    ASSERT_TRUE(endpoint.ok()) << endpoint.status();
    EXPECT_EQ(endpoint->ToString(), text);
  }
}

TEST(Endpoint, LocalhostIsAnAddress) {
  EXPECT_EQ(Endpoint::Parse("localhost:80")->ToString(), "127.0.0.1:80");
}

TEST(Endpoint, APortAloneIsOfThisMachine) {
  EXPECT_EQ(Endpoint::Parse("80")->ToString(), "127.0.0.1:80");
  EXPECT_EQ(Endpoint::Parse("0")->ToString(), "127.0.0.1:0");
}

TEST(Endpoint, RefusesOtherTexts) {
  const std::string long_path(4096, 'x');
  for (const std::string& text :
       {std::string(""), std::string(":"), std::string("65536"), std::string("-1"),
        std::string("80a"), std::string(":80"), std::string("127.0.0.1"), std::string("127.0.0.1:"),
        std::string("127.0.0.1:65536"), std::string("127.0.0.1:-1"), std::string("127.0.0.1: 80"),
        std::string("example.com:80"), std::string("::1:80"), std::string("[::1:80"),
        std::string("[127.0.0.1]:80"), std::string("[]:80"), std::string("unix:"),
        "unix:" + long_path, std::string("unix:/a\0b", 9)}) {
    EXPECT_EQ(Endpoint::Parse(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(Endpoint::Parse("here").status().message(),
            "'here' is no address to listen on: expected PORT, IP:PORT, [IPv6]:PORT, "
            "localhost:PORT or unix:PATH");
  EXPECT_EQ(Endpoint::Parse("65536").status().message(),
            "'65536' is no address to listen on: expected a port from 0 to 65535");
}

}  // namespace
}  // namespace tools
