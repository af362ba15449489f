#include "tools/os/network/stream_client.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/os/network/system_address.h"

namespace tools {
namespace {

// The connection is not there yet, or has nothing to read or no room.
bool IsWaiting(int error) {
  return error == EAGAIN || error == EINTR || error == EINPROGRESS || error == ENOTCONN;
}

}  // namespace

absl::StatusOr<std::unique_ptr<StreamClient>> StreamClient::Connect(const Endpoint& address) {
  const std::string text = address.ToString();
  if (address.family == Endpoint::Family::kUnix) {
    return absl::InvalidArgumentError(absl::StrCat(text, ": expected an address of TCP"));
  }
  const SystemAddress system = SystemAddress::Of(address);
  const int socket =
      ::socket(system.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return absl::ErrnoToStatus(errno, text);
  std::unique_ptr<StreamClient> client(new StreamClient(socket, text));
  if (::connect(socket, system.get(), system.size) != 0 && !IsWaiting(errno)) {
    return absl::ErrnoToStatus(errno, text);
  }
  return client;
}

StreamClient::~StreamClient() { ::close(socket_); }

void StreamClient::Send(absl::string_view bytes) {
  absl::StrAppend(&unsent_, bytes);
  Transmit();
}

absl::StatusOr<engine::Bytes> StreamClient::Receive() {
  Transmit();
  const ssize_t count = ::recv(socket_, input_.data(), input_.size(), 0);
  if (count > 0) return engine::Bytes(input_).first(static_cast<size_t>(count));
  if (count == 0) return Failure("the connection ended");
  if (IsWaiting(errno)) return engine::Bytes();
  return Failure(absl::ErrnoToStatus(errno, "").message());
}

// An error is one of Receive(), too.
void StreamClient::Transmit() {
  while (!unsent_.empty()) {
    const ssize_t count = ::send(socket_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (count < 0) return;
    unsent_.erase(0, static_cast<size_t>(count));
  }
}

absl::Status StreamClient::Failure(absl::string_view why) const {
  return absl::UnavailableError(absl::StrCat(address_, ": ", why));
}

}  // namespace tools
