#include "engine/wire/http/testing/conversations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/http/http_reader.h"
#include "engine/wire/http/http_request.h"
#include "engine/wire/http/websocket_frame.h"
#include "engine/wire/http/websocket_stream.h"

namespace engine {
namespace {

std::string Show(const HttpRequest& request) {
  std::string text = absl::StrCat(request.method, " ", request.path, " ?", request.query, " 1.",
                                  request.minor_version, request.keep_alive ? " keep" : " close",
                                  request.is_websocket_upgrade ? " websocket" : "", "\n");
  for (const HttpField& field : request.fields) {
    absl::StrAppend(&text, field.name, "=", field.value, "\n");
  }
  return absl::StrCat(text, "[", request.body, "]\n");
}

std::string Show(const WebSocketMessage& message) {
  const int kind = static_cast<int>(message.kind);
  return absl::StrCat(kind == 0 ? "text " : kind == 1 ? "binary " : "pong ", message.payload, "\n");
}

}  // namespace

std::string ReadHttp(absl::string_view bytes, size_t chunk_bytes) {
  HttpReader reader;
  std::string text;
  while (!bytes.empty() && !reader.has_error()) {
    const size_t count = reader.Take(AsBytes(bytes.substr(0, chunk_bytes)));
    CHECK(count > 0);
    bytes.remove_prefix(count);
    if (reader.TakeContinue()) text += "continue\n";
    if (!reader.has_request()) continue;
    text += Show(reader.request());
    CHECK(reader.Take(AsBytes(bytes)) == 0);
    reader.Next();
    CHECK(reader.is_idle());
  }
  if (reader.has_error()) absl::StrAppend(&text, reader.error().status, " ", reader.error().what);
  if (!reader.is_idle()) text += "more";
  return text;
}

std::string ReadWebSocket(absl::string_view bytes, size_t chunk_bytes, size_t message_bytes_max) {
  WebSocketStream stream({.message_bytes_max = message_bytes_max});
  std::string text;
  std::string out;
  while (!bytes.empty() && !stream.is_over()) {
    const size_t count = stream.Take(AsBytes(bytes.substr(0, chunk_bytes)), out);
    CHECK(count > 0);
    bytes.remove_prefix(count);
    if (!stream.has_message()) continue;
    text += Show(stream.message());
    CHECK(stream.Take(AsBytes(bytes), out) == 0);
    stream.Next();
  }
  if (stream.is_over()) absl::StrAppend(&text, "over ", stream.close_code(), "\n");
  return absl::StrCat(text, "sent ", ToHex(AsBytes(out)));
}

std::string ClientFrame(WebSocketOpcode opcode, absl::string_view payload, unsigned bits,
                        uint32_t mask) {
  std::string frame(1, static_cast<char>(bits | static_cast<unsigned>(opcode)));
  const size_t length = payload.size();
  const size_t bytes = length < 126 ? 0 : length <= UINT16_MAX ? 2 : 8;
  const size_t first = bytes == 0 ? length : bytes == 2 ? 126 : 127;
  frame.push_back(static_cast<char>(0x80 | first));
  for (size_t i = bytes; i > 0; --i) frame.push_back(static_cast<char>(length >> (8 * (i - 1))));
  std::string key;
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(mask >> shift));
  frame += key;
  for (size_t i = 0; i < length; ++i) frame.push_back(static_cast<char>(payload[i] ^ key[i % 4]));
  return frame;
}

}  // namespace engine
