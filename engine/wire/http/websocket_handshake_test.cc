#include "engine/wire/http/websocket_handshake.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/http_reader.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// RFC 6455, section 1.3.
constexpr absl::string_view kUpgrade =
    "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: h2c, WebSocket\r\nConnection: keep-alive, "
    "Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n";

int Shake(absl::string_view bytes, std::string& out) {
  HttpReader reader;
  for (Bytes rest = AsBytes(bytes); !reader.has_request();) {
    rest = rest.subspan(reader.Take(rest));
  }
  const std::optional<HttpError> error = WebSocketHandshake(reader.request(), out);
  return error.has_value() ? error->status : 101;
}

TEST(WebSocketHandshake, AnswersTheExampleOfTheRfc) {
  std::string out;
  EXPECT_EQ(Shake(kUpgrade, out), 101);
  EXPECT_EQ(out,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
}

TEST(WebSocketHandshake, RefusesOthers) {
  const struct {
    absl::string_view from;
    absl::string_view to;
    int status;
  } kCases[] = {
      {"13", "8", 426},
      {"Sec-WebSocket-Version: 13\r\n", "", 426},
      {"WebSocket\r\n", "h2\r\n", 426},
      {"keep-alive, Upgrade", "keep-alive", 426},
      {"1.1", "1.0", 426},
      {"GET", "POST", 400},
      {"Host: a\r\n", "Host: a\r\nContent-Length: 1\r\n", 400},
      {"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", 400},
      {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25j", 400},
      {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZWVl", 400},
      {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub2*jZQ==", 400},
  };
  for (const auto& item : kCases) {
    std::string out;
    std::string bytes = absl::StrReplaceAll(kUpgrade, {{item.from, item.to}});
    if (item.to.find("Length") != absl::string_view::npos) bytes += "x";
    EXPECT_EQ(Shake(bytes, out), item.status) << bytes;
    EXPECT_EQ(out, "");
  }
}

}  // namespace
}  // namespace engine
