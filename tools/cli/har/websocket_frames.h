// Reads WebSocket messages of one direction, cut anywhere, over wslay's parser of frames; also over
// bytes that were not kept. Unlike engine/wire/http's WebSocketStream it is no side of the
// connection: it reads frames of both, answers none, and reports control frames, too.

#ifndef TOOLS_CLI_HAR_WEBSOCKET_FRAMES_H_
#define TOOLS_CLI_HAR_WEBSOCKET_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace tools {

// Of a message. What comes after them is left out.
inline constexpr size_t kMessageKeptMax = size_t{1} << 20;

struct SeenMessage {
  unsigned opcode = 0;  // RFC 6455, section 5.2: of its first frame.
  std::string payload;
  bool is_cut = false;  // Bytes are missing: not kept, or beyond kMessageKeptMax.
};

// Not thread-safe: owned by its session.
class WebSocketFrames {
 public:
  using Visit = absl::FunctionRef<void(const SeenMessage& message)>;

  WebSocketFrames();
  ~WebSocketFrames();

  // Calls `visit` with the messages that end in these bytes. Returns false if they are no frames,
  // from where on it cannot read.
  bool Take(absl::string_view bytes, Visit visit);
  // The next `count` bytes were not kept. Returns false if they are more than the rest of a frame's
  // payload, from where on it cannot read.
  bool Skip(uint64_t count, Visit visit);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_CLI_HAR_WEBSOCKET_FRAMES_H_
