// What the tests and the fuzz targets share.

#ifndef ENGINE_WIRE_HTTP_TESTING_CONVERSATIONS_H_
#define ENGINE_WIRE_HTTP_TESTING_CONVERSATIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/http/websocket_frame.h"

namespace engine {

// What an HttpReader reads of the bytes in chunks of a size, as text: each request, each "100
// Continue", the error.
std::string ReadHttp(absl::string_view bytes, size_t chunk_bytes);

// Likewise what a WebSocketStream reads, followed by what it sends, in hexadecimal.
std::string ReadWebSocket(absl::string_view bytes, size_t chunk_bytes,
                          size_t message_bytes_max = size_t{64} << 10);

// A client's frame. `bits` are the final bit (0x80) and the reserved ones.
std::string ClientFrame(WebSocketOpcode opcode, absl::string_view payload, unsigned bits = 0x80,
                        uint32_t mask = 0x37FA213D);

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_TESTING_CONVERSATIONS_H_
