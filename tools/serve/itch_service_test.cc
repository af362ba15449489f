// The publisher of a venue on sockets of this machine.

#include "tools/serve/itch_service.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/mold/packet.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/uuid.h"
#include "tools/os/clocks.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_address.h"
#include "tools/os/network/system_sockets.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::SteadyTime;
using engine::Timestamp;
using journal::AckPolicy;

constexpr int64_t kSecond = 1'000'000'000;

TEST(ItchSessionName, IsTheJournalsUnlessWhatIsPublishedMayBeLost) {
  journal::Uuid uuid;
  uuid.bytes[0] = std::byte{0xab};
  const Timestamp now = Timestamp::Parse("2026-11-28T14:30:00Z").value();
  EXPECT_EQ(ItchSessionName(uuid, AckPolicy::kWritten, now), "ab00000000");
  EXPECT_EQ(ItchSessionName(uuid, AckPolicy::kDisk, now), "ab00000000");
  const std::string none = ItchSessionName(uuid, AckPolicy::kNone, now);
  EXPECT_EQ(none[0], 'N');
  EXPECT_TRUE(engine::IsMoldSession(none)) << none;
  const Timestamp later = Timestamp::FromNanos(now.nanos() + 10'000);
  EXPECT_NE(ItchSessionName(uuid, AckPolicy::kNone, later), none);
  for (const Timestamp edge : {Timestamp::FromNanos(INT64_MIN), Timestamp::Max()}) {
    EXPECT_TRUE(engine::IsMoldSession(ItchSessionName(uuid, AckPolicy::kNone, edge)));
  }
}

TEST(SecondLimit, BoundsEachSecond) {
  SecondLimit limit(2);
  SteadyTime now = SteadyTime::FromNanos(5 * kSecond);
  EXPECT_TRUE(limit.Take(now));
  now = now + kSecond / 2;
  EXPECT_TRUE(limit.Take(now));
  EXPECT_FALSE(limit.Take(now));
  now = now + kSecond / 2;
  EXPECT_TRUE(limit.Take(now));
}

class ItchServiceTest : public ::testing::Test {
 protected:
  ItchServiceTest() {
    for (auto* line : {&line_a_, &line_b_}) {
      *line =
          DatagramReceiver::Open(Endpoint::Parse("127.0.0.1:0").value(), {.buffer_bytes = 4 << 20})
              .value();
      config_.lines.push_back({.address = (*line)->address().ToString()});
    }
    client_ = DatagramReceiver::Open(Endpoint::Parse("127.0.0.1:0").value()).value();
    config_.retransmission = "127.0.0.1:0";
    config_.requests_per_second_max = 3;
  }

  void Start() {
    service_ = std::make_unique<ItchService>(config_, venue_);
    exchange_.ListenWith(&venue_);
    venue_.Connect(exchange_);
    const absl::Status started = service_->Start("TODAY", *network_);
    ASSERT_TRUE(started.ok()) << started;
  }
  void Define(uint32_t id) {
    engine::MarketDefinition definition;
    definition.id = engine::MarketId(id);
    definition.symbol = absl::StrCat("M", id);
    engine::Command define;
    define.kind = engine::CommandKind::kDefineMarket;
    define.market = definition.id;
    ASSERT_TRUE(venue_.Submit(define, engine::EncodeMarketDefinition(definition), {}).ok());
  }
  void Ask(absl::string_view request) {
    const Endpoint server = Endpoint::Parse(service_->retransmission_address()).value();
    ASSERT_TRUE(client_->SendTo(SystemAddress::Of(server), engine::AsBytes(request)));
  }
  static std::string RequestFor(char number) {
    std::string request = "TODAY     ";
    request.append(7, '\0');
    request.push_back(number);
    request.append({'\0', '\1'});
    return request;
  }

  // "sequence xcount" of each packet that has arrived.
  static std::vector<std::string> Received(DatagramReceiver& receiver) {
    std::vector<std::string> packets;
    for (const DatagramReceiver::Datagram& each : receiver.Receive()) {
      const auto packet = engine::ParseMoldPacket(each.payload);
      EXPECT_TRUE(packet.ok()) << packet.status();
      const bool is_end = packet->kind == engine::MoldPacket::Kind::kEndOfSession;
      packets.push_back(absl::StrCat(packet->sequence, is_end ? " end" : " x", packet->count));
    }
    return packets;
  }

  MonotonicClock steady_;
  std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(steady_).value();
  std::unique_ptr<Network> network_ = std::make_unique<Network>(*sockets_);
  std::unique_ptr<DatagramReceiver> line_a_;
  std::unique_ptr<DatagramReceiver> line_b_;
  std::unique_ptr<DatagramReceiver> client_;
  ItchConfig config_;
  engine::ToyExchange exchange_{1'000};
  engine::Venue venue_;
  std::unique_ptr<ItchService> service_;
};

using Packets = std::vector<std::string>;

TEST_F(ItchServiceTest, BothLinesHaveEveryPacket) {
  Start();
  Define(1);
  Define(2);
  exchange_.Release();
  EXPECT_EQ(Received(*line_a_), Packets({"1 x0"}));
  service_->Act(network_->Now());
  EXPECT_EQ(Received(*line_a_), Packets({"1 x7"}));
  EXPECT_EQ(Received(*line_b_), Packets({"1 x0", "1 x7"}));
  service_->Act(network_->Now() + kSecond);
  EXPECT_EQ(Received(*line_a_), Packets({"8 x0"}));
  service_->End(AckPolicy::kWritten);
  EXPECT_EQ(Received(*line_a_), Packets({"8 x0"}));
  service_->End(AckPolicy::kNone);
  EXPECT_EQ(Received(*line_a_), Packets({"8 end0"}));
  EXPECT_EQ(service_->counts().messages, 7u);
  EXPECT_EQ(service_->counts().packets, 10u);
  EXPECT_EQ(service_->counts().dropped, 0u);
}

// More packets than leave together.
TEST_F(ItchServiceTest, APacketForEachMessageLeaves) {
  config_.packet_bytes = engine::kItchPacketBytesMin;
  Start();
  for (uint32_t id = 1; id <= 200; ++id) Define(id);
  exchange_.Release();
  service_->Act(network_->Now());
  uint64_t next = 1;
  for (auto datagrams = line_a_->Receive(); !datagrams.empty(); datagrams = line_a_->Receive()) {
    for (const DatagramReceiver::Datagram& each : datagrams) {
      const auto packet = engine::ParseMoldPacket(each.payload);
      ASSERT_TRUE(packet.ok()) << packet.status();
      EXPECT_EQ(packet->sequence, next);
      next = packet->next_sequence();
    }
  }
  EXPECT_EQ(next, service_->publisher().next_sequence());
}

TEST_F(ItchServiceTest, RequestsWakeTheLoopAndAreBounded) {
  Start();
  Define(1);
  exchange_.Release();
  class NoConnections final : public NetworkHandler {
    void OnAccepted(ConnectionId, ListenerId, absl::string_view) override {}
    void OnBytes(ConnectionId, engine::Bytes) override {}
    void OnInputEnded(ConnectionId) override {}
    void OnDrained(ConnectionId) override {}
    void OnClosed(ConnectionId, CloseReason) override {}
  } handler;
  Ask("hostile");
  Ask(RequestFor(9));
  Ask(RequestFor(4));
  Ask(RequestFor(4));
  const SteadyTime start = network_->Now();
  network_->Turn(start + 3'600 * kSecond, handler);
  EXPECT_LT(network_->Now() - start, 3'600 * kSecond);
  service_->Act(start);
  EXPECT_EQ(Received(*client_), Packets({"4 x1"}));
  EXPECT_EQ(service_->counts().requests_refused, 1u);
  EXPECT_EQ(service_->counts().retransmission.malformed, 1u);
  EXPECT_EQ(service_->counts().retransmission.without_messages, 1u);
  Ask(RequestFor(5));
  service_->Act(start + kSecond);
  EXPECT_EQ(Received(*client_), Packets({"5 x1"}));
}

TEST_F(ItchServiceTest, ErrorsOfSocketsNameTheirAddress) {
  config_.retransmission = line_a_->address().ToString();
  service_ = std::make_unique<ItchService>(config_, venue_);
  const absl::Status taken = service_->Start("TODAY", *network_);
  EXPECT_TRUE(absl::StrContains(taken.message(), config_.retransmission)) << taken;
}

}  // namespace
}  // namespace tools
