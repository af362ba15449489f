#include "engine/wire/http/websocket_handshake.h"

#include <openssl/evp.h>

#include <array>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/http/http_request.h"

namespace engine {
namespace {

constexpr absl::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr size_t kKeyBytes = 16;
constexpr size_t kKeyTextBytes = 24;
constexpr size_t kSha1Bytes = 20;

std::string AcceptOf(absl::string_view key) {
  const std::string text = absl::StrCat(key, kGuid);
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha1(), nullptr) == 1);
  CHECK(size == kSha1Bytes);
  return absl::Base64Escape({reinterpret_cast<const char*>(hash.data()), size});
}

bool IsKey(absl::string_view text) {
  std::string key;
  return text.size() == kKeyTextBytes && absl::Base64Unescape(text, &key) &&
         key.size() == kKeyBytes;
}

std::optional<HttpError> Check(const HttpRequest& request) {
  if (!request.is_websocket_upgrade || request.Find("Sec-WebSocket-Version") != "13") {
    return HttpError{.status = 426, .what = "not an upgrade to WebSocket, version 13"};
  }
  if (request.method != "GET" || !request.body.empty()) {
    return HttpError{.status = 400, .what = "an upgrade is a GET without a body"};
  }
  if (!IsKey(request.Find("Sec-WebSocket-Key").value_or(""))) {
    return HttpError{.status = 400, .what = "Sec-WebSocket-Key is not 16 bytes in Base64"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpError> WebSocketHandshake(const HttpRequest& request, std::string& out) {
  const std::optional<HttpError> error = Check(request);
  if (error.has_value()) return error;
  absl::StrAppend(&out,
                  "HTTP/1.1 101 Switching Protocols\r\n"
                  "Upgrade: websocket\r\n"
                  "Connection: Upgrade\r\n"
                  "Sec-WebSocket-Accept: ",
                  AcceptOf(*request.Find("Sec-WebSocket-Key")), "\r\n\r\n");
  return std::nullopt;
}

}  // namespace engine
