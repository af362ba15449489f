// Kalshi's API of a whole venue: signed requests and WebSocket sessions over an in-memory network.

#include "tools/serve/testing/kalshi_venue.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"

namespace tools {
namespace {

using Answer = KalshiAnswer;

class KalshiVenueTest : public KalshiVenue {
 protected:
  KalshiVenueTest() { Start(); }

  // Quotes of a candlestick during which they did not change.
  static std::string Flat(absl::string_view price) {
    return absl::StrCat(R"({"open_dollars":")", price, R"(","low_dollars":")", price,
                        R"(","high_dollars":")", price, R"(","close_dollars":")", price, R"("})");
  }
};

TEST_F(KalshiVenueTest, AnyoneMayReadMarkets) {
  EXPECT_EQ(Ask("", "GET", "/exchange/status").status, 200);
  EXPECT_TRUE(absl::StrContains(Ask("", "GET", "/exchange/schedule").body,
                                R"("sunday":[{"open_time":"00:00","close_time":"00:00"}])"));
  const Answer market = Ask("", "GET", "/markets/KXRAIN-26-NYC");
  EXPECT_EQ(market.status, 200);
  EXPECT_TRUE(absl::StrContains(market.body, R"("status":"active")")) << market.body;
  EXPECT_TRUE(absl::StrContains(
      market.body, R"("price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}])"))
      << market.body;
  EXPECT_EQ(Ask("", "GET", "/markets/NOTHING").status, 404);
  EXPECT_EQ(Ask("", "GET", "/nowhere").status, 404);
}

TEST_F(KalshiVenueTest, ASettlementTimerIsThatOfTheSchedule) {
  engine::KalshiMarket& market = config_.kalshi.markets[0];
  market.determines_at = engine::Timestamp::FromNanos((kNowMs + 60'000) * 1'000'000);
  market.settles_at = engine::Timestamp::FromNanos((kNowMs + 90'000) * 1'000'000);
  Start();
  EXPECT_TRUE(absl::StrContains(Ask("", "GET", "/markets/KXRAIN-26-NYC").body,
                                R"("settlement_timer_seconds":30,)"));
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

TEST_F(KalshiVenueTest, ItCountsWhatHappensSinceTheStart) {
  const auto place = [&](absl::string_view key, absl::string_view side, absl::string_view id) {
    return Ask(key, "POST", "/portfolio/events/orders", Order(side, "1", "0.50", id)).status;
  };
  const auto counts = [&] {
    const engine::KalshiCounts counts = venue_->server.counts().kalshi;
    return std::vector<uint64_t>{counts.trades, counts.orders, counts.connections};
  };
  EXPECT_EQ(counts(), (std::vector<uint64_t>{0, 0, 0}));
  EXPECT_EQ(place(kOneKey, "bid", "a"), 201);
  EXPECT_EQ(place(kOneKey, "bid", "a"), 409) << "the same id";
  EXPECT_EQ(counts(), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(place(kTwoKey, "ask", "b"), 201);
  EXPECT_EQ(counts(), (std::vector<uint64_t>{1, 2, 3}));
  Start();
  EXPECT_EQ(counts(), (std::vector<uint64_t>{0, 0, 0}));
  EXPECT_EQ(place(kOneKey, "bid", "c"), 201);
  EXPECT_EQ(counts(), (std::vector<uint64_t>{0, 1, 1}));
}

TEST_F(KalshiVenueTest, ACandleOfBeforeTheStartMayBeAskedFor) {
  Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "10", "0.56", "mine-1"));
  Ask(kTwoKey, "POST", "/portfolio/events/orders", Order("ask", "4", "0.56", "theirs-1"));
  constexpr int64_t kStart = kNowMs / 1'000 + 600;
  const std::string target = absl::StrCat(
      "/series/KXRAIN/markets/KXRAIN-26-NYC/candlesticks?period_interval=1&start_ts=", kStart,
      "&end_ts=", kStart + 60);
  EXPECT_EQ(Ask("", "GET", target).body, R"({"ticker":"KXRAIN-26-NYC","candlesticks":[]})");
  const Answer answer = Ask("", "GET", absl::StrCat(target, "&include_latest_before_start=true"));
  EXPECT_EQ(
      answer.body,
      absl::StrCat(R"({"ticker":"KXRAIN-26-NYC","candlesticks":[{"end_period_ts":)",
                   kStart - kStart % 60 + 60, R"(,"yes_bid":)", Flat("0.5600"), R"(,"yes_ask":)",
                   Flat("1.0000"), R"(,"price":{"previous_dollars":"0.5600"},"volume_fp":"0.00",)",
                   R"("open_interest_fp":"4.00"}]})"));
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
  const Answer not_ascii = create(Order("bid", "1", "0.50", "z\xc3\xbc"));
  EXPECT_EQ(not_ascii.status, 400);
  EXPECT_TRUE(absl::StrContains(not_ascii.body,
                                "client_order_id: expected 1 to 128 printable ASCII characters"))
      << not_ascii.body;
  EXPECT_EQ(create(Order("bid", "1", "0.50", std::string(128, 'x'))).status, 201);
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/orders/xyz").status, 400);
  const Answer legacy = Ask(kOneKey, "POST", "/portfolio/orders", "{}");
  EXPECT_EQ(legacy.status, 410);
}

// The last record is older than the expiration.
TEST_F(KalshiVenueTest, AnAmendThatIsRefusedChangesNothing) {
  const Answer bid =
      Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "10", "0.56", "mine-1"));
  ASSERT_EQ(bid.status, 201) << bid.body;
  const std::string target = absl::StrCat("/portfolio/orders/", IdIn(bid));
  const std::string before = Ask(kOneKey, "GET", target).body;
  clock_.Set(engine::Timestamp::FromNanos((kNowMs + 4'000) * 1'000'000));
  const Answer amend =
      Ask(kOneKey, "POST", absl::StrCat("/portfolio/events/orders/", IdIn(bid), "/amend"),
          absl::StrCat(R"({"ticker":"KXRAIN-26-NYC","side":"bid","count":"20","price":"0.50",)",
                       R"("expiration_time":)", kNowMs / 1'000 + 2, "}"));
  EXPECT_EQ(amend.status, 400) << amend.body;
  EXPECT_TRUE(absl::StrContains(amend.body, "Expiration timestamp must be in the future"))
      << amend.body;
  EXPECT_EQ(Ask(kOneKey, "GET", target).body, before);
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

// An operator used the numbers below 70,000.
TEST_F(KalshiVenueTest, AGroupWithAHighNumberTradesTripsAndIsDeleted) {
  config_.admin = {.listen = "127.0.0.1:7002", .token = "5ecret"};
  Start();
  const auto admin = venue_->sockets.Connect(venue_->server.admin_address()).value();
  venue_->Say(*admin, "TOKEN 5ecret\ndefine_group account=1 group=69999 quantity=#1 window_ns=1\n",
              "DONE");
  const Answer created =
      Ask(kOneKey, "POST", "/portfolio/order_groups/create", R"({"contracts_limit":5})");
  ASSERT_EQ(created.status, 201) << created.body;
  const size_t at = created.body.find(R"("order_group_id":")");
  ASSERT_NE(at, std::string::npos) << created.body;
  const std::string id = created.body.substr(at + 18, 36);
  const std::string target = absl::StrCat("/portfolio/order_groups/", id);
  const auto enter = [&](absl::string_view client_order_id) {
    return Ask(kOneKey, "POST", "/portfolio/events/orders",
               Order("bid", "10", "0.56", client_order_id,
                     absl::StrCat(R"(,"order_group_id":")", id, "\"")));
  };
  const Answer order = enter("a");
  ASSERT_EQ(order.status, 201) << order.body;
  EXPECT_TRUE(absl::StrContains(Ask(kOneKey, "GET", target).body, IdIn(order)));
  Ask(kTwoKey, "POST", "/portfolio/events/orders", Order("ask", "5", "0.56", "b"));
  EXPECT_FALSE(absl::StrContains(Ask(kOneKey, "GET", target).body, IdIn(order))) << "tripped";
  EXPECT_TRUE(absl::StrContains(enter("c").body, "order_group_triggered"));
  EXPECT_EQ(Ask(kOneKey, "PUT", absl::StrCat(target, "/reset"), "{}").status, 200);
  const Answer later = enter("d");
  EXPECT_EQ(later.status, 201) << later.body;

  Start();
  EXPECT_TRUE(absl::StrContains(Ask(kOneKey, "GET", target).body, IdIn(later)));
  const auto again = venue_->sockets.Connect(venue_->server.admin_address()).value();
  EXPECT_TRUE(absl::StrContains(
      venue_->Say(*again, "TOKEN 5ecret\nreset_group account=1 group=70000\n", "DONE"),
      "group_reset group=70000 account=1"));
  EXPECT_EQ(Ask(kOneKey, "DELETE", target).status, 200);
  EXPECT_EQ(Ask(kOneKey, "GET", target).status, 404);
  const Answer order_now = Ask(kOneKey, "GET", absl::StrCat("/portfolio/orders/", IdIn(later)));
  EXPECT_TRUE(absl::StrContains(order_now.body, R"("status":"canceled")")) << order_now.body;
}

// Account 2 has the newer orders: a place in the list of account 1 is none in its own.
TEST_F(KalshiVenueTest, ACursorOfAnotherListingIsTheFirstPage) {
  const auto trade = [&](absl::string_view id) {
    Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "1", "0.50", id));
    return Ask(kTwoKey, "POST", "/portfolio/events/orders", Order("ask", "1", "0.50", id)).status;
  };
  EXPECT_EQ(trade("a"), 201);
  EXPECT_EQ(trade("b"), 201);
  const auto cursor_of = [&](const Answer& page) {
    const size_t at = page.body.find(R"("cursor":")") + 10;
    return page.body.substr(at, page.body.find('"', at) - at);
  };
  for (const absl::string_view list : {"/portfolio/fills", "/portfolio/orders"}) {
    const std::string first = absl::StrCat(list, "?limit=1");
    const std::string cursor = cursor_of(Ask(kOneKey, "GET", first));
    ASSERT_FALSE(cursor.empty()) << list;
    const std::string second = absl::StrCat(first, "&cursor=", cursor);
    EXPECT_EQ(Ask(kTwoKey, "GET", second).body, Ask(kTwoKey, "GET", first).body) << list;
    EXPECT_NE(Ask(kOneKey, "GET", second).body, Ask(kOneKey, "GET", first).body) << list;
    const std::string other = absl::StrCat(first, "&ticker=KXRAIN-26-NYC");
    EXPECT_EQ(Ask(kOneKey, "GET", absl::StrCat(other, "&cursor=", cursor)).body,
              Ask(kOneKey, "GET", other).body)
        << list;
  }
}

TEST_F(KalshiVenueTest, AnotherSubaccountIsNotThePrimaryOne) {
  const Answer order =
      Ask(kOneKey, "POST", "/portfolio/events/orders", Order("bid", "10", "0.56", "mine-1"));
  ASSERT_EQ(order.status, 201) << order.body;
  const std::string path = absl::StrCat("/portfolio/events/orders/", IdIn(order));
  EXPECT_EQ(Ask(kOneKey, "DELETE", "/portfolio/events/orders?subaccount=1").status, 400);
  EXPECT_EQ(Ask(kOneKey, "DELETE", "/portfolio/events/orders?subaccount=x").status, 400);
  EXPECT_EQ(Ask(kOneKey, "DELETE", "/portfolio/events/orders?subaccount=-1").status, 400);
  EXPECT_EQ(Ask(kOneKey, "DELETE", absl::StrCat(path, "?subaccount=63")).status, 400);
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/orders?subaccount=2").status, 400);
  EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/positions?exchange_index=1").status, 400);
  EXPECT_EQ(Ask(kOneKey, "POST", "/portfolio/events/orders",
                Order("bid", "1", "0.50", "mine-2", R"(,"subaccount":1)"))
                .status,
            400);
  const Answer rests = Ask(kOneKey, "GET", "/portfolio/orders?status=resting&subaccount=0");
  EXPECT_TRUE(absl::StrContains(rests.body, IdIn(order))) << rests.body;
  EXPECT_FALSE(absl::StrContains(rests.body, "mine-2")) << rests.body;
}

TEST_F(KalshiVenueTest, AConnectionThatAsksNothingEnds) {
  constexpr int64_t kMinute = int64_t{60} * 1'000'000'000;
  const auto pass = [&](int minutes) {
    for (int i = 0; i < minutes; ++i) {
      steady_.Advance(kMinute);
      venue_->Turn();
      venue_->Turn();
    }
  };
  const std::string request = Request("", "GET", "/trade-api/v2/exchange/status");
  const std::unique_ptr<MemoryPeer> idle = Connect();
  const std::unique_ptr<MemoryPeer> busy = Connect();
  EXPECT_EQ(Send(*idle, request).status, 200);
  EXPECT_EQ(Send(*busy, request).status, 200);
  pass(4);
  EXPECT_FALSE(idle->has_ended());
  EXPECT_EQ(Send(*busy, request).status, 200);
  pass(2);
  EXPECT_TRUE(idle->has_ended());
  EXPECT_FALSE(busy->has_ended());
  EXPECT_EQ(Send(*busy, request).status, 200);
  pass(12);
  EXPECT_TRUE(busy->has_ended());
}

TEST_F(KalshiVenueTest, ABurstIsLimitedAndARestartFillsTheBucket) {
  const auto count_refused = [&] {
    int refused = 0;
    for (int i = 0; i < 25; ++i) {
      if (Ask(kOneKey, "GET", "/portfolio/balance").status == 429) ++refused;
    }
    return refused;
  };
  EXPECT_EQ(count_refused(), 5) << "200 tokens, 10 a request";
  EXPECT_EQ(count_refused(), 25);
  Start();
  EXPECT_EQ(count_refused(), 5);
}

TEST_F(KalshiVenueTest, ASocketHearsOfBooksAndOfItsOwnOrders) {
  const std::unique_ptr<MemoryPeer> peer = Connect();
  EXPECT_EQ(Send(*peer, Upgrade(kOneKey)).status, 101);
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
