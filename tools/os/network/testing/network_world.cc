#include "tools/os/network/testing/network_world.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "tools/os/clocks.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/system_sockets.h"

namespace tools {
namespace {

class PeerInMemory final : public Peer {
 public:
  explicit PeerInMemory(std::unique_ptr<MemoryPeer> peer) : peer_(std::move(peer)) {}

  size_t Send(absl::string_view bytes) override { return peer_->Send(engine::AsBytes(bytes)); }
  std::string Receive(size_t bytes_max) override { return peer_->Receive(bytes_max); }
  void EndOutput() override { peer_->EndOutput(); }
  void Close() override { peer_->Close(); }
  void Reset() override { peer_->Reset(); }
  bool has_ended() const override { return peer_->has_ended(); }
  bool is_reset() const override { return peer_->is_reset(); }

 private:
  const std::unique_ptr<MemoryPeer> peer_;
};

class MemoryWorld final : public NetworkWorld {
 public:
  explicit MemoryWorld(uint64_t seed) : sockets_(clock_, seed) {}

  StreamSockets& sockets() override { return sockets_; }
  std::string address() override { return "127.0.0.1:0"; }
  std::unique_ptr<Peer> Connect(const std::string& address) override {
    return std::make_unique<PeerInMemory>(sockets_.Connect(address).value());
  }

 private:
  engine::ManualSteadyClock clock_;
  MemorySockets sockets_;
};

class SystemPeer final : public Peer {
 public:
  explicit SystemPeer(int socket) : socket_(socket) {}
  ~SystemPeer() override { Close(); }

  size_t Send(absl::string_view bytes) override {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0) NoteError();
    return count < 0 ? 0 : static_cast<size_t>(count);
  }

  std::string Receive(size_t bytes_max) override {
    std::string received;
    std::array<char, 65536> buffer;
    while (received.size() < bytes_max) {
      const size_t wanted = std::min(buffer.size(), bytes_max - received.size());
      const ssize_t count = ::recv(socket_, buffer.data(), wanted, 0);
      if (count < 0) NoteError();
      if (count == 0) has_ended_ = true;
      if (count <= 0) break;
      received.append(buffer.data(), static_cast<size_t>(count));
    }
    return received;
  }

  void EndOutput() override { CHECK_EQ(::shutdown(socket_, SHUT_WR), 0); }
  void Close() override {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void Reset() override {
    const linger discard = {.l_onoff = 1, .l_linger = 0};
    CHECK_EQ(::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &discard, sizeof(discard)), 0);
    Close();
  }
  bool has_ended() const override { return has_ended_; }
  bool is_reset() const override { return is_reset_; }

 private:
  void NoteError() {
    if (errno == ECONNRESET || errno == EPIPE) is_reset_ = true;
  }

  int socket_;
  bool has_ended_ = false;
  bool is_reset_ = false;
};

int ConnectTo(const Endpoint& endpoint) {
  sockaddr_in ip = {};
  sockaddr_un file = {};
  const bool is_unix = endpoint.family == Endpoint::Family::kUnix;
  const int socket = ::socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(socket >= 0) << std::strerror(errno);
  ip.sin_family = AF_INET;
  ip.sin_port = htons(endpoint.port);
  file.sun_family = AF_UNIX;
  if (is_unix) {
    CHECK(endpoint.host.size() < sizeof(file.sun_path));
    std::copy(endpoint.host.begin(), endpoint.host.end(), file.sun_path);
  } else {
    CHECK_EQ(inet_pton(AF_INET, endpoint.host.c_str(), &ip.sin_addr), 1);
  }
  const int result = is_unix
                         ? ::connect(socket, reinterpret_cast<const sockaddr*>(&file), sizeof(file))
                         : ::connect(socket, reinterpret_cast<const sockaddr*>(&ip), sizeof(ip));
  CHECK_EQ(result, 0) << std::strerror(errno);
  CHECK_EQ(::fcntl(socket, F_SETFL, O_NONBLOCK), 0);
  return socket;
}

class SystemWorld final : public NetworkWorld {
 public:
  // `folder`: removed with the world, unless empty.
  SystemWorld(std::string address, std::string folder)
      : address_(std::move(address)),
        folder_(std::move(folder)),
        sockets_(SystemSockets::Make(clock_).value()) {}
  ~SystemWorld() override {
    if (!folder_.empty()) CHECK_EQ(::rmdir(folder_.c_str()), 0) << std::strerror(errno);
  }

  StreamSockets& sockets() override { return *sockets_; }
  std::string address() override { return address_; }
  std::unique_ptr<Peer> Connect(const std::string& address) override {
    return std::make_unique<SystemPeer>(ConnectTo(Endpoint::Parse(address).value()));
  }

 private:
  const std::string address_;
  const std::string folder_;
  MonotonicClock clock_;
  const std::unique_ptr<SystemSockets> sockets_;
};

}  // namespace

std::unique_ptr<NetworkWorld> MakeMemoryWorld(uint64_t seed) {
  return std::make_unique<MemoryWorld>(seed);
}

std::unique_ptr<NetworkWorld> MakeTcpWorld() {
  return std::make_unique<SystemWorld>("127.0.0.1:0", "");
}

std::unique_ptr<NetworkWorld> MakeUnixWorld() {
  // Short, because a path has 107 bytes at most.
  std::string folder = "/tmp/network_XXXXXX";
  CHECK(::mkdtemp(folder.data()) != nullptr);
  return std::make_unique<SystemWorld>(absl::StrCat("unix:", folder, "/socket"), folder);
}

}  // namespace tools
