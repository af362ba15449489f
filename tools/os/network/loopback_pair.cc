#include "tools/os/network/loopback_pair.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

absl::Status Check(int result, const char* call) {
  return result >= 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, call);
}

// Binds `socket` to a free port.
absl::StatusOr<sockaddr_in> BindToLoopback(int socket) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const pointer = reinterpret_cast<sockaddr*>(&address);
  RETURN_IF_ERROR(Check(bind(socket, pointer, size), "bind"));
  RETURN_IF_ERROR(Check(getsockname(socket, pointer, &size), "getsockname"));
  return address;
}

absl::Status Connect(int socket, const sockaddr_in& address) {
  return Check(connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
               "connect");
}

}  // namespace

absl::StatusOr<std::unique_ptr<LoopbackPair>> LoopbackPair::Open(Kind kind) {
  const int type = (kind == Kind::kTcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC;
  const int first = socket(AF_INET, type, 0);
  RETURN_IF_ERROR(Check(first, "socket"));
  absl::Cleanup close_first = [&] { close(first); };
  int second = socket(AF_INET, type, 0);
  RETURN_IF_ERROR(Check(second, "socket"));
  absl::Cleanup close_second = [&] { close(second); };
  ASSIGN_OR_RETURN(const sockaddr_in of_second, BindToLoopback(second));
  if (kind == Kind::kUdp) {
    ASSIGN_OR_RETURN(const sockaddr_in of_first, BindToLoopback(first));
    RETURN_IF_ERROR(Connect(second, of_first));
    RETURN_IF_ERROR(Connect(first, of_second));
  } else {
    RETURN_IF_ERROR(Check(listen(second, 1), "listen"));
    RETURN_IF_ERROR(Connect(first, of_second));
    const int accepted = accept4(second, nullptr, nullptr, SOCK_CLOEXEC);
    RETURN_IF_ERROR(Check(accepted, "accept"));
    close(second);
    second = accepted;
    const int on = 1;
    for (const int each : {first, second}) {
      RETURN_IF_ERROR(
          Check(setsockopt(each, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "setsockopt"));
    }
  }
  std::move(close_first).Cancel();
  std::move(close_second).Cancel();
  return std::unique_ptr<LoopbackPair>(new LoopbackPair({first, second}));
}

LoopbackPair::~LoopbackPair() {
  for (const int each : sockets_) close(each);
}

bool LoopbackPair::Send(size_t end, engine::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(sockets_[end], bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return true;
}

size_t LoopbackPair::Receive(size_t end, engine::MutableBytes into, Waiting waiting) {
  const int flags = waiting == Waiting::kSpin ? MSG_DONTWAIT : 0;
  while (true) {
    const ssize_t received = recv(sockets_[end], into.data(), into.size(), flags);
    if (received >= 0) return static_cast<size_t>(received);
    const bool is_spinning = errno == EAGAIN && waiting == Waiting::kSpin;
    if (!is_spinning && errno != EINTR) return 0;
    // A datagram socket that was shut down has no more to say than one without datagrams.
    if (has_ended_.load(std::memory_order_relaxed)) return 0;
    if (is_spinning) __builtin_ia32_pause();
  }
}

void LoopbackPair::End() {
  has_ended_.store(true, std::memory_order_relaxed);
  for (const int each : sockets_) shutdown(each, SHUT_RDWR);
}

}  // namespace tools
