// What the network itself takes of a request and its reply: lines echoed over TCP on this machine,
// by one thread that is also the client. Items are lines.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "tools/os/network/network.h"
#include "tools/os/network/testing/network_world.h"

namespace tools {
namespace {

class Echo final : public NetworkHandler {
 public:
  explicit Echo(Network& network) : network_(network) {}

  void OnAccepted(ConnectionId, ListenerId, absl::string_view) override {}
  void OnBytes(ConnectionId id, engine::Bytes bytes) override { network_.Send(id, bytes); }
  void OnInputEnded(ConnectionId) override {}
  void OnDrained(ConnectionId) override {}
  void OnClosed(ConnectionId, CloseReason) override {}

 private:
  Network& network_;
};

// Each connection sends a batch of lines, then receives their echo.
void BM_Echo(benchmark::State& state, std::unique_ptr<NetworkWorld> (*make_world)()) {
  const auto connections = static_cast<size_t>(state.range(0));
  const auto lines = static_cast<size_t>(state.range(1));
  const std::unique_ptr<NetworkWorld> world = make_world();
  Network network(world->sockets());
  Echo echo(network);
  const auto turn = [&] { network.Turn(world->sockets().Now() + 1'000'000, echo); };
  const Network::Listener listener = network.Listen(world->address()).value();
  std::vector<std::unique_ptr<Peer>> peers;
  for (size_t i = 1; i <= connections; ++i) {
    peers.push_back(world->Connect(listener.address));
    while (network.connection_count() < i) turn();
  }
  std::string batch;
  for (size_t i = 0; i < lines; ++i) batch += "BUY 1234567 10 @ 0.4500 account=17 tif=gtc\n";
  for (const auto _ : state) {
    for (const std::unique_ptr<Peer>& peer : peers) CHECK_EQ(peer->Send(batch), batch.size());
    turn();
    network.Flush();
    for (const std::unique_ptr<Peer>& peer : peers) {
      size_t received = peer->Receive(batch.size()).size();
      while (received < batch.size()) {
        turn();
        network.Flush();
        received += peer->Receive(batch.size() - received).size();
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(connections * lines));
}

BENCHMARK_CAPTURE(BM_Echo, Tcp, MakeTcpWorld)
    ->ArgNames({"connections", "lines"})
    ->ArgsProduct({{1, 100}, {1, 100}});
BENCHMARK_CAPTURE(BM_Echo, Unix, MakeUnixWorld)
    ->ArgNames({"connections", "lines"})
    ->ArgsProduct({{1, 100}, {1, 100}});

}  // namespace
}  // namespace tools
