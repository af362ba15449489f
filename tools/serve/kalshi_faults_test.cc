// Faults on request in a whole venue: what clients see of each, and what the journal says of it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/agents/agents.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {
namespace {

constexpr int64_t kMilli = 1'000'000;
constexpr absl::string_view kOrders = "/portfolio/events/orders";
constexpr absl::string_view kStatus = "/exchange/status";

class KalshiFaultsTest : public KalshiVenue {
 protected:
  KalshiFaultsTest() {
    config_.kalshi.serves_sim = true;
    config_.admin.token = "the-token";
    Start();
  }

  KalshiAnswer Sim(absl::string_view method, absl::string_view target,
                   absl::string_view token = "the-token") {
    const std::unique_ptr<MemoryPeer> peer = Connect();
    return Send(*peer,
                absl::StrCat(method, " ", target, " HTTP/1.1\r\nHost: v\r\n",
                             "Authorization: Bearer ", token, "\r\nContent-Length: 0\r\n\r\n"));
  }
  void Inject(absl::string_view fault) {
    const KalshiAnswer answer = Sim("POST", absl::StrCat("/sim/", fault));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, absl::StrCat(R"({"injected":")", fault, R"("})"));
  }
  void Pass(int64_t nanos) {
    steady_.Advance(nanos);
    venue_->Turn();
    venue_->Turn();
  }

  // A session that hears of the market's book. What it has heard so far is left out.
  std::unique_ptr<MemoryPeer> Subscribe() {
    std::unique_ptr<MemoryPeer> peer = Connect();
    EXPECT_EQ(Send(*peer, Upgrade(kTwoKey)).status, 101);
    const std::string frame =
        engine::ClientFrame(engine::WebSocketOpcode::kText,
                            R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta"],)"
                            R"("market_ticker":"KXRAIN-26-NYC"}})");
    EXPECT_EQ(peer->Send(engine::AsBytes(frame)), frame.size());
    Pass(0);
    EXPECT_TRUE(absl::StrContains(peer->Receive(), R"("type":"subscribed")"));
    return peer;
  }
  void PlaceOrders(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string id = absl::StrCat("order-", ++placed_);
      EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", id)).status, 201);
    }
  }
  // Of the numbered frames, in their order.
  static std::vector<std::string> NumbersIn(MemoryPeer& peer) {
    std::vector<std::string> numbers;
    const std::string received = peer.Receive();
    for (absl::string_view part : absl::StrSplit(received, R"("seq":)")) {
      numbers.emplace_back(part.substr(0, part.find(',')));
    }
    numbers.erase(numbers.begin());
    return numbers;
  }
  int placed_ = 0;
};

using Numbers = std::vector<std::string>;

TEST_F(KalshiFaultsTest, OnlyTheTokenInjects) {
  EXPECT_EQ(Sim("GET", "/sim", "another").status, 401);
  EXPECT_EQ(Sim("POST", "/sim/clear", "").status, 401);
  EXPECT_EQ(Sim("GET", "/sim").status, 200);
  EXPECT_EQ(Sim("GET", "/sim/clear").status, 405);
  EXPECT_EQ(Sim("POST", "/sim/nothing").status, 404);
  EXPECT_EQ(Sim("POST", "/similar", "another").status, 404) << "a route like others";
  EXPECT_EQ(Sim("POST", "/sim/inject_delay?ms=no&count=1").status, 400);
  EXPECT_EQ(Sim("POST", "/sim/inject_delay?ms=1&count=1&kind=all").body,
            R"({"error":"found the parameter 'kind', expected ms or count"})");
  EXPECT_EQ(Sim("POST", "/sim/close_market?ticker=NOTHING").status, 400);
  EXPECT_EQ(Sim("POST", "/sim/drop_connection?count=1&kind=some").status, 400);
  EXPECT_EQ(Sim("POST", absl::StrCat("/sim/close_market?ticker=", std::string(1'000, 'X'))).status,
            400);
  EXPECT_EQ(Sim("POST", "/sim/partial_fill_rate?percent=10").status, 409) << "no agents";
}

TEST_F(KalshiFaultsTest, WithoutTheOptionThereIsNothing) {
  config_.kalshi.serves_sim = false;
  Start();
  EXPECT_EQ(Sim("GET", "/sim").status, 404);
  EXPECT_EQ(Sim("POST", "/sim/clear").status, 404);
}

TEST_F(KalshiFaultsTest, RequestsAreRefused) {
  Inject("rate_limit_burst?count=2");
  EXPECT_EQ(Ask("", "GET", kStatus).status, 429);
  EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", "a")).status, 429);
  EXPECT_EQ(Ask("", "GET", kStatus).status, 200);
  Inject("server_errors?status=503&seconds=5");
  EXPECT_EQ(Ask("", "GET", kStatus).status, 503);
  const std::unique_ptr<MemoryPeer> peer = Connect();
  EXPECT_EQ(Send(*peer, Upgrade(kTwoKey)).status, 503);
  Inject("clear");
  EXPECT_EQ(Ask("", "GET", kStatus).status, 200);
}

TEST_F(KalshiFaultsTest, ReplyIsLate) {
  Inject("inject_delay?ms=250&count=1");
  const std::unique_ptr<MemoryPeer> peer = Connect();
  const std::string request = Request("", "GET", absl::StrCat("/trade-api/v2", kStatus));
  EXPECT_EQ(peer->Send(engine::AsBytes(request)), request.size());
  Pass(0);
  Pass(240 * kMilli);  // A turn that waits takes a millisecond.
  EXPECT_EQ(peer->Receive(), "");
  Pass(10 * kMilli);
  EXPECT_TRUE(absl::StartsWith(peer->Receive(), "HTTP/1.1 200"));
  EXPECT_EQ(Ask("", "GET", kStatus).status, 200);
}

TEST_F(KalshiFaultsTest, AReplyThatIsLateIsSentBeforeItsConnectionEnds) {
  Inject("inject_delay?ms=250&count=1");
  const std::unique_ptr<MemoryPeer> peer = Connect();
  const std::string request =
      "GET /trade-api/v2/exchange/status HTTP/1.1\r\nHost: v\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(peer->Send(engine::AsBytes(request)), request.size());
  Pass(0);
  EXPECT_EQ(peer->Receive(), "");
  Pass(250 * kMilli);
  EXPECT_TRUE(absl::StartsWith(peer->Receive(), "HTTP/1.1 200"));
}

TEST_F(KalshiFaultsTest, NumbersAreSkippedRepeatedAndReordered) {
  const std::unique_ptr<MemoryPeer> peer = Subscribe();
  PlaceOrders(1);
  EXPECT_EQ(NumbersIn(*peer), (Numbers{"2"}));
  Inject("inject_seq_gap?count=1&mode=skip");
  PlaceOrders(2);
  EXPECT_EQ(NumbersIn(*peer), (Numbers{"4"}));
  Inject("inject_seq_gap?count=1&mode=repeat");
  PlaceOrders(2);
  EXPECT_EQ(NumbersIn(*peer), (Numbers{"5", "5", "6"}));
  Inject("inject_seq_gap?count=1&mode=reorder");
  PlaceOrders(2);
  EXPECT_EQ(NumbersIn(*peer), (Numbers{"8", "7"}));
}

TEST_F(KalshiFaultsTest, FramesAreSlow) {
  const std::unique_ptr<MemoryPeer> peer = Subscribe();
  Inject("slow_frames?ms=500&seconds=1");
  PlaceOrders(1);
  Pass(400 * kMilli);
  EXPECT_TRUE(NumbersIn(*peer).empty());
  Pass(100 * kMilli);
  EXPECT_EQ(NumbersIn(*peer), (Numbers{"2"}));
}

TEST_F(KalshiFaultsTest, ConnectionsAreDropped) {
  const std::unique_ptr<MemoryPeer> first = Subscribe();
  const std::unique_ptr<MemoryPeer> second = Subscribe();
  Inject("drop_connection?count=1");
  Pass(0);
  EXPECT_TRUE(first->has_ended());
  EXPECT_FALSE(second->has_ended());
  Inject("drop_connection?count=5&kind=all");
  Pass(0);
  EXPECT_TRUE(second->has_ended());
}

TEST_F(KalshiFaultsTest, AHalfOpenConnectionHearsAndSaysNothing) {
  const std::unique_ptr<MemoryPeer> peer = Subscribe();
  Inject("half_open?count=1");
  PlaceOrders(1);
  const std::string ping = engine::ClientFrame(engine::WebSocketOpcode::kPing, "hello");
  EXPECT_EQ(peer->Send(engine::AsBytes(ping)), ping.size());
  Pass(60'000 * kMilli);
  EXPECT_EQ(peer->Receive(), "");
  EXPECT_FALSE(peer->has_ended());
}

TEST_F(KalshiFaultsTest, ReadsAreStale) {
  constexpr absl::string_view kBook = "/markets/KXRAIN-26-NYC/orderbook";
  Inject("stale_reads?seconds=5");
  const std::string before = Ask("", "GET", kBook).body;
  PlaceOrders(1);
  EXPECT_EQ(Ask("", "GET", kBook).body, before);
  Pass(5'000 * kMilli);
  EXPECT_NE(Ask("", "GET", kBook).body, before);
}

TEST_F(KalshiFaultsTest, AWrongClockRefusesSignatures) {
  Inject("clock_skew?ms=-21000");
  const KalshiAnswer answer = Ask(kOneKey, "GET", "/portfolio/balance");
  EXPECT_EQ(answer.status, 401);
  Inject("clock_skew?ms=0");
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/balance").status, 200);
}

TEST_F(KalshiFaultsTest, TheExchangePausesAndAMarketCloses) {
  Inject("pause_exchange");
  EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", "a")).status, 409);
  Inject("resume_exchange");
  PlaceOrders(1);
  Inject("close_market?ticker=KXRAIN-26-NYC");
  EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", "b")).status, 400);
  EXPECT_EQ(Sim("POST", "/sim/close_market?ticker=KXRAIN-26-NYC").status, 409)
      << "the exchange refuses it";
}

TEST_F(KalshiFaultsTest, TheExchangeHalts) {
  const KalshiAnswer order = Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", "a"));
  const std::string path = absl::StrCat(kOrders, "/", IdIn(order));
  Inject("pause_exchange");
  EXPECT_EQ(Ask("", "GET", kStatus).body, R"({"exchange_active":true,"trading_active":false})");
  Inject("halt_exchange");
  EXPECT_EQ(Ask("", "GET", kStatus).body, R"({"exchange_active":false,"trading_active":false})");
  EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "1", "0.40", "b")).status, 503);
  EXPECT_EQ(Ask(kOneKey, "DELETE", path).status, 503);
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/orders").status, 200);
  EXPECT_EQ(Sim("POST", "/sim/halt_exchange").status, 409) << "it is halted";
  Inject("resume_exchange");
  EXPECT_EQ(Ask("", "GET", kStatus).body, R"({"exchange_active":true,"trading_active":true})");
  EXPECT_EQ(Ask(kOneKey, "DELETE", path).status, 200);
}

TEST_F(KalshiFaultsTest, AgentsShowLess) {
  for (const uint32_t id : {100, 101}) {
    config_.accounts.push_back(
        {.id = engine::AccountId(id), .money = engine::Money::FromDollars(100'000)});
  }
  config_.agents = engine::AgentsOptions{.seed = 3,
                                         .first_account = engine::AccountId(100),
                                         .markets = {{.market = engine::MarketId(7),
                                                      .makers = 2,
                                                      .start = engine::Price::FromUnits(5'000),
                                                      .volatility = engine::Price::FromUnits(300),
                                                      .depth = engine::Quantity::FromUnits(100'000),
                                                      .actions_a_second = 5}}};
  Start();
  const auto size_after = [&](int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      clock_.Set(engine::Timestamp::FromNanos(clock_.Now().nanos() + 100 * kMilli));
      Pass(100 * kMilli);
    }
    double size = 0;
    const std::string book = Ask("", "GET", "/markets/KXRAIN-26-NYC/orderbook").body;
    for (const absl::string_view level : absl::StrSplit(book, R"(",")")) {
      double count = 0;
      if (absl::SimpleAtod(level.substr(0, level.find('"')), &count)) size += count;
    }
    return size;
  };
  const double whole = size_after(300);
  EXPECT_GT(whole, 1'000);
  Inject("partial_fill_rate?percent=10");
  const double less = size_after(300);
  EXPECT_GT(less, 0);
  EXPECT_LT(less, whole / 5);
  Inject("partial_fill_rate?percent=100");
  EXPECT_GT(size_after(300), whole / 2);
}

TEST_F(KalshiFaultsTest, EachIsANoteOfTheJournal) {
  const uint64_t before = venue_->server.counts().commands;
  Inject("rate_limit_burst?count=1");
  EXPECT_EQ(venue_->server.counts().commands, before + 1);
  EXPECT_EQ(Sim("POST", "/sim/rate_limit_burst?count=x").status, 400);
  EXPECT_EQ(venue_->server.counts().commands, before + 1) << "a mistake is no fault";
  Inject("pause_exchange");
  EXPECT_EQ(venue_->server.counts().commands, before + 3) << "the command, then the note";
}

}  // namespace
}  // namespace tools
