// A TCP connection that this program makes, for a loop that waits for more than one thing: no call
// blocks.

#ifndef TOOLS_OS_NETWORK_STREAM_CLIENT_H_
#define TOOLS_OS_NETWORK_STREAM_CLIENT_H_

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/os/network/endpoint.h"

namespace tools {

// Not thread-safe: owned by the loop. The destructor ends the connection.
class StreamClient {
 public:
  // Begins to connect; whether that succeeds, Receive() says. Errors: INVALID_ARGUMENT for a Unix
  // socket; those of the system, with the address.
  static absl::StatusOr<std::unique_ptr<StreamClient>> Connect(const Endpoint& address);
  ~StreamClient();
  StreamClient(const StreamClient&) = delete;
  StreamClient& operator=(const StreamClient&) = delete;

  // Appends to what is sent, as soon as the connection takes it: in this call or in Receive().
  void Send(absl::string_view bytes);

  // What has arrived, or a part of it; empty if nothing has. Valid until the next call. Errors,
  // with the address: UNAVAILABLE if there is no connection, or no longer.
  absl::StatusOr<engine::Bytes> Receive();

  // Readable when input or an error waits.
  int descriptor() const { return socket_; }

 private:
  StreamClient(int socket, std::string address) : socket_(socket), address_(std::move(address)) {}
  void Transmit();
  absl::Status Failure(absl::string_view why) const;

  const int socket_;
  const std::string address_;  // For messages.
  std::string unsent_;
  std::array<std::byte, 64 << 10> input_;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_STREAM_CLIENT_H_
