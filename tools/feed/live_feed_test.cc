// The handler with real sockets and threads, on the loopback interface.

#include "tools/feed/live_feed.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "engine/base/bytes.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/feed/feed_decoder.h"
#include "tools/os/clocks.h"
#include "tools/os/network/datagrams.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/network/network.h"
#include "tools/os/network/system_sockets.h"

namespace tools {
namespace {

using engine::AsBytes;
using engine::FeedHandler;
using ::testing::HasSubstr;

constexpr uint16_t kLocate = 3;
constexpr double kPatienceSeconds = 60;  // For a loaded machine.

const Endpoint kAnyPort = {.family = Endpoint::Family::kIp4, .host = "127.0.0.1", .port = 0};

std::string Add(uint64_t reference) {
  std::string frame;
  engine::AppendItchFrame(engine::ItchAddOrder{.header = {.stock_locate = kLocate},
                                               .order_reference = reference,
                                               .side = engine::Side::kBid,
                                               .shares = 1,
                                               .stock = {},
                                               .price = 100},
                          frame);
  return frame;
}

std::string Adds(uint64_t first, uint64_t last) {
  std::string framed;
  for (uint64_t reference = first; reference <= last; ++reference) framed += Add(reference);
  return framed;
}

// Message n adds order n.
std::string Packet(uint64_t first, uint64_t last, absl::string_view session = "TODAY") {
  return engine::MoldBytes(session, first, static_cast<uint16_t>(last - first + 1),
                           Adds(first, last));
}

LiveFeedOptions Options(size_t lines = 2) {
  LiveFeedOptions options;
  options.lines.assign(lines, {.endpoint = kAnyPort});
  options.orders_max = 10'000;
  options.handler.snapshot_patience_ns = 10'000'000;
  return options;
}

class LiveFeedTest : public ::testing::Test {
 protected:
  void Start(const LiveFeedOptions& options) {
    feed_ = LiveFeed::Start(options).value();
    for (const std::string& address : feed_->addresses()) {
      senders_.push_back(DatagramSender::Open(*Endpoint::Parse(address)).value());
    }
  }
  void Send(size_t line, absl::string_view payload) {
    senders_[line]->Send(std::array<engine::Bytes, 1>{AsBytes(payload)});
  }

  // Calls `turn` until the books have so many orders.
  template <typename Turn>
  void AwaitOrders(uint64_t count, Turn turn) {
    const Stopwatch patience;
    uint64_t orders = 0;
    while (orders != count) {
      ASSERT_LT(patience.Seconds(), kPatienceSeconds) << orders << " orders";
      turn();
      feed_->AskBooked();
      absl::SleepFor(absl::Milliseconds(1));
      const auto booked = feed_->TakeBooked();
      if (booked.has_value()) orders = booked->orders;
    }
  }
  void AwaitOrders(uint64_t count) {
    AwaitOrders(count, [] {});
  }

  std::unique_ptr<LiveFeed> feed_;
  std::vector<std::unique_ptr<DatagramSender>> senders_;
};

TEST_F(LiveFeedTest, TwoLinesMakeOneBook) {
  Start(Options());
  Send(0, Packet(1, 3));
  AwaitOrders(3);
  Send(1, Packet(4, 4));
  Send(0, Packet(1, 3));
  Send(1, "junk");
  AwaitOrders(4);
  Send(0, Packet(5, 5));
  AwaitOrders(5);
  feed_->Stop();
  feed_->Stop();
  EXPECT_EQ(feed_->received().state, FeedHandler::State::kLive);
  EXPECT_EQ(feed_->received().session, "TODAY");
  EXPECT_EQ(feed_->received().feed.messages, 5u);
  EXPECT_EQ(feed_->received().datagrams, 5u);
  EXPECT_EQ(feed_->received().feed.malformed, 1u);
  // At least the first one of what came together.
  EXPECT_GE(feed_->booked().latencies.total.count(), 2u);
  EXPECT_EQ(feed_->books().best(kLocate, engine::Side::kBid)->order_count, 5u);
}

TEST_F(LiveFeedTest, ABusyOneIsTheSame) {
  LiveFeedOptions options = Options();
  options.is_busy = true;
  options.ring_slots = 2;
  Start(options);
  Send(0, Packet(1, 30));
  AwaitOrders(30);
}

TEST_F(LiveFeedTest, WhatWasReceivedIsInTheBooksWhenItHasStopped) {
  Start(Options(1));
  Send(0, Packet(1, 30));
  Send(0, Packet(31, 60));
  uint64_t messages = 0;
  while (messages < 60) {
    feed_->AskReceived();
    absl::SleepFor(absl::Milliseconds(1));
    const auto received = feed_->TakeReceived();
    if (received.has_value()) messages = received->feed.messages;
  }
  feed_->Stop();
  EXPECT_EQ(feed_->books().order_count(), 60u);
}

TEST_F(LiveFeedTest, MissingMessagesAreAskedFor) {
  const auto server = DatagramReceiver::Open(kAnyPort).value();
  LiveFeedOptions options = Options();
  options.retransmission = server->address();
  options.handler.requests_max = 1'000'000;
  Start(options);
  Send(0, Packet(1, 2));
  AwaitOrders(2);
  Send(0, Packet(6, 7));
  AwaitOrders(7, [&] {
    for (const DatagramReceiver::Datagram& datagram : server->Receive()) {
      const auto request = engine::ParseMoldRequest(datagram.payload);
      ASSERT_TRUE(request.ok()) << request.status();
      server->SendTo(*datagram.source, AsBytes("junk"));
      const std::string answer = Packet(request->sequence, request->sequence + request->count - 1);
      server->SendTo(*datagram.source, AsBytes(answer));
    }
  });
  feed_->Stop();
  EXPECT_EQ(feed_->received().feed.lost, 0u);
  EXPECT_EQ(feed_->received().feed.gaps, 1u);
}

TEST_F(LiveFeedTest, WithoutAServerTheyAreLost) {
  Start(Options(1));
  Send(0, Packet(1, 2));
  Send(0, Packet(6, 7));
  AwaitOrders(4);
  feed_->Stop();
  EXPECT_EQ(feed_->received().feed.lost, 3u);
}

// Each connection gets what is set, once it has logged in.
class SnapshotServer final : public NetworkHandler {
 public:
  explicit SnapshotServer(Network& network) : network_(network) {}

  void OnAccepted(ConnectionId, ListenerId, absl::string_view) override { ++accepted; }
  void OnBytes(ConnectionId connection, engine::Bytes bytes) override {
    if (engine::AsText(bytes).find('L') == absl::string_view::npos) return;
    logins.emplace_back(engine::AsText(bytes));
    network_.Send(connection, AsBytes(answer));
    if (ends) network_.Close(connection);
  }
  void OnInputEnded(ConnectionId connection) override { network_.Close(connection); }
  void OnDrained(ConnectionId) override {}
  void OnClosed(ConnectionId, CloseReason) override {}

  uint64_t accepted = 0;
  std::vector<std::string> logins;
  std::string answer;
  bool ends = false;

 private:
  Network& network_;
};

std::string SnapshotOf(uint64_t orders, absl::string_view session) {
  std::string answer;
  engine::AppendSoupLoginAccepted({.session = std::string(session), .sequence = 1}, answer);
  for (uint64_t reference = 1; reference <= orders; ++reference) {
    engine::AppendSoupPacket(engine::SoupType::kSequencedData,
                             AsBytes(Add(reference)).subspan(engine::kItchLengthBytes), answer);
  }
  std::string end = absl::StrCat("G", orders + 1);
  end.resize(1 + sizeof(engine::ItchSnapshotEnd), ' ');
  engine::AppendSoupPacket(engine::SoupType::kSequencedData, AsBytes(end), answer);
  return answer;
}

class LiveFeedSnapshotTest : public LiveFeedTest {
 protected:
  void StartWithServer() {
    const auto listener = network_.Listen("127.0.0.1:0").value();
    LiveFeedOptions options = Options();
    options.snapshots = *Endpoint::Parse(listener.address);
    options.user = "ME";
    options.password = "SECRET";
    Start(options);
  }
  void AwaitOrdersServing(uint64_t count) {
    AwaitOrders(count, [this] { Serve(); });
  }
  void ServeLogins(size_t count) {
    const Stopwatch patience;
    while (server_.logins.size() < count && patience.Seconds() < kPatienceSeconds) Serve();
    ASSERT_GE(server_.logins.size(), count);
  }
  void Serve() { network_.Turn(network_.Now() + 1'000'000, server_); }

  MonotonicClock clock_;
  std::unique_ptr<SystemSockets> sockets_ = SystemSockets::Make(clock_).value();
  Network network_{*sockets_};
  SnapshotServer server_{network_};
};

TEST_F(LiveFeedSnapshotTest, ALateJoinerBeginsWithASnapshot) {
  server_.answer = SnapshotOf(1'000, "TODAY");
  StartWithServer();
  Send(0, Packet(1'001, 1'002));
  Send(1, Packet(1'003, 1'003));
  AwaitOrdersServing(1'003);
  feed_->Stop();
  EXPECT_EQ(feed_->received().feed.snapshots, 1u);
  EXPECT_EQ(feed_->received().snapshot_failures, 0u);
  EXPECT_EQ(feed_->received().note, "");
  std::string login;
  engine::AppendSoupLoginRequest(
      {.user = "ME", .password = "SECRET", .session = "TODAY", .sequence = 1}, login);
  ASSERT_FALSE(server_.logins.empty());
  EXPECT_EQ(server_.logins[0], login);
}

TEST_F(LiveFeedSnapshotTest, ItAsksAgainUntilThereIsOne) {
  server_.answer = "nonsense";
  server_.ends = true;
  StartWithServer();
  Send(0, Packet(11, 12));
  ServeLogins(3);
  // Of another session, and with less than was received: both are of no use, or not yet.
  server_.answer = SnapshotOf(10, "OTHER");
  const size_t before = server_.logins.size();
  ServeLogins(before + 3);
  server_.answer = SnapshotOf(10, "TODAY");
  AwaitOrdersServing(12);
  feed_->Stop();
  EXPECT_GE(feed_->received().snapshot_failures, 3u);
  EXPECT_GE(feed_->received().feed.snapshots_ignored, 1u);
}

TEST_F(LiveFeedSnapshotTest, ARefusalIsNoted) {
  engine::AppendSoupLoginRejected(engine::SoupLoginRefusal::kNotAuthorised, server_.answer);
  StartWithServer();
  Send(0, Packet(11, 12));
  ServeLogins(2);
  feed_->Stop();
  EXPECT_THAT(feed_->received().note, HasSubstr("refuses the user or password"));
  EXPECT_EQ(feed_->received().state, FeedHandler::State::kJoining);
}

TEST_F(LiveFeedTest, AddCancelHasNoNumbers) {
  LiveFeedOptions options = Options(1);
  options.format = FeedFormat::kAddCancel;
  Start(options);
  for (uint64_t reference = 1; reference <= 3; ++reference) {
    const auto message = engine::AddCancelMessage::From({.reference = reference,
                                                         .price = engine::Price::FromUnits(5),
                                                         .quantity = engine::Quantity::FromUnits(1),
                                                         .side = engine::Side::kAsk});
    Send(0, engine::AsText(message->bytes()));
  }
  Send(0, "junk");
  AwaitOrders(3);
  feed_->Stop();
  EXPECT_EQ(feed_->received().decoder.malformed, 1u);
  EXPECT_EQ(feed_->books().best(FeedDecoder::kAddCancelLocate, engine::Side::kAsk)->order_count,
            3u);
}

TEST(LiveFeedLines, AreAsManyAsTheFormatCanHave) {
  EXPECT_EQ(LiveFeed::Start(Options(0)).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(LiveFeed::Start(Options(3)).status().code(), absl::StatusCode::kInvalidArgument);
  LiveFeedOptions options = Options(2);
  options.format = FeedFormat::kAddCancel;
  EXPECT_EQ(LiveFeed::Start(options).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tools
