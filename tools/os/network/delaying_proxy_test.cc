// A link delays, reorders nothing and repeats its times from a seed; a proxy is such a link.

#include "tools/os/network/testing/delaying_proxy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/network/testing/link_model.h"
#include "tools/os/network/testing/network_world.h"

namespace tools {
namespace {

constexpr int64_t kMilli = 1'000'000;

TEST(LinkModel, DelaysWithinItsJitterAndKeepsTheOrder) {
  LinkModel link({.delay_nanos = 1'000, .jitter_nanos = 500}, 1);
  int64_t last = 0;
  int64_t most = 0;
  for (int64_t now = 0; now < 100'000; now += 10) {
    const int64_t arrival = link.ArrivalOf(now);
    EXPECT_GE(arrival, now + 1'000);
    EXPECT_LE(arrival, now + 1'500);
    EXPECT_GE(arrival, last);
    last = arrival;
    most = std::max(most, arrival - now);
  }
  EXPECT_GT(most, 1'450) << "the jitter is used";
}

TEST(LinkModel, ALossIsSentAgainAndHoldsUpWhatFollows) {
  LinkModel link({.delay_nanos = 10, .loss_per_million = 100'000, .retransmit_nanos = 1'000'000},
                 1);
  int losses = 0;
  // Far enough from each other that none holds up the next.
  for (int64_t i = 0; i < 10'000; ++i) {
    const int64_t now = i * 100'000'000;
    losses += link.ArrivalOf(now) > now + 10 ? 1 : 0;
  }
  EXPECT_NEAR(losses, 1'000, 150);
  LinkModel always({.delay_nanos = 10, .loss_per_million = 1'000'000, .retransmit_nanos = 100}, 1);
  const int64_t late = always.ArrivalOf(0);
  EXPECT_GT(late, 100);
  EXPECT_GE(always.ArrivalOf(1), late);
}

TEST(LinkModel, TheSeedGivesTheTimes) {
  const LinkTerms terms = {.delay_nanos = 10, .jitter_nanos = 1'000, .loss_per_million = 10'000};
  const auto times = [&](uint64_t seed) {
    LinkModel link(terms, seed);
    std::vector<int64_t> all;
    for (int64_t i = 0; i < 100; ++i) all.push_back(link.ArrivalOf(i * 10'000));
    return all;
  };
  EXPECT_EQ(times(1), times(1));
  EXPECT_NE(times(1), times(2));
}

// A server that echoes, before it a proxy, and a client.
class DelayingProxyTest : public testing::Test, private NetworkHandler {
 protected:
  void Start(const LinkTerms& terms) {
    server_ = network_.Listen("127.0.0.1:0").value().address;
    proxy_ = DelayingProxy::Start(server_, terms, 1).value();
  }
  std::unique_ptr<Peer> Connect() { return world_->Connect(proxy_->address()); }
  void Turn() { network_.Turn(clock_.Now() + kMilli, *this); }
  // Sends all, and returns what comes back, until it is as long or the connection ends.
  std::string Echo(const std::string& sent, Peer& peer) {
    std::string received;
    size_t size = 0;
    const Stopwatch stopwatch;
    while (received.size() < sent.size() && !peer.has_ended() && stopwatch.Seconds() < 60) {
      size += peer.Send(absl::string_view(sent).substr(size));
      Turn();
      received += peer.Receive();
    }
    return received;
  }

  MonotonicClock clock_;
  const std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(clock_).value();
  Network network_{*sockets_};
  const std::unique_ptr<NetworkWorld> world_ = MakeTcpWorld();
  std::string server_;
  std::unique_ptr<DelayingProxy> proxy_;
  ConnectionId last_;
  bool has_closed_ = false;

 private:
  void OnAccepted(ConnectionId connection, ListenerId, absl::string_view) override {
    last_ = connection;
  }
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override {
    network_.Send(connection, bytes);
  }
  void OnInputEnded(ConnectionId connection) override { network_.Close(connection); }
  void OnDrained(ConnectionId) override {}
  void OnClosed(ConnectionId, CloseReason) override { has_closed_ = true; }
};

TEST_F(DelayingProxyTest, BytesTakeBothWaysAndStayTheSame) {
  Start({.delay_nanos = 20 * kMilli, .jitter_nanos = kMilli});
  const std::unique_ptr<Peer> peer = Connect();
  const Stopwatch stopwatch;
  EXPECT_EQ(Echo("tick", *peer), "tick");
  EXPECT_GE(stopwatch.Seconds(), 0.040);
}

TEST_F(DelayingProxyTest, MoreThanItHoldsArrivesWhole) {
  Start({.jitter_nanos = 10'000, .loss_per_million = 1'000, .retransmit_nanos = kMilli});
  std::string large;
  for (int i = 0; large.size() < (size_t{3} << 20); ++i) large += std::to_string(i);
  const std::unique_ptr<Peer> one = Connect();
  const std::unique_ptr<Peer> other = Connect();
  EXPECT_TRUE(Echo(large, *one) == large);
  EXPECT_EQ(Echo("other", *other), "other");
}

TEST_F(DelayingProxyTest, AnEndOfEitherSideEndsTheOther) {
  Start({.delay_nanos = kMilli});
  const Stopwatch stopwatch;
  std::unique_ptr<Peer> peer = Connect();
  EXPECT_EQ(Echo("a", *peer), "a");
  peer.reset();
  while (!has_closed_ && stopwatch.Seconds() < 60) Turn();
  EXPECT_TRUE(has_closed_);
  peer = Connect();
  EXPECT_EQ(Echo("b", *peer), "b");
  network_.Abort(last_);
  while (!peer->has_ended() && stopwatch.Seconds() < 60) {
    Turn();
    peer->Receive();
  }
  EXPECT_TRUE(peer->has_ended());
}

TEST_F(DelayingProxyTest, WithoutAServerConnectionsEnd) {
  Start({});
  network_.StopListening({.index = 0});
  const std::unique_ptr<Peer> peer = Connect();
  const Stopwatch stopwatch;
  while (!peer->has_ended() && stopwatch.Seconds() < 60) peer->Receive();
  EXPECT_TRUE(peer->has_ended());
}

TEST_F(DelayingProxyTest, OnlyNumbersAreAddresses) {
  for (const char* text : {"", "127.0.0.1", "localhost:80", "127.0.0.1:", "127.0.0.1:65536",
                           "1.2.3:80", "[::1]:80", "127.0.0.1:8o"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(DelayingProxy::Start(text, {}, 1).status())) << text;
  }
}

}  // namespace
}  // namespace tools
