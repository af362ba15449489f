// Hostile WebSocket sessions of Kalshi's API, and connections that are silent or deaf, on an
// in-memory network.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_hostile.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {
namespace {

using engine::ClientFrame;
using Opcode = engine::WebSocketOpcode;

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr unsigned kMore = 0;  // The bits of a frame that is not its message's last.

// The server's close with this code.
std::string CloseOf(uint16_t code) {
  return {'\x88', '\x02', static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
}

std::string SubscribeTo(absl::string_view channels) {
  return absl::StrCat(R"({"id":1,"cmd":"subscribe","params":{"channels":[)", channels,
                      R"(],"market_tickers":["KXRAIN-26-NYC"]}})");
}

class KalshiHostileSocketTest : public KalshiHostile {
 protected:
  // A session that reads only what the test reads, of everything that the trader causes.
  std::unique_ptr<MemoryPeer> OpenDeafSocket() {
    std::unique_ptr<MemoryPeer> peer = OpenSocket(kOneKey);
    const KalshiHeard heard = Talk(
        *peer,
        ClientFrame(Opcode::kText, SubscribeTo(R"("orderbook_delta","ticker","user_orders")")));
    EXPECT_TRUE(absl::StrContains(heard.bytes, "orderbook_snapshot")) << heard.bytes;
    peer->SetWindow(4'096);
    return peer;
  }
};

// ---- Frames.

TEST_F(KalshiHostileSocketTest, BrokenFramesEndTheirSession) {
  const std::string too_long(65'537, 'x');
  const std::string half(40'000, 'x');
  const std::vector<std::pair<std::string, uint16_t>> cases = {
      {std::string("\x81\x02{}"), 1002},
      {ClientFrame(Opcode::kText, "{}", 0xC0), 1002},
      {ClientFrame(static_cast<Opcode>(3), "{}"), 1002},
      {ClientFrame(static_cast<Opcode>(11), ""), 1002},
      {ClientFrame(Opcode::kContinuation, "{}"), 1002},
      {ClientFrame(Opcode::kText, "{", kMore) + ClientFrame(Opcode::kText, "}"), 1002},
      {ClientFrame(Opcode::kPing, std::string(126, 'x')), 1002},
      {ClientFrame(Opcode::kPong, std::string(70'000, 'x')), 1002},
      {ClientFrame(Opcode::kPing, "x", kMore), 1002},
      {ClientFrame(Opcode::kClose, "x"), 1002},
      {ClientFrame(Opcode::kClose, "\x03\xED"), 1002},
      {std::string("\x81\xFE\x00\x02\x00\x00\x00\x00{}", 10), 1002},
      {std::string("\x81\xFF\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 14), 1002},
      {std::string("\x81\xFF\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00x", 15), 1009},
      {ClientFrame(Opcode::kText, too_long), 1009},
      {ClientFrame(Opcode::kText, half, kMore) + ClientFrame(Opcode::kContinuation, half), 1009},
      {ClientFrame(Opcode::kText, "\xFF"), 1007},
      {ClientFrame(Opcode::kText, "\xC0\x80"), 1007},
      {ClientFrame(Opcode::kText, "\xED\xA0", kMore) + ClientFrame(Opcode::kContinuation, "\x80"),
       1007},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const std::unique_ptr<MemoryPeer> peer = OpenSocket(kTwoKey);
    const KalshiHeard heard = Talk(*peer, cases[i].first);
    EXPECT_TRUE(heard.has_ended);
    EXPECT_TRUE(absl::EndsWith(heard.bytes, CloseOf(cases[i].second)));
    ExpectTrades();
  }
}

TEST_F(KalshiHostileSocketTest, FragmentsWithPingsBetweenAreOneMessage) {
  const std::unique_ptr<MemoryPeer> peer = OpenSocket(kTwoKey);
  const std::string command = SubscribeTo(R"("orderbook_delta")");
  std::string frames = ClientFrame(Opcode::kText, "", kMore);
  for (const char c : command) {
    frames += ClientFrame(Opcode::kContinuation, std::string(1, c), kMore);
    frames += ClientFrame(Opcode::kPing, "p");
  }
  frames += ClientFrame(Opcode::kContinuation, "");
  const KalshiHeard heard = Talk(*peer, frames);
  EXPECT_TRUE(absl::StrContains(heard.bytes, R"("type":"subscribed")")) << heard.bytes;
  EXPECT_FALSE(heard.has_ended);
}

TEST_F(KalshiHostileSocketTest, MessagesThatAreNoCommandsAreErrors) {
  const std::unique_ptr<MemoryPeer> peer = OpenSocket(kTwoKey);
  for (const std::string& message :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"),
        std::string(65'536, '['), std::string(65'536, ' '), std::string(R"({"id":"x"})"),
        std::string(R"({"id":1,"cmd":"order","params":{}})"), SubscribeTo(R"("nothing")"),
        SubscribeTo("5"), SubscribeTo(R"("fill","fill","\ud800")"),
        absl::StrReplaceAll(SubscribeTo(R"("ticker")"), {{"KXRAIN-26-NYC", "\\u0000"}})}) {
    const KalshiHeard heard = Talk(*peer, ClientFrame(Opcode::kText, message));
    EXPECT_TRUE(absl::StrContains(heard.bytes, R"("type":"error")")) << message.substr(0, 100);
    EXPECT_FALSE(heard.has_ended);
  }
  // Of a burst of commands a hundred are taken, less those above.
  std::string burst;
  for (int i = 0; i < 200; ++i) {
    burst += ClientFrame(Opcode::kText, R"({"id":9,"cmd":"list_subscriptions"})");
  }
  const KalshiHeard heard = Talk(*peer, burst);
  EXPECT_TRUE(absl::StrContains(heard.bytes, R"("code":27)"));
  EXPECT_FALSE(heard.has_ended);
  ExpectTrades();
}

// ---- Upgrades.

TEST_F(KalshiHostileSocketTest, AnUpgradeThatIsRefusedOpensNoSession) {
  const std::string subscribe =
      ClientFrame(Opcode::kText, SubscribeTo(R"("orderbook_delta","fill")"));
  const std::string headers = Headers(kTwoKey, "GET", kKalshiSocket, kNowMs);
  const auto changed = [&](absl::string_view from, absl::string_view to) {
    return absl::StrReplaceAll(Upgrade(kTwoKey), {{from, to}});
  };
  for (const auto& [request, status] : std::vector<std::pair<std::string, int>>{
           {UpgradeWith(""), 401},
           {UpgradeWith(Headers(kTwoKey, "GET", kKalshiSocket, kNowMs - 21'000)), 401},
           {UpgradeWith(Headers(kTwoKey, "POST", kKalshiSocket, kNowMs)), 401},
           {UpgradeWith("Origin: http://v\r\n"), 403},
           {UpgradeWith(absl::StrCat(headers, "Origin: null\r\n")), 403},
           {changed("Version: 13", "Version: 8"), 426},
           {changed("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="), 400},
           {changed("Upgrade: websocket", "Upgrade: h2c"), 404},
           {changed("HTTP/1.1", "HTTP/1.0"), 404},
           {changed("/trade-api/ws/v2 ", "//trade-api/ws/v2 "), 404},
       }) {
    const KalshiHeard heard = Talk(request + subscribe);
    EXPECT_EQ(heard.status(), status) << request << heard.bytes;
    // A client whose clock is wrong learns by how much.
    EXPECT_EQ(absl::StrContains(heard.bytes, "\r\nDate: Wed, 18 Nov 2026"), status == 401)
        << heard.bytes;
    EXPECT_FALSE(absl::StrContains(heard.bytes, "orderbook_snapshot")) << heard.bytes;
    EXPECT_TRUE(heard.has_ended) << request;
    ExpectTrades();
  }
}

TEST_F(KalshiHostileSocketTest, AnAccountHasSoManySessionsAndNoMore) {
  std::vector<std::unique_ptr<MemoryPeer>> peers;
  for (int i = 0; i < 200; ++i) peers.push_back(OpenSocket(kTwoKey));
  EXPECT_EQ(Talk(Upgrade(kTwoKey)).status(), 429);
  EXPECT_EQ(Talk(Upgrade(kOneKey)).status(), 101) << "of another account";
  ExpectTrades();
  peers.clear();
  ExpectSessions(1);
  EXPECT_EQ(Talk(Upgrade(kTwoKey)).status(), 101);
}

// ---- Silence.

TEST_F(KalshiHostileSocketTest, HalfARequestAndSilenceEnds) {
  const std::string request = Request(kTwoKey, "POST", "/trade-api/v2/portfolio/events/orders",
                                      Order("bid", "1", "0.02", "half"));
  ExpectTrades();
  std::vector<std::unique_ptr<MemoryPeer>> peers;
  for (const size_t size : {size_t{0}, size_t{1}, request.size() / 2, request.size() - 1}) {
    peers.push_back(Connect());
    EXPECT_EQ(Talk(*peers.back(), absl::string_view(request).substr(0, size)).bytes, "");
  }
  steady_.Advance(9 * kSecondNanos);
  for (const auto& peer : peers) EXPECT_FALSE(Talk(*peer, "").has_ended);
  steady_.Advance(kSecondNanos);
  for (const auto& peer : peers) {
    const KalshiHeard heard = Talk(*peer, "");
    EXPECT_TRUE(heard.has_ended);
    EXPECT_EQ(heard.bytes, "");
  }
}

TEST_F(KalshiHostileSocketTest, ThousandsAreSilentWhileOneTrades) {
  ExpectTrades();
  std::vector<std::unique_ptr<MemoryPeer>> silent;
  for (int i = 0; i < 2'000; ++i) {
    silent.push_back(Connect());
    if (i % 2 == 0) silent.back()->Send(engine::AsBytes("GET /trade-api/v2/markets HTTP/1.1\r\n"));
    if (i % 100 == 0) ExpectTrades();
  }
  while (venue_->server.counts().sessions < 2'001) venue_->Turn();
  ExpectTrades();
  steady_.Advance(10 * kSecondNanos);
  for (int i = 0; i < 100; ++i) ExpectTrades();
  for (const auto& peer : silent) EXPECT_TRUE(peer->has_ended());
  silent.clear();
  ExpectSessions(1);
}

// ---- Clients that do not read.

TEST_F(KalshiHostileSocketTest, WhoReadsTooLateHasLostItsSubscriptions) {
  const std::unique_ptr<MemoryPeer> late = OpenDeafSocket();
  for (int i = 0; i < 250; ++i) ExpectTrades();
  std::string received;
  for (KalshiHeard heard = Talk(*late, ""); !heard.bytes.empty(); heard = Talk(*late, "")) {
    received += heard.bytes;
    ASSERT_FALSE(heard.has_ended);
  }
  EXPECT_TRUE(absl::StrContains(received, R"("code":25)"));
  EXPECT_TRUE(absl::StrContains(received, "Subscription buffer overflow"));
  EXPECT_LT(received.size(), size_t{500} << 10) << "what the venue kept for it";
  const std::string again = ClientFrame(Opcode::kText, SubscribeTo(R"("orderbook_delta")"));
  EXPECT_TRUE(absl::StrContains(Talk(*late, again).bytes, "orderbook_snapshot"));
}

TEST_F(KalshiHostileSocketTest, WhoNeverReadsIsEnded) {
  ExpectTrades();
  const size_t before = venue_->server.counts().sessions;
  const std::unique_ptr<MemoryPeer> deaf = OpenDeafSocket();
  for (int i = 0; i < 250; ++i) ExpectTrades();
  EXPECT_EQ(venue_->server.counts().sessions, before + 1);
  steady_.Advance(10 * kSecondNanos);
  ExpectTrades();
  steady_.Advance(5 * kSecondNanos);  // What it may still take is lost.
  ExpectTrades();
  ExpectSessions(before);
}

// Requests whose answers are not read: no more are taken.
TEST_F(KalshiHostileSocketTest, WhoAsksAndNeverReadsIsEnded) {
  ExpectTrades();
  const std::unique_ptr<MemoryPeer> deaf = Connect();
  deaf->SetWindow(4'096);
  const std::string request = Request("", "GET", "/trade-api/v2/markets");
  std::string requests;
  for (int i = 0; i < 20'000; ++i) requests += request;
  engine::Bytes rest = engine::AsBytes(requests);
  for (int turn = 0; turn < 5'000; ++turn) {
    rest = rest.subspan(deaf->Send(rest));
    venue_->Turn();
  }
  EXPECT_LT(requests.size() - rest.size(), size_t{40} << 10) << "it is read no more";
  ExpectTrades();
  steady_.Advance(10 * kSecondNanos);
  ExpectTrades();
  steady_.Advance(5 * kSecondNanos);
  ExpectTrades();
  ExpectSessions(1);
}

}  // namespace
}  // namespace tools
