// Writes WebSocket frames of a server: whole messages, not masked. RFC 6455, section 5.2.

#ifndef ENGINE_WIRE_HTTP_WEBSOCKET_FRAME_H_
#define ENGINE_WIRE_HTTP_WEBSOCKET_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"

namespace engine {

enum class WebSocketOpcode : uint8_t {
  kContinuation = 0x0,
  kText = 0x1,
  kBinary = 0x2,
  kClose = 0x8,
  kPing = 0x9,
  kPong = 0xA,
};

// Of the payload of a ping, a pong or a close.
inline constexpr size_t kWebSocketControlBytesMax = 125;

// A text message whose payload is the pieces one after the other, which are UTF-8 together.
void AppendTextFrame(std::initializer_list<absl::string_view> pieces, std::string& out);

// Any frame. REQUIRES: a control frame's payload has at most kWebSocketControlBytesMax bytes.
void AppendFrame(WebSocketOpcode opcode, absl::string_view payload, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_WEBSOCKET_FRAME_H_
