#include "tools/os/local_client.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "tools/os/unix_address.h"

namespace tools {
namespace {

// Repeats a system call that a signal interrupted.
template <typename Call>
ssize_t Uninterrupted(Call call) {
  ssize_t result = 0;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LocalClient>> LocalClient::Connect(const std::string& path,
                                                                  int seconds) {
  const auto failure = [&](int error) {
    return error == ENOENT || error == ECONNREFUSED
               ? absl::NotFoundError(absl::StrCat(path, ": no process listens here"))
               : absl::ErrnoToStatus(error, path);
  };
  const UnixAddress address(path);
  if (address.error() != 0) return failure(address.error());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return absl::ErrnoToStatus(errno, path);
  std::unique_ptr<LocalClient> client(new LocalClient(socket, path, seconds));
  const timeval time = {.tv_sec = seconds, .tv_usec = 0};
  for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO}) {
    CHECK_EQ(::setsockopt(socket, SOL_SOCKET, option, &time, sizeof(time)), 0);
  }
  const auto connect = [&] { return ::connect(socket, address.get(), address.size()); };
  if (Uninterrupted(connect) == 0) return client;
  return errno == EAGAIN ? client->Failure(errno) : failure(errno);
}

LocalClient::LocalClient(int socket, std::string path, int seconds)
    : socket_(socket), path_(std::move(path)), seconds_(seconds) {}

LocalClient::~LocalClient() { ::close(socket_); }

absl::Status LocalClient::Failure(int error) const {
  if (error == EAGAIN) {
    return absl::DeadlineExceededError(
        absl::StrCat(path_, ": no answer within ", seconds_, " seconds"));
  }
  return absl::ErrnoToStatus(error, path_);
}

absl::Status LocalClient::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        Uninterrupted([&] { return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
    if (count < 0) return Failure(errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> LocalClient::ReadLine() {
  size_t searched = 0;
  for (;;) {
    const size_t end = received_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    searched = received_.size();
    std::array<char, 16 << 10> piece;
    const ssize_t count =
        Uninterrupted([&] { return ::recv(socket_, piece.data(), piece.size(), 0); });
    if (count < 0) return Failure(errno);
    if (count == 0) return absl::UnavailableError(absl::StrCat(path_, ": the connection ended"));
    received_.append(piece.data(), static_cast<size_t>(count));
  }
}

}  // namespace tools
