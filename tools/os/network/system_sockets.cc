#include "tools/os/network/system_sockets.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "tools/os/network/system_address.h"
#include "tools/os/unix_address.h"

namespace tools {
namespace {

constexpr size_t kEventsMax = 256;
constexpr uint64_t kBellTag = UINT64_MAX;

void SetOption(int socket, int level, int option, int value = 1) {
  // The options make connections better; without them they still work.
  [[maybe_unused]] const int result = ::setsockopt(socket, level, option, &value, sizeof(value));
}

// Removes the file of a listener that is gone; anything else stays, so that bind(2) fails.
void RemoveIfStale(const std::string& path, const UnixAddress& address) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return;
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return;
  const bool is_stale =
      ::connect(probe, address.get(), address.size()) != 0 && errno == ECONNREFUSED;
  ::close(probe);
  if (is_stale) ::unlink(path.c_str());
}

int FamilyOf(const Endpoint& endpoint) {
  switch (endpoint.family) {
    case Endpoint::Family::kIp4:
      return AF_INET;
    case Endpoint::Family::kIp6:
      return AF_INET6;
    case Endpoint::Family::kUnix:
      return AF_UNIX;
  }
  CHECK(false);
}

// Each returns 0, or the errno.
int BindFile(int socket, const std::string& path) {
  const UnixAddress address(path);
  if (address.error() != 0) return address.error();
  RemoveIfStale(path, address);
  // Linux gives the file of the socket this mode in the moment in which it makes it.
  if (::fchmod(socket, S_IRUSR | S_IWUSR) != 0) return errno;
  return ::bind(socket, address.get(), address.size()) == 0 ? 0 : errno;
}

int BindIp(int socket, const Endpoint& endpoint) {
  SetOption(socket, SOL_SOCKET, SO_REUSEADDR);
  if (endpoint.family == Endpoint::Family::kIp6) SetOption(socket, IPPROTO_IPV6, IPV6_V6ONLY);
  const SystemAddress address = SystemAddress::Of(endpoint);
  return ::bind(socket, address.get(), address.size) == 0 ? 0 : errno;
}

int BindAndListen(int socket, const Endpoint& endpoint) {
  const int error = endpoint.family == Endpoint::Family::kUnix ? BindFile(socket, endpoint.host)
                                                               : BindIp(socket, endpoint);
  if (error != 0) return error;
  return ::listen(socket, SOMAXCONN) == 0 ? 0 : errno;
}

StreamSockets::Outcome OutcomeOfError(int error) {
  switch (error) {
    case EAGAIN:
      return StreamSockets::Outcome::kWouldBlock;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return StreamSockets::Outcome::kExhausted;
    default:
      return StreamSockets::Outcome::kFailed;
  }
}

// Repeats a system call that a signal interrupted.
template <typename Call>
ssize_t Uninterrupted(Call call) {
  ssize_t result = 0;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

bool AddTo(int epoll, int descriptor, uint32_t events, uint64_t tag) {
  epoll_event event = {};
  event.events = events | EPOLLET;
  event.data.u64 = tag;
  return ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

SocketEvent ToEvent(const epoll_event& event) {
  return {.tag = event.data.u64,
          .is_input = (event.events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
          .is_output = (event.events & EPOLLOUT) != 0,
          .is_at_end = (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
          .is_failed = (event.events & EPOLLERR) != 0};
}

}  // namespace

absl::StatusOr<std::unique_ptr<SystemSockets>> SystemSockets::Make(engine::SteadyClock& clock) {
  ASSIGN_OR_RETURN(std::unique_ptr<InputDoorbell> bell, InputDoorbell::Make(0));
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return absl::ErrnoToStatus(errno, "cannot make an epoll instance");
  if (!AddTo(epoll, bell->descriptor(), EPOLLIN, kBellTag)) {
    const int error = errno;
    ::close(epoll);
    return absl::ErrnoToStatus(error, "cannot watch an eventfd");
  }
  return std::unique_ptr<SystemSockets>(new SystemSockets(clock, epoll, std::move(bell)));
}

SystemSockets::SystemSockets(engine::SteadyClock& clock, int epoll,
                             std::unique_ptr<InputDoorbell> bell)
    : clock_(clock), epoll_(epoll), bell_(std::move(bell)) {}

SystemSockets::~SystemSockets() { ::close(epoll_); }

absl::StatusOr<StreamSockets::Bound> SystemSockets::Listen(absl::string_view address) {
  ASSIGN_OR_RETURN(const Endpoint endpoint, Endpoint::Parse(address));
  const auto failure = [&](int error) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot listen on ", address));
  };
  const int socket = ::socket(FamilyOf(endpoint), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return failure(errno);
  auto close = absl::MakeCleanup([&] { ::close(socket); });
  if (const int error = BindAndListen(socket, endpoint); error != 0) return failure(error);
  std::move(close).Cancel();
  if (endpoint.family == Endpoint::Family::kUnix) {
    struct stat info = {};
    if (::lstat(endpoint.host.c_str(), &info) == 0) {
      files_.push_back({socket, endpoint.host, info.st_dev, info.st_ino});
    }
    return Bound{.socket = socket, .address = endpoint.ToString()};
  }
  SystemAddress bound;
  CHECK_EQ(::getsockname(socket, bound.get(), &bound.size), 0);
  return Bound{.socket = socket, .address = bound.ToString()};
}

StreamSockets::Accepted SystemSockets::Accept(int listener) {
  SystemAddress peer;
  const auto socket = static_cast<int>(Uninterrupted([&] {
    peer.size = sizeof(peer.storage);
    return ::accept4(listener, peer.get(), &peer.size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  }));
  if (socket < 0) return {.outcome = OutcomeOfError(errno), .socket = kNone, .peer = {}};
  if (peer.storage.ss_family != AF_UNIX) {
    SetOption(socket, IPPROTO_TCP, TCP_NODELAY);
    SetOption(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kUnsentBytesMax);
  }
  return {.outcome = Outcome::kDone, .socket = socket, .peer = peer.ToString()};
}

bool SystemSockets::Watch(int socket, uint64_t tag) {
  return AddTo(epoll_, socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP, tag);
}

StreamSockets::Moved SystemSockets::Receive(int socket, engine::MutableBytes into) {
  const ssize_t count = Uninterrupted([&] { return ::recv(socket, into.data(), into.size(), 0); });
  if (count < 0) return {.outcome = OutcomeOfError(errno)};
  if (count == 0) return {.outcome = Outcome::kEnded};
  const auto bytes = static_cast<size_t>(count);
  return {.outcome = Outcome::kDone, .bytes = bytes, .is_more = bytes == into.size()};
}

StreamSockets::Moved SystemSockets::Transmit(int socket, engine::Bytes bytes) {
  const ssize_t count =
      Uninterrupted([&] { return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
  if (count < 0) return {.outcome = OutcomeOfError(errno)};
  return {.outcome = Outcome::kDone, .bytes = static_cast<size_t>(count)};
}

void SystemSockets::EndOutput(int socket) {
  // It fails only if the connection has failed, which its event reports.
  [[maybe_unused]] const int result = ::shutdown(socket, SHUT_WR);
}

void SystemSockets::Close(int socket) {
  RemoveFileOf(socket);
  ::close(socket);
}

void SystemSockets::Reset(int socket) {
  const linger discard = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &discard, sizeof(discard));
  ::close(socket);
}

void SystemSockets::Wait(int64_t nanos_max, std::vector<SocketEvent>& events) {
  std::array<epoll_event, kEventsMax> found;
  int count = -1;
  if (nanos_max > 0) {
    bell_->WaitBy(nanos_max, [&](const timespec& timeout) {
      count = ::epoll_pwait2(epoll_, found.data(), kEventsMax, &timeout, nullptr);
    });
  }
  // After a ring or a signal, too.
  if (count < 0) count = ::epoll_wait(epoll_, found.data(), kEventsMax, 0);
  CHECK(count >= 0 || errno == EINTR) << std::strerror(errno);
  for (int i = 0; i < count; ++i) {
    if (found[i].data.u64 != kBellTag) events.push_back(ToEvent(found[i]));
  }
}

void SystemSockets::RemoveFileOf(int socket) {
  const auto file = std::find_if(files_.begin(), files_.end(),
                                 [&](const SocketFile& each) { return each.socket == socket; });
  if (file == files_.end()) return;
  // Another process may have put its own in the place.
  struct stat info = {};
  if (::lstat(file->path.c_str(), &info) == 0 && info.st_dev == file->device &&
      info.st_ino == file->inode) {
    ::unlink(file->path.c_str());
  }
  files_.erase(file);
}

}  // namespace tools
