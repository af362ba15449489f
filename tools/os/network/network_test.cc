// The network keeps its promises over each kind of sockets.

#include "tools/os/network/network.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "gtest/gtest.h"
#include "tools/os/network/testing/network_log.h"
#include "tools/os/network/testing/network_world.h"

namespace tools {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000 * kMillisecond;

struct WorldName {
  std::string name;
  std::function<std::unique_ptr<NetworkWorld>()> make;

  friend void PrintTo(const WorldName& world, std::ostream* out) { *out << world.name; }
};

std::vector<WorldName> Worlds() {
  std::vector<WorldName> worlds = {{"Tcp", MakeTcpWorld}, {"Unix", MakeUnixWorld}};
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    worlds.push_back({absl::StrCat("Memory", seed), [seed] { return MakeMemoryWorld(seed); }});
  }
  return worlds;
}

class NetworkTest : public testing::TestWithParam<WorldName> {
 protected:
  NetworkTest() : world_(GetParam().make()) {}

  void Start(const NetworkOptions& options = {}) {
    network_.emplace(world_->sockets(), options);
    listener_ = network_->Listen(world_->address()).value();
  }

  // Fails the test if `is_done` does not become true.
  void TurnUntil(const std::function<bool()>& is_done) {
    for (int turn = 0; turn < 20'000; ++turn) {
      if (is_done()) return;
      network_->Turn(world_->sockets().Now() + kMillisecond, log_);
    }
    FAIL() << "did not happen";
  }

  void Turns(int count) {
    for (int turn = 0; turn < count; ++turn) {
      network_->Turn(world_->sockets().Now() + kMillisecond, log_);
    }
  }

  std::unique_ptr<Peer> Connect() { return world_->Connect(listener_.address); }

  // Both ends of a connection.
  struct Session {
    std::unique_ptr<Peer> peer;
    ConnectionId id;
  };

  // Connects, and has it accepted.
  Session Accept() {
    const size_t count = log_.accepted().size();
    std::unique_ptr<Peer> peer = Connect();
    TurnUntil([&] { return log_.accepted().size() > count; });
    return {.peer = std::move(peer), .id = log_.accepted().back()};
  }

  void Echo() {
    log_.on_bytes = [this](ConnectionId id, engine::Bytes bytes) { network_->Send(id, bytes); };
  }

  void SendAll(Peer& peer, absl::string_view bytes) {
    TurnUntil([&] {
      bytes.remove_prefix(peer.Send(bytes));
      return bytes.empty();
    });
  }

  // Receives until there are `count` bytes.
  std::string Receive(Peer& peer, size_t count) {
    std::string received;
    TurnUntil([&] {
      received += peer.Receive();
      return received.size() >= count;
    });
    return received;
  }

  bool IsClosed(ConnectionId id) const { return log_[id].closed.has_value(); }

  const std::unique_ptr<NetworkWorld> world_;
  NetworkLog log_;
  std::optional<Network> network_;
  Network::Listener listener_;
};

INSTANTIATE_TEST_SUITE_P(Worlds, NetworkTest, testing::ValuesIn(Worlds()),
                         [](const auto& info) { return info.param.name; });

std::string Numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, i, "\n");
  return text;
}

TEST_P(NetworkTest, EveryByteArrivesOnceAndInOrder) {
  Start();
  Echo();
  const Session client = Accept();
  const std::string text = Numbers(100'000);
  absl::string_view rest = text;
  std::string received;
  TurnUntil([&] {
    rest.remove_prefix(client.peer->Send(rest));
    received += client.peer->Receive(10'000);
    return received.size() >= text.size();
  });
  EXPECT_EQ(received, text);
  EXPECT_EQ(log_[client.id].bytes, text);
  EXPECT_FALSE(log_[client.id].peer.empty());
}

TEST_P(NetworkTest, AllRepliesOfATurnLeaveTogether) {
  Start();
  const Session client = Accept();
  network_->Send(client.id, engine::AsBytes("one "));
  network_->Send(client.id, engine::AsBytes("two"));
  EXPECT_EQ(network_->UnsentBytes(client.id), 7);
  EXPECT_EQ(client.peer->Receive(), "");
  network_->Flush();
  EXPECT_EQ(network_->UnsentBytes(client.id), 0);
  EXPECT_EQ(Receive(*client.peer, 7), "one two");
}

TEST_P(NetworkTest, AHalfCloseEndsInputAndNotOutput) {
  Start();
  const Session client = Accept();
  SendAll(*client.peer, "last request");
  client.peer->EndOutput();
  TurnUntil([&] { return log_[client.id].has_input_ended; });
  EXPECT_EQ(log_[client.id].bytes, "last request");
  network_->Send(client.id, engine::AsBytes("reply"));
  EXPECT_EQ(Receive(*client.peer, 5), "reply");
  Turns(5);
  network_->Send(client.id, engine::AsBytes("more"));
  EXPECT_EQ(Receive(*client.peer, 4), "more");
  EXPECT_FALSE(IsClosed(client.id));
  network_->Close(client.id);
  TurnUntil([&] { return IsClosed(client.id); });
  EXPECT_EQ(log_[client.id].closed, CloseReason::kClosed);
}

TEST_P(NetworkTest, CloseSendsAllOutputFirst) {
  Start();
  const Session client = Accept();
  const std::string text = Numbers(100'000);
  network_->Send(client.id, engine::AsBytes(text));
  network_->Close(client.id);
  network_->Send(client.id, engine::AsBytes("too late"));
  // Input that no call reads would make the system discard output.
  SendAll(*client.peer, "a request that is too late");
  std::string received;
  TurnUntil([&] {
    received += client.peer->Receive(30'000);
    return client.peer->has_ended();
  });
  EXPECT_EQ(received, text);
  EXPECT_FALSE(client.peer->is_reset());
  client.peer->Close();
  TurnUntil([&] { return IsClosed(client.id); });
  EXPECT_EQ(log_[client.id].closed, CloseReason::kClosed);
  EXPECT_EQ(log_[client.id].bytes, "");
}

TEST_P(NetworkTest, CloseEndsInTimeEvenIfThePeerStays) {
  Start({.close_nanos = 50 * kMillisecond});
  const Session client = Accept();
  const Session slow = Accept();
  network_->Send(slow.id, engine::AsBytes(std::string(3 << 20, 'x')));
  network_->Flush();
  while (network_->UnsentBytes(slow.id) == 0) {  // Some systems hold more than others.
    network_->Send(slow.id, engine::AsBytes(std::string(3 << 20, 'x')));
    network_->Flush();
  }
  const int64_t start = world_->sockets().Now().nanos();
  network_->Close(client.id);
  network_->Close(slow.id);
  TurnUntil([&] { return IsClosed(client.id) && IsClosed(slow.id); });
  EXPECT_EQ(log_[client.id].closed, CloseReason::kClosed);
  EXPECT_EQ(log_[slow.id].closed, CloseReason::kUnflushed);
  EXPECT_GE(world_->sockets().Now().nanos() - start, 50 * kMillisecond);
}

TEST_P(NetworkTest, AbortEndsImmediatelyAndIsReportedOnce) {
  Start();
  const Session client = Accept();
  SendAll(*client.peer, "not read");
  network_->Send(client.id, engine::AsBytes("lost"));
  network_->Abort(client.id);
  network_->Abort(client.id);
  EXPECT_EQ(network_->UnsentBytes(client.id), 0);
  EXPECT_FALSE(IsClosed(client.id)) << "reports are made by Turn() only";
  // No wait: there is something to report.
  network_->Turn(world_->sockets().Now() + 3600 * kSecond, log_);
  EXPECT_EQ(log_[client.id].closed, CloseReason::kAborted);
  TurnUntil([&] {
    client.peer->Receive();
    return client.peer->is_reset() || client.peer->has_ended();
  });
  EXPECT_EQ(log_.closed_count(), 1);
  EXPECT_EQ(network_->connection_count(), 0);
}

// Unix sockets end, but know no reset.
class NetworkResetTest : public NetworkTest {};

std::vector<WorldName> WorldsWithResets() {
  std::vector<WorldName> worlds = Worlds();
  std::erase_if(worlds, [](const WorldName& world) { return world.name == "Unix"; });
  return worlds;
}

INSTANTIATE_TEST_SUITE_P(Worlds, NetworkResetTest, testing::ValuesIn(WorldsWithResets()),
                         [](const auto& info) { return info.param.name; });

TEST_P(NetworkResetTest, AResetIsReported) {
  Start();
  const Session client = Accept();
  const Session paused = Accept();
  const Session ended = Accept();
  network_->PauseReading(paused.id);
  ended.peer->EndOutput();
  TurnUntil([&] { return log_[ended.id].has_input_ended; });
  client.peer->Reset();
  paused.peer->Reset();
  ended.peer->Reset();
  TurnUntil([&] { return log_.closed_count() == 3; });
  for (const ConnectionId each : {client.id, paused.id, ended.id}) {
    EXPECT_EQ(log_[each].closed, CloseReason::kReset);
  }
}

TEST_P(NetworkTest, OutputToAPeerThatIsGoneIsAReset) {
  Start();
  const Session client = Accept();
  client.peer->Close();
  TurnUntil([&] { return log_[client.id].has_input_ended; });
  TurnUntil([&] {
    network_->Send(client.id, engine::AsBytes("hello?"));
    return IsClosed(client.id);
  });
  EXPECT_EQ(log_[client.id].closed, CloseReason::kReset);
}

TEST_P(NetworkTest, APeerThatNeverReadsIsClosedAtTheLimit) {
  constexpr size_t kLimit = 1 << 20;
  Start({.output_bytes_max = kLimit});
  const Session silent = Accept();
  const Session other = Accept();
  Echo();
  const std::string line(50'000, 'x');
  size_t unsent_max = 0;
  TurnUntil([&] {
    network_->Send(silent.id, engine::AsBytes(line));
    unsent_max = std::max(unsent_max, network_->UnsentBytes(silent.id));
    return IsClosed(silent.id);
  });
  EXPECT_EQ(log_[silent.id].closed, CloseReason::kOutputFull);
  EXPECT_LE(unsent_max, kLimit);
  EXPECT_GT(unsent_max, kLimit - 2 * line.size());
  SendAll(*other.peer, "still there");
  EXPECT_EQ(Receive(*other.peer, 11), "still there");
}

TEST_P(NetworkTest, ABurstBeyondTheLimitDoesNotEndAPeerThatReads) {
  Start({.output_bytes_max = 10'000});
  const Session client = Accept();
  for (int i = 0; i < 30; ++i) network_->Send(client.id, engine::AsBytes(std::string(1'000, 'x')));
  EXPECT_EQ(Receive(*client.peer, 30'000).size(), 30'000);
  EXPECT_FALSE(IsClosed(client.id));
}

TEST_P(NetworkTest, DrainedIsReportedOnceAfterTheMark) {
  constexpr size_t kMark = 100'000;
  Start({.output_bytes_max = 64 << 20, .output_mark_bytes = kMark});
  const Session client = Accept();
  network_->Send(client.id, engine::AsBytes(std::string(kMark, 'x')));
  EXPECT_EQ(Receive(*client.peer, kMark).size(), kMark);
  Turns(3);
  EXPECT_EQ(log_[client.id].drained_count, 0) << "the mark was not exceeded";
  size_t sent = 0;
  while (network_->UnsentBytes(client.id) <= kMark) {
    network_->Send(client.id, engine::AsBytes(std::string(kMark, 'x')));
    network_->Flush();
    sent += kMark;
  }
  EXPECT_EQ(log_[client.id].drained_count, 0);
  size_t received = 0;
  TurnUntil([&] {
    received += client.peer->Receive(50'000).size();
    return received == sent;
  });
  Turns(3);
  EXPECT_EQ(log_[client.id].drained_count, 1);
}

TEST_P(NetworkTest, AFloodLeavesTheOthersTheirTurns) {
  Start({.read_bytes_max = 1'000});
  const Session flood = Accept();
  const Session calm = Accept();
  const std::string bytes(60'000, 'f');
  flood.peer->Send(bytes);
  TurnUntil([&] { return log_[flood.id].read_count > 0; });
  EXPECT_LE(log_[flood.id].bytes.size(), 1'000);
  ASSERT_EQ(calm.peer->Send("request"), 7);
  int turns = 0;
  while (log_[calm.id].bytes.size() < 7 && turns < 100) {
    flood.peer->Send(bytes);
    const size_t before = log_[flood.id].bytes.size();
    Turns(1);
    EXPECT_LE(log_[flood.id].bytes.size() - before, 1'000);
    ++turns;
  }
  // Memory cuts seven bytes into seven reads at most, and reports an event a turn late.
  EXPECT_LE(turns, 20);
}

TEST_P(NetworkTest, ATurnReadsNoMoreThanItsShare) {
  Start({.turn_reads_max = 3});
  std::vector<Session> clients;
  for (int i = 0; i < 10; ++i) clients.push_back(Accept());
  for (const Session& client : clients) ASSERT_EQ(client.peer->Send("x"), 1);
  const auto read_count = [&] {
    return std::ranges::count_if(
        clients, [&](const Session& client) { return log_[client.id].read_count > 0; });
  };
  while (read_count() < 10) {
    const auto before = read_count();
    Turns(1);
    EXPECT_LE(read_count() - before, 3);
  }
}

TEST_P(NetworkTest, ATurnReadsNoMoreThanItsBytes) {
  Start({.read_bytes_max = 1'000, .turn_bytes_max = 1'500});
  std::vector<Session> clients;
  for (int i = 0; i < 10; ++i) clients.push_back(Accept());
  const auto read = [&] {
    size_t bytes = 0;
    for (const Session& client : clients) bytes += log_[client.id].bytes.size();
    return bytes;
  };
  for (const Session& client : clients) SendAll(*client.peer, std::string(5'000, 'f'));
  while (read() < 50'000) {
    const size_t before = read();
    Turns(1);
    EXPECT_LE(read() - before, 2'500);
  }
  for (const Session& client : clients) EXPECT_EQ(log_[client.id].bytes.size(), 5'000);
}

TEST_P(NetworkTest, APausedConnectionIsNotRead) {
  Start();
  const Session client = Accept();
  SendAll(*client.peer, "first");
  TurnUntil([&] { return log_[client.id].bytes == "first"; });
  network_->PauseReading(client.id);
  SendAll(*client.peer, " second");
  client.peer->EndOutput();
  Turns(10);
  EXPECT_EQ(log_[client.id].bytes, "first");
  EXPECT_FALSE(log_[client.id].has_input_ended);
  network_->Send(client.id, engine::AsBytes("output flows"));
  EXPECT_EQ(Receive(*client.peer, 12), "output flows");
  network_->ResumeReading(client.id);
  TurnUntil([&] { return log_[client.id].has_input_ended; });
  EXPECT_EQ(log_[client.id].bytes, "first second");
}

TEST_P(NetworkTest, APauseIsTheWaitOfThePeer) {
  Start();
  const Session client = Accept();
  network_->PauseReading(client.id);
  const std::string bytes(60'000, 'x');
  size_t sent = 0;
  for (int idle = 0; idle < 20;) {
    const size_t taken = client.peer->Send(bytes);
    sent += taken;
    idle = taken == 0 ? idle + 1 : 0;
    ASSERT_LT(sent, 100 << 20) << "the peer never had to wait";
    Turns(1);
  }
  network_->ResumeReading(client.id);
  TurnUntil([&] { return log_[client.id].bytes.size() == sent; });
}

TEST_P(NetworkTest, AHandlerMayEndAnyConnection) {
  Start();
  const Session first = Accept();
  const Session second = Accept();
  const auto end_both = [&](ConnectionId) {
    network_->Abort(first.id);
    network_->Close(second.id);
  };
  log_.on_bytes = [&](ConnectionId id, engine::Bytes) { end_both(id); };
  log_.on_closed = end_both;
  first.peer->Send("x");
  second.peer->Send("x");
  TurnUntil([&] { return log_.closed_count() >= 1; });
  second.peer->Close();
  TurnUntil([&] { return log_.closed_count() == 2; });
  EXPECT_EQ(log_[first.id].closed, CloseReason::kAborted);
}

TEST_P(NetworkTest, AStaleIdentityIsHarmless) {
  Start();
  const Session old = Accept();
  network_->Abort(old.id);
  TurnUntil([&] { return IsClosed(old.id); });
  const Session client = Accept();
  EXPECT_EQ(client.id.slot, old.id.slot);
  EXPECT_NE(client.id, old.id);
  network_->Send(old.id, engine::AsBytes("for another"));
  network_->PauseReading(old.id);
  network_->Close(old.id);
  network_->Abort(old.id);
  network_->Abort({});
  network_->Abort({.slot = 1'000, .generation = 1});
  EXPECT_EQ(network_->UnsentBytes(old.id), 0);
  Echo();
  SendAll(*client.peer, "alive");
  EXPECT_EQ(Receive(*client.peer, 5), "alive");
  EXPECT_EQ(network_->connection_count(), 1);
}

TEST_P(NetworkTest, FurtherConnectionsAreRefused) {
  Start({.connections_max = 2});
  const Session first = Accept();
  const Session second = Accept();
  const std::unique_ptr<Peer> third = Connect();
  TurnUntil([&] {
    third->Receive();
    return third->has_ended();
  });
  EXPECT_EQ(network_->counts().refused, 1);
  EXPECT_EQ(log_.accepted().size(), 2);
  network_->Abort(first.id);
  TurnUntil([&] { return log_.closed_count() == 1; });
  const Session fourth = Accept();
  EXPECT_EQ(network_->counts().accepted, 3);
}

TEST_P(NetworkTest, AListenerWhosePlacesAreTakenLeavesAnotherItsOwn) {
  Start({.connections_max = 1});
  const Session first = Accept();
  listener_ = network_->Listen("127.0.0.1:0").value();
  const Session other = Accept();
  const std::unique_ptr<Peer> third = Connect();
  TurnUntil([&] {
    third->Receive();
    return third->has_ended();
  });
  EXPECT_EQ(network_->connection_count(), 2);
  network_->Abort(other.id);
  TurnUntil([&] { return log_.closed_count() == 1; });
  Accept();
  EXPECT_EQ(network_->counts().refused, 1);
}

TEST_P(NetworkTest, AcceptingLeavesTheOthersTheirTurns) {
  Start({.accepts_max = 3});
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 10; ++i) peers.push_back(Connect());
  size_t before = 0;
  TurnUntil([&] {
    EXPECT_LE(log_.accepted().size(), before + 3);
    before = log_.accepted().size();
    return before == 10;
  });
}

TEST_P(NetworkTest, AListenerThatStoppedRefuses) {
  Start();
  const Session client = Accept();
  Echo();
  network_->StopListening(listener_.id);
  network_->StopListening(listener_.id);
  SendAll(*client.peer, "still served");
  EXPECT_EQ(Receive(*client.peer, 12), "still served");
  // Its address is free again.
  const Network::Listener next = network_->Listen(listener_.address).value();
  EXPECT_EQ(next.address, listener_.address);
  EXPECT_NE(next.id, listener_.id);
  const Session later = Accept();
  EXPECT_EQ(log_[later.id].listener, next.id);
}

TEST_P(NetworkTest, AnAddressInUseIsAnError) {
  Start();
  const auto second = network_->Listen(listener_.address);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition) << second.status();
  EXPECT_NE(second.status().message().find(listener_.address), absl::string_view::npos);
  EXPECT_EQ(network_->Listen("somewhere").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_P(NetworkTest, ATurnEndsAtItsDeadline) {
  Start();
  Turns(3);  // A new listener may be an event.
  const engine::SteadyTime deadline = world_->sockets().Now() + 5 * kMillisecond;
  network_->Turn(deadline, log_);
  EXPECT_GE(world_->sockets().Now(), deadline);
  // A deadline in the past is no wait.
  network_->Turn({}, log_);
}

TEST_P(NetworkTest, ARingBeforeTheWaitIsNotLost) {
  Start();
  Turns(3);
  network_->bell().Ring();
  const engine::SteadyTime deadline = world_->sockets().Now() + 3600 * kSecond;
  network_->Turn(deadline, log_);
  EXPECT_LT(world_->sockets().Now(), deadline);
}

TEST_P(NetworkTest, ConnectionsComeAndGo) {
  Start();
  Echo();
  log_.on_input_ended = [&](ConnectionId id) { network_->Close(id); };
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    const std::unique_ptr<Peer> polite = Connect();
    const std::unique_ptr<Peer> rude = Connect();
    const std::unique_ptr<Peer> silent = Connect();
    polite->Send("hello");
    rude->Send("hello");
    if (round % 2 == 0) Turns(1);
    silent->Close();
    rude->Reset();
    polite->EndOutput();
    if (round % 3 == 0) {
      EXPECT_EQ(Receive(*polite, 5), "hello");
    }
  }
  TurnUntil([&] { return network_->connection_count() == 0; });
  EXPECT_EQ(log_.closed_count(), log_.accepted().size());
  EXPECT_LE(log_.accepted().size(), 3 * kRounds);
  EXPECT_GE(log_.accepted().size(), 2 * kRounds);
}

TEST_P(NetworkTest, TwoThousandConnectionsAreServed) {
  Start();
  Echo();
  constexpr int kCount = 2'000;
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < kCount; ++i) {
    peers.push_back(Connect());
    if (i % 100 == 0) Turns(2);
  }
  TurnUntil([&] { return network_->connection_count() == kCount; });
  for (int i = 0; i < kCount; ++i) peers[i]->Send(absl::StrCat("I am ", 10'000 + i));
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(Receive(*peers[i], 10), absl::StrCat("I am ", 10'000 + i));
  }
}

}  // namespace
}  // namespace tools
