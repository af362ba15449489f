#include "tools/os/network/stream_client.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/network/await_readable.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"

namespace tools {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// Sends back what it gets; 'Q' ends the connection.
class Echo final : public NetworkHandler {
 public:
  explicit Echo(Network& network) : network_(network) {}

  void OnAccepted(ConnectionId, ListenerId, absl::string_view) override {}
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override {
    network_.Send(connection, bytes);
    if (engine::AsText(bytes).find('Q') != absl::string_view::npos) network_.Close(connection);
  }
  void OnInputEnded(ConnectionId connection) override { network_.Close(connection); }
  void OnDrained(ConnectionId) override {}
  void OnClosed(ConnectionId, CloseReason) override {}

 private:
  Network& network_;
};

class StreamClientTest : public ::testing::Test {
 protected:
  // What the client receives until it has `size` bytes or an error.
  absl::StatusOr<std::string> Read(StreamClient& client, size_t size) {
    std::string text;
    while (text.size() < size) {
      network_.Turn(network_.Now() + kMillisecond, echo_);
      const auto bytes = client.Receive();
      if (!bytes.ok()) return bytes.status();
      absl::StrAppend(&text, engine::AsText(*bytes));
      AwaitReadable(std::array<int, 1>{client.descriptor()}, kMillisecond);
    }
    return text;
  }

  MonotonicClock clock_;
  std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(clock_).value();
  Network network_{*sockets_};
  Echo echo_{network_};
};

TEST_F(StreamClientTest, SendsWhatWasGivenBeforeTheConnectionExisted) {
  const auto listener = network_.Listen("127.0.0.1:0").value();
  const auto client = StreamClient::Connect(*Endpoint::Parse(listener.address)).value();
  client->Send("hello ");
  client->Send("there");
  EXPECT_EQ(Read(*client, 11).value(), "hello there");
  const std::string large(5 << 20, 'x');
  client->Send(large);
  EXPECT_EQ(Read(*client, large.size()).value(), large);
  client->Send("Q");
  EXPECT_EQ(Read(*client, 1).value(), "Q");
  const auto end = Read(*client, 1);
  EXPECT_EQ(end.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(end.status().message(), listener.address + ": the connection ended");
}

TEST_F(StreamClientTest, ARefusalIsSeenByTheReader) {
  const auto listener = network_.Listen("127.0.0.1:0").value();
  network_.StopListening(listener.id);
  const auto client = StreamClient::Connect(*Endpoint::Parse(listener.address)).value();
  client->Send("hello");
  EXPECT_EQ(Read(*client, 1).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(StreamClientTest, AUnixSocketIsNoTcp) {
  EXPECT_EQ(StreamClient::Connect(*Endpoint::Parse("unix:/tmp/x")).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tools
