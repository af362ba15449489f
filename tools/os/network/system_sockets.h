// Sockets of the operating system: TCP and Unix domain, watched by epoll.
//
//   sockets ──► epoll (edges) ─┐
//                              ├─► Wait()
//   Ring() ───► eventfd ───────┘

#ifndef TOOLS_OS_NETWORK_SYSTEM_SOCKETS_H_
#define TOOLS_OS_NETWORK_SYSTEM_SOCKETS_H_

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/doorbell.h"
#include "engine/base/steady_time.h"
#include "tools/os/doorbells.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/stream_sockets.h"

namespace tools {

// A socket is its descriptor. No call raises SIGPIPE, and no descriptor reaches a child process.
// A Unix socket's file is removed with its listener.
class SystemSockets final : public StreamSockets {
 public:
  // What the system keeps of an accepted TCP connection's output, besides what is on its way. By
  // itself it takes megabytes for a peer that does not read.
  static constexpr int kUnsentBytesMax = 128 << 10;

  // `clock` outlives the sockets. Errors: those of epoll_create1(2) and eventfd(2).
  static absl::StatusOr<std::unique_ptr<SystemSockets>> Make(engine::SteadyClock& clock);
  ~SystemSockets() override;

  absl::StatusOr<Bound> Listen(absl::string_view address) override;
  Accepted Accept(int listener) override;
  bool Watch(int socket, uint64_t tag) override;
  Moved Receive(int socket, engine::MutableBytes into) override;
  Moved Transmit(int socket, engine::Bytes bytes) override;
  void EndOutput(int socket) override;
  void Close(int socket) override;
  void Reset(int socket) override;
  void Wait(int64_t nanos_max, std::vector<SocketEvent>& events) override;
  engine::SteadyTime Now() override { return clock_.Now(); }
  engine::Doorbell& bell() override { return *bell_; }

 private:
  // The file of a listening Unix socket.
  struct SocketFile {
    int socket;
    std::string path;
    dev_t device;
    ino_t inode;
  };

  SystemSockets(engine::SteadyClock& clock, int epoll, std::unique_ptr<InputDoorbell> bell);
  void RemoveFileOf(int socket);

  engine::SteadyClock& clock_;
  const int epoll_;
  const std::unique_ptr<InputDoorbell> bell_;
  std::vector<SocketFile> files_;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_SYSTEM_SOCKETS_H_
