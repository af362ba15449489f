// What only the operating system's sockets do.

#include "tools/os/network/system_sockets.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/network/network.h"
#include "tools/os/network/testing/network_log.h"
#include "tools/os/network/testing/network_world.h"
#include "tools/os/signals.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kHour = int64_t{3'600'000} * kMillisecond;

// Returns the greatest open descriptor.
int LastDescriptor() {
  int last = 0;
  for (int descriptor = 0; descriptor < 4'096; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) last = descriptor;
  }
  return last;
}

// While it exists, the process may open `count` more descriptors.
class FewDescriptors {
 public:
  explicit FewDescriptors(int count) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(LastDescriptor() + 1 + count);
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~FewDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_ = {};
};

TEST(SystemSockets, InputOfAnotherDescriptorEndsAWait) {
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  int pipe[2] = {};
  ASSERT_EQ(::pipe(pipe), 0);
  ASSERT_TRUE(network.WakeAtInput(pipe[0]).ok());
  EXPECT_EQ(network.WakeAtInput(-1).code(), absl::StatusCode::kResourceExhausted);
  NetworkLog log;
  const engine::SteadyTime start = world->sockets().Now();
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(::write(pipe[1], "x", 1), 1);
    network.Turn(start + kHour, log);
  }
  EXPECT_LT(world->sockets().Now() - start, kHour);
  EXPECT_TRUE(log.accepted().empty());
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(SystemSockets, AcceptingPausesWhileNoDescriptorIsLeft) {
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets(), {.accept_pause_nanos = 20 * kMillisecond});
  const Network::Listener listener = network.Listen(world->address()).value();
  NetworkLog log;
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 20; ++i) peers.push_back(world->Connect(listener.address));
  {
    const FewDescriptors few(5);
    const engine::SteadyTime start = world->sockets().Now();
    int turns = 0;
    for (; world->sockets().Now() - start < 100 * kMillisecond; ++turns) {
      network.Turn(start + 100 * kMillisecond, log);
    }
    EXPECT_EQ(log.accepted().size(), 5);
    EXPECT_GE(network.counts().accept_pauses, 1);
    EXPECT_LE(network.counts().accept_pauses, 6);
    EXPECT_LE(turns, 20) << "the loop spins";
    // The others are served meanwhile.
    peers[0]->Send("hello");
    while (log[log.accepted()[0]].bytes.empty()) network.Turn(start + kHour, log);
  }
  while (log.accepted().size() < 20) network.Turn(world->sockets().Now() + kMillisecond, log);
}

TEST(SystemSockets, ARingOfAnotherThreadEndsTheWait) {
  constexpr int kRounds = 2'000;
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  NetworkLog log;
  std::atomic<int> asked = 0;
  std::atomic<int> answered = 0;
  FutexDoorbell other_bell;
  const Thread other("other", [&] {
    for (int round = 1; round <= kRounds; ++round) {
      while (asked.load() < round) other_bell.Wait(kHour);
      answered.store(round);
      network.bell().Ring();
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    asked.store(round);
    other_bell.Ring();
    while (answered.load() < round) network.Turn(world->sockets().Now() + kHour, log);
  }
  EXPECT_EQ(answered.load(), kRounds);
}

TEST(SystemSockets, ASignalBeforeTheWaitEndsIt) {
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  const Interrupt interrupt(&network.bell());
  NetworkLog log;
  ASSERT_EQ(::raise(SIGTERM), 0);
  network.Turn(world->sockets().Now() + kHour, log);
  EXPECT_TRUE(interrupt.raised());
}

TEST(SystemSockets, ASignalEndsTheWait) {
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  const Interrupt interrupt(&network.bell());
  NetworkLog log;
  const Thread other("other", [] { EXPECT_EQ(::kill(::getpid(), SIGINT), 0); });
  while (!interrupt.raised()) network.Turn(world->sockets().Now() + kHour, log);
}

class UnixSocketTest : public testing::Test {
 protected:
  UnixSocketTest() {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
    path_ = folder_ + "/socket";
  }
  ~UnixSocketTest() override {
    ::unlink(path_.c_str());
    EXPECT_EQ(::rmdir(folder_.c_str()), 0);
  }

  MonotonicClock clock_;
  const std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(clock_).value();
  std::string folder_ = "/tmp/sockets_XXXXXX";
  std::string path_;
};

TEST_F(UnixSocketTest, OnlyItsUserMayConnect) {
  const mode_t before = ::umask(0);
  const int socket = sockets_->Listen("unix:" + path_).value().socket;
  ::umask(before);
  struct stat info = {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_TRUE(S_ISSOCK(info.st_mode));
  EXPECT_EQ(info.st_mode & 07777, 0600);
  sockets_->Close(socket);
  EXPECT_NE(::stat(path_.c_str(), &info), 0) << "the file outlives its listener";
}

TEST_F(UnixSocketTest, AStaleFileIsReplaced) {
  const int socket = sockets_->Listen("unix:" + path_).value().socket;
  ::close(socket);  // As by a process that was killed.
  EXPECT_TRUE(sockets_->Listen("unix:" + path_).ok());
}

TEST_F(UnixSocketTest, ItsPathMayBeLong) {
  const std::string folder = folder_ + "/" + std::string(200, 'f');
  ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  const std::string path = folder + "/socket";
  const int socket = sockets_->Listen("unix:" + path).value().socket;
  EXPECT_FALSE(sockets_->Listen("unix:" + path).ok()) << "a listener that lives was replaced";
  ::close(socket);  // As by a process that was killed.
  const int newer = sockets_->Listen("unix:" + path).value().socket;
  EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  sockets_->Close(newer);
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  EXPECT_EQ(::rmdir(folder.c_str()), 0);
}

TEST_F(UnixSocketTest, AnotherFileStays) {
  const int file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  ASSERT_GE(file, 0);
  ::close(file);
  const absl::Status status = sockets_->Listen("unix:" + path_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_EQ(::access(path_.c_str(), F_OK), 0);
}

TEST_F(UnixSocketTest, TheFileOfANewerListenerStays) {
  const int socket = sockets_->Listen("unix:" + path_).value().socket;
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  const int newer = sockets_->Listen("unix:" + path_).value().socket;
  sockets_->Close(socket);
  EXPECT_EQ(::access(path_.c_str(), F_OK), 0);
  sockets_->Close(newer);
  EXPECT_NE(::access(path_.c_str(), F_OK), 0);
}

TEST(SystemSockets, ErrorsNameTheAddress) {
  MonotonicClock clock;
  const auto sockets = SystemSockets::Make(clock).value();
  EXPECT_EQ(sockets->Listen("192.0.2.1:80").status().message(),
            "cannot listen on 192.0.2.1:80: Cannot assign requested address");
  EXPECT_EQ(sockets->Listen("unix:/no/such/folder/socket").status().message(),
            "cannot listen on unix:/no/such/folder/socket: No such file or directory");
}

TEST(SystemSockets, ListensOnIp6) {
  MonotonicClock clock;
  const auto sockets = SystemSockets::Make(clock).value();
  const auto bound = sockets->Listen("[::1]:0");
  // A machine need not have IPv6.
  const std::string shown = bound.ok() ? bound->address : std::string(bound.status().message());
  EXPECT_TRUE(absl::StrContains(shown, "[::1]:")) << shown;
}

TEST(SystemSockets, NoDescriptorReachesAChild) {
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  const Network::Listener listener = network.Listen(world->address()).value();
  NetworkLog log;
  const std::unique_ptr<Peer> peer = world->Connect(listener.address);
  while (log.accepted().empty()) network.Turn(world->sockets().Now() + kMillisecond, log);
  for (int descriptor = 3; descriptor <= LastDescriptor(); ++descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFD);
    struct stat info = {};
    if (flags < 0 || ::fstat(descriptor, &info) != 0 || !S_ISSOCK(info.st_mode)) continue;
    EXPECT_TRUE(flags & FD_CLOEXEC) << descriptor;
  }
}

// A connection that holds much output ends or waits in the program: the system's memory is not
// filled by peers that do not read.
TEST(SystemSockets, APeerThatDoesNotReadHoldsFewBytesOfTheSystem) {
  constexpr size_t kOutput = size_t{3} << 20;
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  const Network::Listener listener = network.Listen(world->address()).value();
  NetworkLog log;
  const std::unique_ptr<Peer> peer = world->Connect(listener.address);
  while (log.accepted().empty()) network.Turn(world->sockets().Now() + kMillisecond, log);
  const ConnectionId id = log.accepted()[0];
  for (size_t sent = 0; sent < kOutput; sent += 512) {
    network.Send(id, engine::AsBytes(std::string(512, 'x')));
    network.Flush();
  }
  // The peer's own buffer is of the system, too.
  EXPECT_LT(kOutput - network.UnsentBytes(id), size_t{512} << 10);
  // Once it reads, all arrives.
  size_t received = 0;
  while (received < kOutput) {
    received += peer->Receive().size();
    network.Turn(world->sockets().Now() + kMillisecond, log);
  }
  EXPECT_EQ(network.UnsentBytes(id), 0u);
}

TEST(SystemSockets, AnIdleConnectionHoldsFewBytes) {
  constexpr int kCount = 2'000;
  const std::unique_ptr<NetworkWorld> world = MakeTcpWorld();
  Network network(world->sockets());
  const Network::Listener listener = network.Listen(world->address()).value();
  class : public NetworkHandler {
   public:
    void OnAccepted(ConnectionId id, ListenerId, absl::string_view) override { last = id; }
    void OnBytes(ConnectionId, engine::Bytes) override {}
    void OnInputEnded(ConnectionId) override {}
    void OnDrained(ConnectionId) override {}
    void OnClosed(ConnectionId, CloseReason) override {}
    ConnectionId last;
  } handler;
  std::vector<std::unique_ptr<Peer>> peers;
  peers.reserve(kCount);
  const size_t before = mallinfo2().uordblks;
  for (int i = 1; i <= kCount; ++i) {
    peers.push_back(world->Connect(listener.address));
    while (network.connection_count() < static_cast<uint32_t>(i)) {
      network.Turn(world->sockets().Now() + kMillisecond, handler);
    }
    // Each has had output.
    network.Send(handler.last, engine::AsBytes(std::string(200, 'x')));
    network.Flush();
  }
  const size_t bytes = mallinfo2().uordblks - before;
  constexpr size_t kPeerBytes = 32;
  EXPECT_LE(bytes / kCount, 150 + kPeerBytes);
}

}  // namespace
}  // namespace tools
