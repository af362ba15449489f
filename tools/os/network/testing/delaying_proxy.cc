#include "tools/os/network/testing/delaying_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr size_t kHeldBytesMax = size_t{1} << 20;  // In one direction.

// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

absl::StatusOr<sockaddr_in> ParseAddress(absl::string_view text) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  const size_t colon = text.rfind(':');
  uint16_t port = 0;
  if (colon == absl::string_view::npos || !engine::ParseInteger(text.substr(colon + 1), port) ||
      inet_pton(AF_INET, std::string(text.substr(0, colon)).c_str(), &address.sin_addr) != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no address, expected one such as 127.0.0.1:8080"));
  }
  address.sin_port = htons(port);
  return address;
}

absl::Status SystemError(absl::string_view what) { return absl::ErrnoToStatus(errno, what); }

// What is on its way from one socket to another.
class Direction {
 public:
  Direction(const LinkTerms& terms, uint64_t seed) : link_(terms, seed) {}

  // Whether more may be read of the sender.
  bool has_room() const { return !has_ended_ && held_bytes_ < kHeldBytesMax; }
  // When something arrives; nullopt: nothing is on its way.
  std::optional<int64_t> next_arrival() const {
    if (segments_.empty()) return std::nullopt;
    return segments_.front().arrival;
  }
  bool is_done() const { return has_ended_ && segments_.empty(); }

  void ReadFrom(int sender, int64_t now) {
    std::array<char, LinkModel::kSegmentBytes> bytes;
    while (has_room()) {
      const ssize_t size = recv(sender, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (size <= 0) {
        has_ended_ = true;
        return;
      }
      segments_.push_back({.arrival = link_.ArrivalOf(now),
                           .bytes = std::string(bytes.data(), static_cast<size_t>(size))});
      held_bytes_ += static_cast<size_t>(size);
    }
  }

  // Hands over what has arrived, as far as the receiver takes it.
  void WriteTo(int receiver, int64_t now) {
    is_stuck_ = false;
    while (!segments_.empty() && segments_.front().arrival <= now) {
      std::string& bytes = segments_.front().bytes;
      const ssize_t size = send(receiver, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        is_stuck_ = true;
        return;
      }
      if (size < 0) {
        segments_.clear();
        has_ended_ = true;
        return;
      }
      held_bytes_ -= static_cast<size_t>(size);
      bytes.erase(0, static_cast<size_t>(size));
      if (bytes.empty()) segments_.pop_front();
    }
  }

  // The receiver takes nothing now.
  bool is_stuck() const { return is_stuck_; }

 private:
  struct Segment {
    int64_t arrival = 0;
    std::string bytes;
  };

  LinkModel link_;
  std::deque<Segment> segments_;
  size_t held_bytes_ = 0;
  bool has_ended_ = false;
  bool is_stuck_ = false;
};

struct Connection {
  Descriptor client;
  Descriptor server;
  Direction to_server;
  Direction to_client;

  bool is_done() const {
    return (to_server.is_done() && !to_client.next_arrival().has_value()) ||
           (to_client.is_done() && !to_server.next_arrival().has_value());
  }
};

}  // namespace

class DelayingProxy::Loop {
 public:
  Loop(const LinkTerms& terms, uint64_t seed, const sockaddr_in& server)
      : terms_(terms), seed_(seed), server_(server) {}

  // Returns the address.
  absl::StatusOr<std::string> Listen() {
    listener_ = Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    bell_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (listener_.get() < 0 || bell_.get() < 0) return SystemError("no sockets for a proxy");
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_.get(), static_cast<int>(kConnectionsMax)) != 0 ||
        getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      return SystemError("a proxy cannot listen");
    }
    return absl::StrCat("127.0.0.1:", ntohs(address.sin_port));
  }

  void Run() {
    prctl(PR_SET_TIMERSLACK, 1);  // By itself a wait takes 50 µs longer.
    while (!is_over_.load(std::memory_order_relaxed)) Turn();
  }

  void Stop() {
    is_over_.store(true, std::memory_order_relaxed);
    eventfd_write(bell_.get(), 1);
  }

 private:
  int64_t Now() { return clock_.Now().nanos(); }

  void Turn() {
    Wait();
    const int64_t now = Now();
    if (connections_.size() < kConnectionsMax) Accept();
    for (Connection& each : connections_) {
      each.to_server.ReadFrom(each.client.get(), now);
      each.to_client.ReadFrom(each.server.get(), now);
      each.to_server.WriteTo(each.server.get(), now);
      each.to_client.WriteTo(each.client.get(), now);
    }
    std::erase_if(connections_, [](const Connection& each) { return each.is_done(); });
  }

  void Wait() {
    polled_.clear();
    std::optional<int64_t> next;
    polled_.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
    if (connections_.size() < kConnectionsMax) {
      polled_.push_back({.fd = listener_.get(), .events = POLLIN, .revents = 0});
    }
    for (const Connection& each : connections_) {
      Add(each.client.get(), each.to_server, each.to_client, next);
      Add(each.server.get(), each.to_client, each.to_server, next);
    }
    const int64_t wait = next.has_value() ? std::max<int64_t>(*next - Now(), 0) : kSecondNanos;
    const timespec time = {.tv_sec = wait / kSecondNanos, .tv_nsec = wait % kSecondNanos};
    ppoll(polled_.data(), polled_.size(), &time, nullptr);
  }

  // A socket, what is read of it and what is written to it.
  void Add(int socket, const Direction& from, const Direction& to, std::optional<int64_t>& next) {
    const int events = (from.has_room() ? POLLIN : 0) | (to.is_stuck() ? POLLOUT : 0);
    // Without events its errors alone would end each wait.
    if (events != 0) {
      polled_.push_back({.fd = socket, .events = static_cast<int16_t>(events), .revents = 0});
    }
    const std::optional<int64_t> arrival = to.next_arrival();
    if (!to.is_stuck() && arrival.has_value()) next = std::min(next.value_or(*arrival), *arrival);
  }

  void Accept() {
    Descriptor client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() < 0) return;
    Descriptor server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (server.get() < 0 ||
        connect(server.get(), reinterpret_cast<const sockaddr*>(&server_), sizeof(server_)) != 0) {
      return;
    }
    const int on = 1;
    for (const int socket : {client.get(), server.get()}) {
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    }
    connections_.push_back({.client = std::move(client),
                            .server = std::move(server),
                            .to_server = Direction(terms_, seed_),
                            .to_client = Direction(terms_, seed_ + 1)});
    seed_ += 2;
  }

  const LinkTerms terms_;
  uint64_t seed_;  // Of the next connection.
  const sockaddr_in server_;
  MonotonicClock clock_;
  Descriptor listener_;
  Descriptor bell_;
  std::vector<Connection> connections_;
  std::vector<pollfd> polled_;
  std::atomic<bool> is_over_ = false;
};

absl::StatusOr<std::unique_ptr<DelayingProxy>> DelayingProxy::Start(absl::string_view server,
                                                                    const LinkTerms& terms,
                                                                    uint64_t seed) {
  ASSIGN_OR_RETURN(const sockaddr_in target, ParseAddress(server));
  auto loop = std::make_unique<Loop>(terms, seed, target);
  ASSIGN_OR_RETURN(std::string address, loop->Listen());
  std::unique_ptr<DelayingProxy> proxy(new DelayingProxy(std::move(loop), std::move(address)));
  RETURN_IF_ERROR(proxy->thread_.status());
  return proxy;
}

DelayingProxy::DelayingProxy(std::unique_ptr<Loop> loop, std::string address)
    : loop_(std::move(loop)),
      address_(std::move(address)),
      thread_(
          "proxy", [this] { loop_->Run(); }, [this] { loop_->Stop(); }) {}

DelayingProxy::~DelayingProxy() = default;

}  // namespace tools
