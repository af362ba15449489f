#include "engine/wire/http/websocket_frame.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"

namespace engine {
namespace {

constexpr unsigned kFinal = 0x80;
constexpr unsigned kLengthIn2 = 126;
constexpr unsigned kLengthIn8 = 127;

void AppendHead(WebSocketOpcode opcode, uint64_t length, std::string& out) {
  std::array<char, 10> head;
  size_t size = 2;
  head[0] = static_cast<char>(kFinal | static_cast<unsigned>(opcode));
  if (length < kLengthIn2) {
    head[1] = static_cast<char>(length);
  } else {
    const size_t bytes = length <= UINT16_MAX ? 2 : 8;
    head[1] = static_cast<char>(bytes == 2 ? kLengthIn2 : kLengthIn8);
    for (size_t i = bytes; i > 0; --i) head[size++] = static_cast<char>(length >> (8 * (i - 1)));
  }
  out.append(head.data(), size);
}

}  // namespace

void AppendTextFrame(std::initializer_list<absl::string_view> pieces, std::string& out) {
  uint64_t length = 0;
  for (const absl::string_view piece : pieces) length += piece.size();
  AppendHead(WebSocketOpcode::kText, length, out);
  for (const absl::string_view piece : pieces) out.append(piece.data(), piece.size());
}

void AppendFrame(WebSocketOpcode opcode, absl::string_view payload, std::string& out) {
  CHECK(opcode < WebSocketOpcode::kClose || payload.size() <= kWebSocketControlBytesMax);
  AppendHead(opcode, payload.size(), out);
  out.append(payload.data(), payload.size());
}

}  // namespace engine
