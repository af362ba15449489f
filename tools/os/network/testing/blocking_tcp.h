// Connections that wait in the kernel, for benchmarks: a client, and a server that sends back what
// it receives. Both without delay (TCP_NODELAY), as the venue's own.

#ifndef TOOLS_OS_NETWORK_TESTING_BLOCKING_TCP_H_
#define TOOLS_OS_NETWORK_TESTING_BLOCKING_TCP_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "tools/os/thread.h"

namespace tools {

// Not thread-safe, but one thread may send while another receives.
class BlockingClient {
 public:
  // `address`: "127.0.0.1:7001". Errors: those of the system.
  static absl::StatusOr<std::unique_ptr<BlockingClient>> Connect(const std::string& address);
  ~BlockingClient();
  BlockingClient(const BlockingClient&) = delete;
  BlockingClient& operator=(const BlockingClient&) = delete;

  // Sends all. Errors: ABORTED, the connection has ended.
  absl::Status Send(engine::Bytes bytes);
  // Waits for at least one byte; returns how many there are. Errors: as Send().
  absl::StatusOr<size_t> Receive(engine::MutableBytes into);
  // Waits until `into` is full.
  absl::Status ReceiveAll(engine::MutableBytes into);

 private:
  explicit BlockingClient(int socket) : socket_(socket) {}

  const int socket_;
};

// Serves one connection, which ends before this does, on a thread of its own.
class BlockingEcho {
 public:
  // On `core`, if given. Errors: those of the system.
  static absl::StatusOr<std::unique_ptr<BlockingEcho>> Start(std::optional<int> core);
  ~BlockingEcho();
  BlockingEcho(const BlockingEcho&) = delete;
  BlockingEcho& operator=(const BlockingEcho&) = delete;

  const std::string& address() const { return address_; }

 private:
  BlockingEcho(int listener, std::string address)
      : listener_(listener), address_(std::move(address)) {}
  void Run() const;

  const int listener_;
  const std::string address_;
  std::optional<Thread> thread_;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_BLOCKING_TCP_H_
