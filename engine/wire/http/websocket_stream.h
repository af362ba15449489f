// The server's side of a WebSocket connection, from the handshake on: RFC 6455, over wslay's
// frames. Bytes in, cut anywhere; messages out, and the bytes to send.
//
//   while (!bytes.empty() && !stream.is_over()) {
//     bytes = bytes.subspan(stream.Take(bytes, out));
//     if (stream.has_message()) { ...message()...; stream.Next(); }
//   }
//
// What it reads and writes is a function of the bytes alone, not of how they were cut.

#ifndef ENGINE_WIRE_HTTP_WEBSOCKET_STREAM_H_
#define ENGINE_WIRE_HTTP_WEBSOCKET_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// Why a connection ends: RFC 6455, section 7.4.1.
enum class WebSocketCode : uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,
  kProtocolError = 1002,
  kUnsupportedData = 1003,
  kNoStatus = 1005,  // The client's close had no code. Never sent.
  kInvalidText = 1007,
  kPolicyViolation = 1008,
  kMessageTooBig = 1009,
  kInternalError = 1011,
  kTryAgainLater = 1013,
};

struct WebSocketMessage {
  enum class Kind : uint8_t { kText, kBinary, kPong };

  Kind kind = Kind::kText;
  absl::string_view payload;  // Of a text: UTF-8.
};

// Sans-I/O. Holds about 4.5 KiB, and the message that is being received. Not thread-safe: owned by
// its connection.
class WebSocketStream {
 public:
  struct Options {
    size_t message_bytes_max = size_t{64} << 10;
  };

  WebSocketStream() : WebSocketStream(Options()) {}
  explicit WebSocketStream(const Options& options);
  WebSocketStream(WebSocketStream&&) noexcept;
  WebSocketStream& operator=(WebSocketStream&&) noexcept;
  ~WebSocketStream();

  // Takes bytes up to the end of one message, and returns how many. Answers pings and closes
  // before it, and ends the connection if the client breaks the protocol: appends that to `out`.
  // Takes none while a message waits for Next(). Once is_over() it takes all, and drops them.
  size_t Take(Bytes bytes, std::string& out);

  bool has_message() const;
  // Its payload is valid until Next(). REQUIRES: has_message().
  const WebSocketMessage& message() const;
  // Forgets the message. REQUIRES: has_message().
  void Next();

  // These append nothing after a close was sent.
  void SendText(absl::string_view text, std::string& out) const;
  // The text is the pieces one after the other.
  void SendText(std::initializer_list<absl::string_view> pieces, std::string& out) const;
  // REQUIRES: at most kWebSocketControlBytesMax bytes.
  void SendPing(absl::string_view payload, std::string& out) const;

  // Begins to close: nothing is sent after it, and messages that still come are dropped. The client
  // answers, which makes the stream over. `reason` is cut to what a close frame holds.
  void Close(WebSocketCode code, absl::string_view reason, std::string& out);

  // Whether a close was sent, in answer or not.
  bool is_closing() const;
  // Whether both sides have closed, or the client broke the protocol: the connection is to end once
  // the bytes are sent.
  bool is_over() const;
  // The code with which the connection ends: of the first close, sent or received.
  // REQUIRES: is_closing().
  uint16_t close_code() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_HTTP_WEBSOCKET_STREAM_H_
