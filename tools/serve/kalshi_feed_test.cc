// WebSocket of a whole venue: each command, and each channel, as clients hear them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr absl::string_view kOrders = "/portfolio/events/orders";

// Two markets: KXRAIN-26-BOS and KXRAIN-26-NYC.
class KalshiFeedTest : public KalshiVenue {
 protected:
  KalshiFeedTest() {
    MarketConfig boston = config_.markets[0];
    boston.definition.id = engine::MarketId(8);
    boston.definition.symbol = "KXRAIN-26-BOS";
    config_.markets.push_back(boston);
    config_.kalshi.markets.push_back(config_.kalshi.markets[0]);
    config_.kalshi.markets.back().id = engine::MarketId(8);
    config_.kalshi.serves_sim = true;
    config_.admin = {.listen = "127.0.0.1:7002", .token = "5ecret"};
    Start();
    peer_ = Open(kOneKey);
  }

  std::unique_ptr<MemoryPeer> Open(absl::string_view key) {
    std::unique_ptr<MemoryPeer> peer = Connect();
    EXPECT_EQ(Send(*peer, Upgrade(key)).status, 101);
    return peer;
  }
  // What has come since the last call, message after message.
  std::vector<std::string> Hear(MemoryPeer& peer) {
    std::string received;
    for (int turn = 0; turn < 20; ++turn) {
      venue_->Turn();
      received += peer.Receive();
    }
    std::vector<std::string> messages;
    for (size_t at = 0; at + 4 <= received.size();) {
      size_t size = static_cast<uint8_t>(received[at + 1]);
      at += 2;
      if (size == 126) {
        size = size_t{static_cast<uint8_t>(received[at])} << 8 |
               static_cast<uint8_t>(received[at + 1]);
        at += 2;
      }
      EXPECT_LT(size, 65'536u);
      messages.push_back(received.substr(at, size));
      at += size;
    }
    return messages;
  }
  std::vector<std::string> Hear() { return Hear(*peer_); }
  // Sends a command and returns the answers, each in a line.
  std::string Say(absl::string_view command) {
    const std::string frame = engine::ClientFrame(engine::WebSocketOpcode::kText, command);
    for (size_t sent = 0; sent < frame.size();) {
      sent += peer_->Send(engine::AsBytes(frame).subspan(sent));
      venue_->Turn();
    }
    return absl::StrJoin(Hear(), "\n");
  }
  std::string Subscribe(absl::string_view channel, absl::string_view more = "") {
    return Say(absl::StrCat(R"({"id":1,"cmd":"subscribe","params":{"channels":[")", channel,
                            R"("])", more, "}}"));
  }
  std::string Update(absl::string_view action, absl::string_view more = "") {
    return Say(absl::StrCat(R"({"id":2,"cmd":"update_subscription","params":{"sid":1,"action":")",
                            action, "\"", more, "}}"));
  }
  void Place(absl::string_view key, absl::string_view side, absl::string_view count,
             absl::string_view price, absl::string_view id) {
    const KalshiAnswer answer = Ask(key, "POST", kOrders, Order(side, count, price, id));
    EXPECT_EQ(answer.status, 201) << answer.body;
  }
  void Operate(const std::string& line) {
    const auto admin = venue_->sockets.Connect(venue_->server.admin_address()).value();
    venue_->Say(*admin, absl::StrCat("TOKEN 5ecret\n", line, "\n"), "DONE");
  }
  static std::string Ok(int seq, absl::string_view tickers) {
    return absl::StrCat(R"({"type":"ok","id":2,"sid":1,"seq":)", seq,
                        R"(,"msg":{"market_tickers":[)", tickers, "]}}");
  }

  static std::string Subscribed(absl::string_view channel, int sid) {
    return absl::StrCat(R"({"type":"subscribed","id":1,"msg":{"channel":")", channel, R"(","sid":)",
                        sid, "}}");
  }
  static std::string Error(int id, int code, absl::string_view text, absl::string_view more = "") {
    return absl::StrCat(R"({"id":)", id, R"(,"type":"error","msg":{"code":)", code, R"(,"msg":")",
                        text, "\"", more, "}}");
  }
  // The frame's kind and address are these, and it has the text.
  static void ExpectFrame(absl::string_view heard, absl::string_view head, absl::string_view text) {
    EXPECT_TRUE(absl::StartsWith(heard, absl::StrCat(R"({"type":")", head))) << heard;
    EXPECT_TRUE(absl::StrContains(heard, text)) << "expected " << text << " in " << heard;
  }
  // The only message that has come.
  std::string HearOne() {
    const std::vector<std::string> messages = Hear();
    EXPECT_EQ(messages.size(), 1u) << absl::StrJoin(messages, "\n");
    return messages.empty() ? std::string() : messages[0];
  }

  std::unique_ptr<MemoryPeer> peer_;  // Of account 1.
};

constexpr absl::string_view kNyc = R"(,"market_ticker":"KXRAIN-26-NYC")";
constexpr absl::string_view kBos = R"(,"market_ticker":"KXRAIN-26-BOS")";

// ---- Commands.

TEST_F(KalshiFeedTest, AnInitialTickerNamesItsMarketAndTime) {
  Place(kTwoKey, "bid", "3", "0.40", "a");
  const std::string heard = Subscribe("ticker", R"(,"send_initial_snapshot":true)");
  const std::vector<std::string> messages = absl::StrSplit(heard, '\n');
  ASSERT_EQ(messages.size(), 3u) << "of all markets: " << heard;
  EXPECT_EQ(messages[0], Subscribed("ticker", 1));
  EXPECT_TRUE(absl::StrContains(heard, R"("market_ticker":"KXRAIN-26-BOS")")) << heard;
  EXPECT_TRUE(absl::StrContains(heard, R"("market_ticker":"KXRAIN-26-NYC")")) << heard;
  EXPECT_TRUE(absl::StrContains(heard, R"("yes_bid_dollars":"0.4000")")) << heard;
  EXPECT_FALSE(absl::StrContains(heard, R"("market_id":"")")) << heard;
  EXPECT_FALSE(absl::StrContains(heard, "1970")) << heard;
  EXPECT_TRUE(absl::StrContains(heard, absl::StrCat(R"("ts":)", kNowMs / 1'000))) << heard;

  Place(kTwoKey, "bid", "1", "0.40", "b");
  const std::string next = absl::StrJoin(Hear(), "\n");
  const std::string member = R"("market_id":")";
  EXPECT_EQ(next.substr(next.find(member), 50), messages[1].substr(messages[1].find(member), 50))
      << next;
}

TEST_F(KalshiFeedTest, AnInitialTickerOfANamedMarket) {
  const std::string heard =
      Subscribe("ticker", absl::StrCat(kNyc, R"(,"send_initial_snapshot":true)"));
  EXPECT_TRUE(absl::StrContains(heard, R"("market_ticker":"KXRAIN-26-NYC")")) << heard;
  EXPECT_FALSE(absl::StrContains(heard, "BOS")) << heard;
  const std::string all = Subscribe("ticker", R"(,"send_initial_snapshot":true)");
  EXPECT_FALSE(absl::StrContains(all, "NYC")) << "it has had that one: " << all;
  EXPECT_TRUE(absl::StrContains(all, R"("market_ticker":"KXRAIN-26-BOS")")) << all;
}

TEST_F(KalshiFeedTest, SubscribingAgainAddsMarkets) {
  const std::vector<std::string> first = absl::StrSplit(Subscribe("orderbook_delta", kNyc), '\n');
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0], Subscribed("orderbook_delta", 1));
  ExpectFrame(first[1], R"(orderbook_snapshot","sid":1,"seq":1)", "KXRAIN-26-NYC");
  const std::vector<std::string> second = absl::StrSplit(Subscribe("orderbook_delta", kBos), '\n');
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[0], R"({"type":"ok","id":1,"sid":1,"seq":2,"msg":{"market_tickers":)"
                       R"(["KXRAIN-26-BOS","KXRAIN-26-NYC"]}})");
  ExpectFrame(second[1], R"(orderbook_snapshot","sid":1,"seq":3)", "KXRAIN-26-BOS");
}

TEST_F(KalshiFeedTest, MarketsAreAddedAndDeletedWithNumberedReplies) {
  Subscribe("orderbook_delta", kNyc);
  const std::vector<std::string> added = absl::StrSplit(Update("add_markets", kBos), '\n');
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(added[0], Ok(2, R"("KXRAIN-26-BOS","KXRAIN-26-NYC")"));
  ExpectFrame(added[1], R"(orderbook_snapshot","sid":1,"seq":3)", "KXRAIN-26-BOS");
  EXPECT_EQ(Update("delete_markets", kNyc), Ok(4, R"("KXRAIN-26-BOS")"));
  Place(kTwoKey, "bid", "1", "0.40", "a");
  EXPECT_TRUE(Hear().empty()) << "of a market that was deleted";
  EXPECT_EQ(Update("add_markets", R"(,"market_ticker":"NOTHING")"),
            Error(2, 11, "Invalid parameter", R"(,"market_tickers":["NOTHING"])"));
}

TEST_F(KalshiFeedTest, ASnapshotMayBeAskedFor) {
  Place(kTwoKey, "bid", "3", "0.40", "a");
  Subscribe("orderbook_delta", kNyc);
  ExpectFrame(Update("get_snapshot"), R"(orderbook_snapshot","id":2,"sid":1,"seq":2)",
              R"("yes_dollars_fp":[["0.4000","3.00"]],"no_dollars_fp":[])");
  // It need not be a market of the subscription, which stays as it is.
  ExpectFrame(Update("get_snapshot", kBos), R"(orderbook_snapshot","id":2,"sid":1,"seq":3)",
              "KXRAIN-26-BOS");
  EXPECT_EQ(Update("delete_markets", kBos), Ok(4, R"("KXRAIN-26-NYC")"));
}

TEST_F(KalshiFeedTest, OnlyBooksHaveSnapshotsToAskFor) {
  Subscribe("trade");
  EXPECT_EQ(Update("get_snapshot"), Error(2, 13, "Unsupported action"));
}

// It would go on with all of them.
TEST_F(KalshiFeedTest, NoMarketIsDeletedFromAllMarkets) {
  Subscribe("ticker");
  EXPECT_EQ(Update("delete_markets", kNyc), Error(2, 13, "Unsupported action"));
  Place(kTwoKey, "bid", "1", "0.40", "a");
  ExpectFrame(HearOne(), R"(ticker","sid":1,"msg")", "KXRAIN-26-NYC");
}

TEST_F(KalshiFeedTest, AnOkMayComeWithoutTickers) {
  Subscribe("trade", absl::StrCat(kNyc, R"(,"skip_ticker_ack":true)"));
  EXPECT_EQ(Update("add_markets", kBos), R"({"type":"ok","id":2,"sid":1,"seq":1,"msg":{}})");
}

TEST_F(KalshiFeedTest, NoLevelsMayHaveYesPrices) {
  Place(kTwoKey, "ask", "3", "0.60", "a");
  const std::string heard =
      Subscribe("orderbook_delta", absl::StrCat(kNyc, R"(,"use_yes_price":true)"));
  EXPECT_TRUE(absl::StrContains(heard, R"("no_dollars_fp":[["0.6000","3.00"]])")) << heard;
  Place(kTwoKey, "ask", "2", "0.60", "b");
  ExpectFrame(HearOne(), R"(orderbook_delta","sid":1,"seq":2)",
              R"("price_dollars":"0.6000","delta_fp":"2.00","side":"no")");
}

TEST_F(KalshiFeedTest, SubscriptionsAreListedAndEnd) {
  Subscribe("trade");
  Subscribe("fill");
  EXPECT_EQ(
      Say(R"({"id":3,"cmd":"list_subscriptions"})"),
      R"({"id":3,"type":"ok","msg":[{"channel":"trade","sid":1},{"channel":"fill","sid":2}]})");
  EXPECT_EQ(Say(R"({"id":4,"cmd":"unsubscribe","params":{"sids":[1,9,2]}})"),
            absl::StrCat(R"({"id":4,"sid":1,"seq":1,"type":"unsubscribed"})", "\n",
                         Error(4, 7, "Unknown subscription ID"), "\n",
                         R"({"id":4,"sid":2,"type":"unsubscribed"})"));
  EXPECT_EQ(Say(R"({"id":3,"cmd":"list_subscriptions"})"), R"({"id":3,"type":"ok","msg":[]})");
  EXPECT_EQ(Update("add_markets", kNyc), Error(2, 7, "Unknown subscription ID"));
}

TEST_F(KalshiFeedTest, TickersAndCommandsAreLimited) {
  std::string tickers = "\"X\"";
  for (int i = 1; i <= 10'000; ++i) absl::StrAppend(&tickers, ",\"X\"");
  EXPECT_EQ(Subscribe("ticker", absl::StrCat(R"(,"market_tickers":[)", tickers, "]")),
            Error(1, 26, "Subscription market limit exceeded"));
  for (int i = 1; i < 100; ++i) {
    ASSERT_EQ(Say(R"({"id":3,"cmd":"list_subscriptions"})"), R"({"id":3,"type":"ok","msg":[]})");
  }
  EXPECT_EQ(Say(R"({"id":3,"cmd":"list_subscriptions"})"),
            R"({"type":"error","msg":{"code":27,"msg":"Too many requests"}})");
}

// ---- Channels.

TEST_F(KalshiFeedTest, ADeltaNamesTheOrderOnItsOwnConnectionsAlone) {
  Subscribe("orderbook_delta", kNyc);
  Place(kOneKey, "bid", "1", "0.40", "mine");
  ExpectFrame(HearOne(), R"(orderbook_delta","sid":1,"seq":2)",
              R"("client_order_id":"mine","subaccount":0)");
  Place(kTwoKey, "bid", "1", "0.40", "theirs");
  EXPECT_FALSE(absl::StrContains(HearOne(), "client_order_id"));
}

TEST_F(KalshiFeedTest, ATickerFollowsEachChange) {
  Subscribe("ticker", kNyc);
  Place(kTwoKey, "bid", "3", "0.40", "a");
  ExpectFrame(HearOne(), R"(ticker","sid":1,"msg":{"market_ticker":"KXRAIN-26-NYC","market_id":")",
              R"("yes_bid_dollars":"0.4000","yes_ask_dollars":"1.0000")");
  Place(kTwoKey, "bid", "3", "0.30", "b");
  EXPECT_TRUE(Hear().empty()) << "what a ticker shows is as it was";
  Place(kOneKey, "ask", "2", "0.40", "c");
  ExpectFrame(HearOne(), R"(ticker","sid":1,"msg")", R"("last_trade_size_fp":"2.00")");
}

TEST_F(KalshiFeedTest, ATradeIsHeardByAll) {
  Subscribe("trade");
  Place(kTwoKey, "bid", "3", "0.40", "a");
  Place(kTwoKey, "ask", "1", "0.60", "b");
  Place(kOneKey, "ask", "2", "0.40", "c");
  ExpectFrame(HearOne(), R"(trade","sid":1,"seq":1)",
              R"("market_ticker":"KXRAIN-26-NYC","yes_price_dollars":"0.4000",)"
              R"("no_price_dollars":"0.6000","count_fp":"2.00","taker_side":"no")");
}

TEST_F(KalshiFeedTest, AFillIsHeardByItsAccount) {
  Subscribe("fill");
  Place(kTwoKey, "bid", "5", "0.40", "a");
  Place(kOneKey, "ask", "2", "0.40", "mine");
  ExpectFrame(HearOne(), R"(fill","sid":1,"msg":{"trade_id":")",
              R"("client_order_id":"mine","market_ticker":"KXRAIN-26-NYC","exchange_index":0,)"
              R"("is_taker":true,"side":"no")");
}

TEST_F(KalshiFeedTest, APositionIsHeardByItsAccount) {
  Subscribe("market_positions");
  Place(kTwoKey, "bid", "2", "0.40", "a");
  Place(kOneKey, "ask", "2", "0.40", "b");
  ExpectFrame(HearOne(), R"(market_position","sid":1,"msg":{"user_id":")",
              R"("market_ticker":"KXRAIN-26-NYC","position_fp":"-2.00",)"
              R"("position_cost_dollars":"1.200000","realized_pnl_dollars":"0.000000",)"
              R"("fees_paid_dollars":"0.033600","position_fee_cost_dollars":"0.033600")");
}

TEST_F(KalshiFeedTest, APositionThatShrinksKeepsItsPartOfTheFees) {
  Place(kTwoKey, "bid", "2", "0.40", "a");
  Place(kOneKey, "ask", "2", "0.40", "b");
  Place(kTwoKey, "ask", "1", "0.40", "c");
  Subscribe("market_positions");
  Place(kOneKey, "bid", "1", "0.40", "d");
  ExpectFrame(HearOne(), R"(market_position","sid":1,"msg")",
              R"("fees_paid_dollars":"0.050400","position_fee_cost_dollars":"0.016800")");
}

TEST_F(KalshiFeedTest, AnOrderIsHeardByItsAccount) {
  Subscribe("user_orders", kNyc);
  Place(kOneKey, "bid", "2", "0.40", "mine");
  ExpectFrame(HearOne(), R"(user_order","sid":1,"msg":{"order_id":")",
              R"("ticker":"KXRAIN-26-NYC","exchange_index":0,"status":"resting")");
  Place(kTwoKey, "ask", "2", "0.40", "theirs");
  const std::string traded = HearOne();
  ExpectFrame(traded, R"(user_order","sid":1,"msg")", R"("status":"executed")");
  EXPECT_TRUE(absl::StrContains(traded, R"("client_order_id":"mine")")) << traded;
  EXPECT_TRUE(absl::StrContains(traded, R"("last_update_reason":"Trade")")) << traded;
}

TEST_F(KalshiFeedTest, TheLifeOfAMarketIsHeardByAll) {
  Subscribe("market_lifecycle_v2");
  const auto expect = [&](const std::string& line, int seq, absl::string_view text) {
    Operate(line);
    ExpectFrame(HearOne(), absl::StrCat(R"(market_lifecycle_v2","sid":1,"seq":)", seq), text);
  };
  clock_.Set(engine::Timestamp::FromNanos((kNowMs + 1'000) * 1'000'000));
  expect("pause_market market=KXRAIN-26-NYC", 1, R"("event_type":"deactivated")");
  expect("open_market market=KXRAIN-26-NYC", 2, R"("event_type":"activated")");
  expect("close_market market=KXRAIN-26-NYC", 3, R"("event_type":"close_date_updated")");
  expect("determine_market market=KXRAIN-26-NYC price=1", 4, R"("result":"yes")");
  expect("settle_market market=KXRAIN-26-NYC", 5, R"("event_type":"settled")");
}

TEST_F(KalshiFeedTest, AGroupIsHeardByItsAccount) {
  Subscribe("order_group_updates");
  const KalshiAnswer created =
      Ask(kOneKey, "POST", "/portfolio/order_groups/create", R"({"contracts_limit":5})");
  ASSERT_EQ(created.status, 201) << created.body;
  const std::string id = created.body.substr(created.body.find(':') + 2, 36);
  const std::string target = absl::StrCat("/portfolio/order_groups/", id);
  ExpectFrame(HearOne(), R"(order_group_updates","sid":1,"seq":1)",
              absl::StrCat(R"("event_type":"created","order_group_id":")", id,
                           R"(","contracts_limit_fp":"5.00")"));
  const auto expect = [&](absl::string_view action, absl::string_view body, int seq,
                          absl::string_view text) {
    EXPECT_EQ(Ask(kOneKey, "PUT", absl::StrCat(target, action), body).status, 200);
    ExpectFrame(HearOne(), absl::StrCat(R"(order_group_updates","sid":1,"seq":)", seq), text);
  };
  clock_.Set(engine::Timestamp::FromNanos((kNowMs + 1'000) * 1'000'000));
  expect("/limit", R"({"contracts_limit":6})", 2, R"("event_type":"limit_updated")");
  expect("/trigger", "", 3, R"("event_type":"triggered")");
  expect("/reset", "", 4, R"("event_type":"reset")");
  EXPECT_EQ(Ask(kOneKey, "DELETE", target).status, 200);
  ExpectFrame(HearOne(), R"(order_group_updates","sid":1,"seq":5)", R"("event_type":"deleted")");
}

}  // namespace
}  // namespace tools
