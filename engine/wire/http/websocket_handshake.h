// From HTTP to WebSocket: RFC 6455, section 4.2. Extensions and subprotocols are declined.

#ifndef ENGINE_WIRE_HTTP_WEBSOCKET_HANDSHAKE_H_
#define ENGINE_WIRE_HTTP_WEBSOCKET_HANDSHAKE_H_

#include <array>
#include <optional>
#include <string>

#include "engine/wire/http/http_request.h"

namespace engine {

// Appends the 101 response; what follows on the connection is for a WebSocketStream. Or appends
// nothing and returns why the request is refused: 426, whose response has kWebSocketUpgradeFields,
// or 400. Authenticate the request before.
std::optional<HttpError> WebSocketHandshake(const HttpRequest& request, std::string& out);

inline constexpr std::array<HttpField, 2> kWebSocketUpgradeFields = {{
    {.name = "Upgrade", .value = "websocket"},
    {.name = "Sec-WebSocket-Version", .value = "13"},
}};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_WEBSOCKET_HANDSHAKE_H_
