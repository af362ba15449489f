// What a Network needs of the system: stream sockets that never block, and a wait for all of them.

#ifndef TOOLS_OS_NETWORK_STREAM_SOCKETS_H_
#define TOOLS_OS_NETWORK_STREAM_SOCKETS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/doorbell.h"
#include "engine/base/steady_time.h"

namespace tools {

// A change of a socket. Events report edges: each is reported once, and the socket then has to be
// used until it would block. A reported edge may be spurious.
struct SocketEvent {
  uint64_t tag = 0;        // As given to Watch().
  bool is_input = false;   // Bytes, a connection to accept, an end of input or a failure.
  bool is_output = false;  // Room for output.
  bool is_at_end = false;  // All input has arrived: reading reaches its end, or a failure.
  bool is_failed = false;  // The connection was reset.
};

// Not thread-safe: owned by the thread of the loop; only bell() may be rung by others. Sockets are
// small integers, which are used again once closed.
class StreamSockets {
 public:
  static constexpr int kNone = -1;

  enum class Outcome {
    kDone,
    kWouldBlock,
    kEnded,      // The end of input.
    kFailed,     // The connection is unusable.
    kExhausted,  // The system has no descriptor or memory left.
  };
  struct Bound {
    int socket = kNone;
    std::string address;
  };
  struct Accepted {
    Outcome outcome = Outcome::kWouldBlock;
    int socket = kNone;
    std::string peer;
  };
  struct Moved {
    Outcome outcome = Outcome::kWouldBlock;
    size_t bytes = 0;
    bool is_more = false;  // The socket may have more input.
  };

  virtual ~StreamSockets() = default;

  // See Network::Listen.
  virtual absl::StatusOr<Bound> Listen(absl::string_view address) = 0;
  virtual Accepted Accept(int listener) = 0;

  // Reports events of `socket` under `tag` from now on, until it is closed. Returns false if the
  // system has no room for it.
  virtual bool Watch(int socket, uint64_t tag) = 0;

  virtual Moved Receive(int socket, engine::MutableBytes into) = 0;
  virtual Moved Transmit(int socket, engine::Bytes bytes) = 0;

  // Tells the peer that no output follows what was transmitted.
  virtual void EndOutput(int socket) = 0;

  // Also ends a listener.
  virtual void Close(int socket) = 0;
  // The peer sees a reset, and loses what it did not receive yet.
  virtual void Reset(int socket) = 0;

  // Appends the events since the last call. If there are none, waits for the first, for a ring, a
  // signal or `nanos_max` nanoseconds.
  virtual void Wait(int64_t nanos_max, std::vector<SocketEvent>& events) = 0;
  virtual engine::SteadyTime Now() = 0;
  virtual engine::Doorbell& bell() = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_STREAM_SOCKETS_H_
