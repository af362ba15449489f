#include "tools/os/network/testing/blocking_tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

void SetNoDelay(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

absl::Status Ended() { return absl::AbortedError("the connection has ended"); }

absl::Status SendAll(int socket, engine::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return Ended();
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> ReceiveSome(int socket, engine::MutableBytes into) {
  while (true) {
    const ssize_t received = recv(socket, into.data(), into.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return Ended();
    return static_cast<size_t>(received);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlockingClient>> BlockingClient::Connect(
    const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  uint16_t port = 0;
  if (colon == std::string::npos || !engine::ParseInteger(address.substr(colon + 1), port) ||
      inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(address, ": not an address, expected e.g. 127.0.0.1:7001"));
  }
  to.sin_port = htons(port);
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return absl::ErrnoToStatus(errno, "socket");
  std::unique_ptr<BlockingClient> client(new BlockingClient(made));
  if (connect(made, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
    return absl::ErrnoToStatus(errno, address);
  }
  SetNoDelay(made);
  return client;
}

BlockingClient::~BlockingClient() { close(socket_); }

absl::Status BlockingClient::Send(engine::Bytes bytes) { return SendAll(socket_, bytes); }

absl::StatusOr<size_t> BlockingClient::Receive(engine::MutableBytes into) {
  return ReceiveSome(socket_, into);
}

absl::Status BlockingClient::ReceiveAll(engine::MutableBytes into) {
  while (!into.empty()) {
    ASSIGN_OR_RETURN(const size_t size, Receive(into));
    into = into.subspan(size);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<BlockingEcho>> BlockingEcho::Start(std::optional<int> core) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return absl::ErrnoToStatus(errno, "socket");
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&at), size) != 0 ||
      listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    const int error = errno;
    close(listener);
    return absl::ErrnoToStatus(error, "listen");
  }
  std::unique_ptr<BlockingEcho> echo(
      new BlockingEcho(listener, absl::StrCat("127.0.0.1:", ntohs(at.sin_port))));
  echo->thread_.emplace(
      "echo", [self = echo.get()] { self->Run(); }, [listener] { shutdown(listener, SHUT_RDWR); },
      core);
  RETURN_IF_ERROR(echo->thread_->status());
  return echo;
}

BlockingEcho::~BlockingEcho() {
  thread_.reset();
  close(listener_);
}

void BlockingEcho::Run() const {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  SetNoDelay(client);
  std::array<std::byte, kPieceBytes> bytes;
  while (true) {
    const absl::StatusOr<size_t> size = ReceiveSome(client, bytes);
    if (!size.ok() || !SendAll(client, engine::Bytes(bytes).first(*size)).ok()) break;
  }
  close(client);
}

}  // namespace tools
