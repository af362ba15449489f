// Kalshi's API of a whole venue: signed requests and WebSocket sessions over an in-memory network.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::MarketId;
using engine::Timestamp;

constexpr absl::string_view kOneKey = "11111111-1111-4111-8111-111111111111";
constexpr absl::string_view kTwoKey = "22222222-2222-4222-8222-222222222222";
constexpr int64_t kNowMs = 1'795'000'000'000;

// A request's reply, and what else the connection has sent.
struct Answer {
  int status = 0;
  std::string body;
};

class KalshiVenueTest : public testing::Test {
 protected:
  KalshiVenueTest()
      : one_(PrivateKey::Generate(KeyKind::kEd25519).value()),
        two_(PrivateKey::Generate(KeyKind::kRsa).value()) {
    clock_.Set(Timestamp::FromNanos(kNowMs * 1'000'000));
    config_.text.listen = "";
    config_.accounts = {{.id = AccountId(1), .money = engine::Money::Parse("100").value()},
                        {.id = AccountId(2), .money = engine::Money::Parse("100").value()}};
    config_.markets = {{.definition = {.id = MarketId(7),
                                       .symbol = "KXRAIN-26-NYC",
                                       .price_decimals = 4,
                                       .quantity_decimals = 2,
                                       .tick = engine::Price::FromUnits(100),
                                       .price_min = engine::Price::FromUnits(100),
                                       .price_max = engine::Price::FromUnits(9'900),
                                       .kind = engine::MarketKind::kBinary}}};
    KalshiConfig& kalshi = config_.kalshi;
    kalshi.listen = "127.0.0.1:0";
    kalshi.series.emplace_back();
    kalshi.series.back().ticker = "KXRAIN";
    kalshi.series.back().fee_type = "quadratic";
    kalshi.events.emplace_back();
    kalshi.events.back().ticker = "KXRAIN-26";
    kalshi.events.back().series = "KXRAIN";
    kalshi.markets.emplace_back();
    kalshi.markets.back().id = MarketId(7);
    kalshi.markets.back().event = "KXRAIN-26";
    kalshi.markets.back().price_level_structure = "linear_cent";
    kalshi.keys = {{std::string(kOneKey), AccountId(1), one_.PublicPem().value()},
                   {std::string(kTwoKey), AccountId(2), two_.PublicPem().value()}};
    Start();
  }

  void Start() {
    venue_.reset();
    venue_ = std::make_unique<SmallVenue>(config_, directory_, clock_, steady_);
    ASSERT_TRUE(venue_->started.ok()) << venue_->started;
  }

  std::unique_ptr<MemoryPeer> Connect() {
    return venue_->sockets.Connect(venue_->server.kalshi_address()).value();
  }

  // The three headers of a key.
  std::string Headers(absl::string_view key, absl::string_view method, absl::string_view path,
                      int64_t at_ms) const {
    const PrivateKey& signer = key == kOneKey ? one_ : two_;
    const std::string signature = signer.SignBase64(absl::StrCat(at_ms, method, path)).value();
    return absl::StrCat("KALSHI-ACCESS-KEY: ", key, "\r\nKALSHI-ACCESS-TIMESTAMP: ", at_ms,
                        "\r\nKALSHI-ACCESS-SIGNATURE: ", signature, "\r\n");
  }

  std::string Request(absl::string_view key, absl::string_view method, absl::string_view target,
                      absl::string_view body = "") const {
    const absl::string_view path = target.substr(0, target.find('?'));
    return absl::StrCat(method, " ", target, " HTTP/1.1\r\nHost: venue\r\n",
                        key.empty() ? std::string() : Headers(key, method, path, kNowMs),
                        "Content-Type: application/json\r\nContent-Length: ", body.size(),
                        "\r\n\r\n", body);
  }

  // Sends the request and returns its answer.
  Answer Send(MemoryPeer& peer, absl::string_view request) {
    std::string received;
    size_t sent = 0;
    for (int turn = 0; turn < 1'000; ++turn) {
      sent += peer.Send(engine::AsBytes(request).subspan(sent));
      venue_->Turn();
      received += peer.Receive();
      const size_t head = received.find("\r\n\r\n");
      if (head == std::string::npos) continue;
      Answer answer;
      if (!absl::SimpleAtoi(received.substr(9, 3), &answer.status)) break;
      size_t size = 0;
      const size_t length = received.find("Content-Length: ");
      if (length < head) size = std::strtoul(&received[length + 16], nullptr, 10);
      if (received.size() < head + 4 + size) continue;
      answer.body = received.substr(head + 4);
      return answer;
    }
    ADD_FAILURE() << "no answer to " << request << " in " << received;
    return {};
  }
  Answer Ask(absl::string_view key, absl::string_view method, absl::string_view target,
             absl::string_view body = "") {
    const std::unique_ptr<MemoryPeer> peer = Connect();
    return Send(*peer, Request(key, method, absl::StrCat("/trade-api/v2", target), body));
  }

  static std::string Order(absl::string_view side, absl::string_view count, absl::string_view price,
                           absl::string_view client_order_id, absl::string_view more = "") {
    return absl::StrCat(R"({"ticker":"KXRAIN-26-NYC","side":")", side, R"(","count":")", count,
                        R"(","price":")", price, R"(","client_order_id":")", client_order_id,
                        R"(","time_in_force":"good_till_canceled",)",
                        R"("self_trade_prevention_type":"taker_at_cross")", more, "}");
  }
  static std::string IdIn(const Answer& answer) {
    const size_t at = answer.body.find(R"("order_id":")");
    EXPECT_NE(at, std::string::npos) << answer.body;
    return answer.body.substr(at + 12, 36);
  }

  PrivateKey one_;
  PrivateKey two_;
  VenueConfig config_;
  journal::MemoryDirectory directory_;
  engine::ManualClock clock_;
  engine::ManualSteadyClock steady_;
  std::unique_ptr<SmallVenue> venue_;
};

TEST_F(KalshiVenueTest, AnyoneMayReadMarkets) {
  EXPECT_EQ(Ask("", "GET", "/exchange/status").status, 200);
  const Answer market = Ask("", "GET", "/markets/KXRAIN-26-NYC");
  EXPECT_EQ(market.status, 200);
  EXPECT_TRUE(absl::StrContains(market.body, R"("status":"active")")) << market.body;
  EXPECT_TRUE(absl::StrContains(
      market.body, R"("price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}])"))
      << market.body;
  EXPECT_EQ(Ask("", "GET", "/markets/NOTHING").status, 404);
  EXPECT_EQ(Ask("", "GET", "/nowhere").status, 404);
}

TEST_F(KalshiVenueTest, AnOrderRestsTradesAndIsSeenEverywhere) {
  const Answer bid =
      Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "10", "0.56", "mine-1"));
  ASSERT_EQ(bid.status, 201) << bid.body;
  EXPECT_TRUE(absl::StrContains(bid.body, R"("remaining_count":"10.00")")) << bid.body;
  const Answer book = Ask("", "GET", "/markets/KXRAIN-26-NYC/orderbook");
  EXPECT_EQ(book.body, R"({"orderbook_fp":{"yes_dollars":[["0.5600","10.00"]],"no_dollars":[]}})");

  const Answer ask =
      Ask(kTwoKey, "POST", "/portfolio/events/orders", Order("ask", "4.00", "0.5000", "theirs-1"));
  ASSERT_EQ(ask.status, 201) << ask.body;
  EXPECT_TRUE(absl::StrContains(ask.body, R"("fill_count":"4.00")")) << ask.body;
  EXPECT_TRUE(absl::StrContains(ask.body, R"("average_fill_price":"0.5600")")) << ask.body;

  const Answer order = Ask(kOneKey, "GET", absl::StrCat("/portfolio/orders/", IdIn(bid)));
  EXPECT_EQ(order.status, 200);
  EXPECT_TRUE(absl::StrContains(order.body, R"("client_order_id":"mine-1")")) << order.body;
  EXPECT_TRUE(absl::StrContains(order.body, R"("fill_count_fp":"4.00")")) << order.body;
  EXPECT_TRUE(absl::StrContains(order.body, R"("maker_fill_cost_dollars":"2.240000")"))
      << order.body;
  EXPECT_EQ(Ask(kTwoKey, "GET", absl::StrCat("/portfolio/orders/", IdIn(bid))).status, 404)
      << "of another account";

  const Answer positions = Ask(kOneKey, "GET", "/portfolio/positions");
  EXPECT_TRUE(absl::StrContains(positions.body, R"("position_fp":"4.00")")) << positions.body;
  const Answer fills = Ask(kTwoKey, "GET", "/portfolio/fills");
  EXPECT_TRUE(absl::StrContains(fills.body, R"("is_taker":true)")) << fills.body;
  const Answer balance = Ask(kOneKey, "GET", "/portfolio/balance");
  EXPECT_TRUE(absl::StrContains(balance.body, R"("balance_dollars":"97.7600")")) << balance.body;
  const Answer trades = Ask("", "GET", "/markets/trades");
  EXPECT_TRUE(absl::StrContains(trades.body, R"("yes_price_dollars":"0.5600")")) << trades.body;

  const Answer cancelled =
      Ask(kOneKey, "DELETE", absl::StrCat("/portfolio/events/orders/", IdIn(bid)));
  EXPECT_EQ(cancelled.status, 200);
  EXPECT_TRUE(absl::StrContains(cancelled.body, R"("reduced_by":"6.00")")) << cancelled.body;
  EXPECT_EQ(Ask(kOneKey, "DELETE", absl::StrCat("/portfolio/events/orders/", IdIn(bid))).status,
            404);
}

TEST_F(KalshiVenueTest, RefusalsAreThoseOfKalshi) {
  const auto create = [&](absl::string_view body) {
    return Ask(kOneKey, "POST", "/portfolio/events/orders", body);
  };
  EXPECT_EQ(create("{").status, 400);
  const Answer number = create(R"({"ticker":"KXRAIN-26-NYC","count":5})");
  EXPECT_TRUE(absl::StrContains(number.body, "cannot unmarshal number")) << number.body;
  const Answer off_grid = create(Order("bid", "1", "0.555", "a"));
  EXPECT_EQ(off_grid.status, 400);
  EXPECT_TRUE(absl::StrContains(off_grid.body, "invalid_price")) << off_grid.body;
  const Answer poor = create(Order("bid", "1000", "0.50", "b"));
  EXPECT_TRUE(absl::StrContains(poor.body, "insufficient_balance")) << poor.body;
  EXPECT_EQ(create(Order("bid", "1", "0.50", "c")).status, 201);
  const Answer again = create(Order("bid", "1", "0.50", "c"));
  EXPECT_EQ(again.status, 409);
  EXPECT_TRUE(absl::StrContains(again.body, "order_already_exists")) << again.body;
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/orders/xyz").status, 400);
  const Answer legacy = Ask(kOneKey, "POST", "/portfolio/orders", "{}");
  EXPECT_EQ(legacy.status, 410);
}

TEST_F(KalshiVenueTest, ASignatureIsNeededAndItsTimeCounts) {
  EXPECT_EQ(Ask("", "GET", "/portfolio/balance").status, 401);
  const std::string path = "/trade-api/v2/portfolio/balance";
  const auto ask = [&](const std::string& headers) {
    const std::unique_ptr<MemoryPeer> peer = Connect();
    return Send(*peer, absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: venue\r\n", headers, "\r\n"));
  };
  EXPECT_EQ(ask(Headers(kOneKey, "GET", path, kNowMs - 19'000)).status, 200);
  EXPECT_TRUE(absl::StrContains(ask(Headers(kOneKey, "GET", path, kNowMs - 21'000)).body,
                                "header_timestamp_expired"));
  EXPECT_TRUE(absl::StrContains(ask(Headers(kOneKey, "POST", path, kNowMs)).body,
                                "INCORRECT_API_KEY_SIGNATURE"));
}

TEST_F(KalshiVenueTest, RequestsOnOneConnectionAreAnsweredInOrder) {
  const std::unique_ptr<MemoryPeer> peer = Connect();
  const std::string create = Request(kOneKey, "POST", "/trade-api/v2/portfolio/events/orders",
                                     Order("bid", "1", "0.50", "p"));
  const std::string read = Request(kOneKey, "GET", "/trade-api/v2/exchange/status");
  std::string received;
  const std::string both = create + read;
  for (size_t sent = 0, turn = 0; turn < 100; ++turn) {
    sent += peer->Send(engine::AsBytes(both).subspan(sent));
    venue_->Turn();
    received += peer->Receive();
  }
  const size_t first = received.find("HTTP/1.1 201");
  const size_t second = received.find("HTTP/1.1 200");
  EXPECT_EQ(first, 0u) << received;
  EXPECT_NE(second, std::string::npos) << received;
}

TEST_F(KalshiVenueTest, ARestartForgetsNothing) {
  const Answer bid =
      Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "10", "0.56", "mine-1"));
  ASSERT_EQ(bid.status, 201) << bid.body;
  Start();
  const Answer order = Ask(kOneKey, "GET", absl::StrCat("/portfolio/orders/", IdIn(bid)));
  EXPECT_TRUE(absl::StrContains(order.body, R"("status":"resting")")) << order.body;
  EXPECT_EQ(
      Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "1", "0.50", "mine-1")).status,
      409);
}

TEST_F(KalshiVenueTest, ABurstIsLimited) {
  int refused = 0;
  for (int i = 0; i < 25; ++i) {
    if (Ask(kOneKey, "GET", "/portfolio/balance").status == 429) ++refused;
  }
  EXPECT_EQ(refused, 5) << "200 tokens, 10 a request";
}

TEST_F(KalshiVenueTest, ASocketHearsOfBooksAndOfItsOwnOrders) {
  const std::unique_ptr<MemoryPeer> peer = Connect();
  const std::string path = "/trade-api/ws/v2";
  const std::string upgrade = absl::StrCat(
      "GET ", path, " HTTP/1.1\r\nHost: venue\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
      Headers(kOneKey, "GET", path, kNowMs), "\r\n");
  EXPECT_EQ(Send(*peer, upgrade).status, 101);
  // A masked text frame with a mask of zeros.
  const std::string command =
      R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta","fill"],)"
      R"("market_ticker":"KXRAIN-26-NYC"}})";
  ASSERT_LT(command.size(), 126u);
  std::string frame = {'\x81', static_cast<char>(0x80 | command.size())};
  frame += std::string(4, '\0') + command;
  std::string received;
  const auto turn = [&] {
    for (int i = 0; i < 20; ++i) {
      venue_->Turn();
      received += peer->Receive();
    }
  };
  peer->Send(engine::AsBytes(frame));
  turn();
  EXPECT_TRUE(absl::StrContains(received, R"("type":"subscribed")")) << received;
  EXPECT_TRUE(absl::StrContains(received, R"("type":"orderbook_snapshot")")) << received;

  EXPECT_EQ(Ask(kTwoKey, "POST", "/portfolio/events/orders", Order("ask", "5", "0.60", "t")).status,
            201);
  turn();
  EXPECT_TRUE(absl::StrContains(received, R"("type":"orderbook_delta","sid":1,"seq":2)"))
      << received;
  EXPECT_TRUE(absl::StrContains(received, R"("price_dollars":"0.4000","delta_fp":"5.00")"))
      << received;
  EXPECT_EQ(Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "2", "0.60", "o")).status,
            201);
  turn();
  EXPECT_TRUE(absl::StrContains(received, R"("type":"fill")")) << received;

  steady_.Advance(int64_t{11} * 1'000'000'000);
  turn();
  EXPECT_TRUE(absl::StrContains(received, "heartbeat")) << received;
}

}  // namespace
}  // namespace tools
