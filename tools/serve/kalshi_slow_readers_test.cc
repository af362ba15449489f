// A thousand clients of Kalshi's WebSocket that never read, beside one that does, over sockets of
// the system.

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "tools/os/network/system_sockets.h"
#include "tools/os/network/testing/network_world.h"
#include "tools/serve/testing/kalshi_venue.h"
#include "tools/serve/testing/small_venue.h"
#include "tools/serve/venue_config.h"
#include "tools/serve/venue_server.h"

namespace tools {
namespace {

constexpr int kReaders = 1'000;
constexpr int kMarkets = 50;
constexpr int kOrdersOfBatch = 100;
constexpr int64_t kSecondNanos = 1'000'000'000;
// Of each reader, as engine/wire/kalshi/PROTOCOL.md promises.
constexpr int64_t kReaderBytesMax = int64_t{1} << 20;
// Likewise of one that sends commands, too.
constexpr int64_t kSenderBytesMax = int64_t{3} << 20;

// Bytes in use now, as the allocator counts them.
int64_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

// Both ends of each connection are of this process.
void AllowDescriptors(rlim_t count) {
  rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_cur >= count) return;
  ASSERT_GE(limit.rlim_max, count) << "this test needs more open files than `ulimit -Hn` allows";
  limit.rlim_cur = count;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

// What a client has received of one numbered subscription.
class Heard {
 public:
  // Its frames must follow one another.
  void Take(const std::string& bytes) {
    const std::string kSeq = R"("seq":)";
    text_ += bytes;
    for (;;) {
      const size_t at = text_.find(kSeq, scanned_);
      const size_t end = at == std::string::npos ? at : text_.find(',', at);
      if (end == std::string::npos) break;
      int64_t seq = 0;
      const size_t begin = at + kSeq.size();
      ASSERT_TRUE(engine::ParseInteger(absl::string_view(text_).substr(begin, end - begin), seq));
      ASSERT_EQ(seq, last_ + 1);
      last_ = seq;
      scanned_ = end;
    }
  }

  int64_t last_seq() const { return last_; }
  // The last frame is the error 25.
  bool EndsInOverflow() const {
    return absl::EndsWith(text_, R"("msg":{"code":25,"msg":"Subscription buffer overflow"}})");
  }

 private:
  std::string text_;
  size_t scanned_ = 0;
  int64_t last_ = 0;
};

class KalshiSlowReadersTest : public KalshiVenue {
 protected:
  KalshiSlowReadersTest() {
    config_.accounts[0].money = engine::Money::FromDollars(1'000'000);
    config_.kalshi.connections_per_user_max = kReaders;
    config_.kalshi.tiers.push_back({engine::AccountId(1), "prestige"});
    for (uint32_t i = 1; i < kMarkets; ++i) {
      config_.markets.push_back(config_.markets[0]);
      config_.markets.back().definition.id = engine::MarketId(100 + i);
      config_.markets.back().definition.symbol = absl::StrCat("KXRAIN-26-M", i);
      config_.kalshi.markets.push_back(config_.kalshi.markets[0]);
      config_.kalshi.markets.back().id = engine::MarketId(100 + i);
    }
    std::vector<std::string> tickers;
    for (const MarketConfig& market : config_.markets) tickers.push_back(market.definition.symbol);
    subscribe_ = engine::ClientFrame(
        engine::WebSocketOpcode::kText,
        absl::StrCat(R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta"],)",
                     R"("market_tickers":[")", absl::StrJoin(tickers, R"(",")"), R"("]}})"));
    sockets_ = SystemSockets::Make(steady_).value();
    venue_ = std::make_unique<SmallVenue>(
        config_, directory_, clock_, steady_, VenueConversation(), [](VenueServer&) {},
        sockets_.get());
    EXPECT_TRUE(venue_->started.ok()) << venue_->started;
  }

  std::unique_ptr<Peer> Connect() { return world_->Connect(venue_->server.kalshi_address()); }

  // Opens a session with a subscription to all markets. Reads nothing.
  std::unique_ptr<Peer> Subscribe(const std::string& upgrade) {
    std::unique_ptr<Peer> peer = Connect();
    EXPECT_EQ(peer->Send(upgrade), upgrade.size());
    EXPECT_EQ(peer->Send(subscribe_), subscribe_.size());
    return peer;
  }

  // A batch of orders, each of which changes a book.
  void Trade(int order_count = kOrdersOfBatch) {
    // Refills the bucket.
    clock_.Set(engine::Timestamp::FromNanos(clock_.Now().nanos() +
                                            kSecondNanos / 8 * order_count / kOrdersOfBatch));
    std::vector<std::string> orders;
    for (int i = 0; i < order_count; ++i, ++orders_) {
      const std::string id = absl::StrCat(std::string(120, 'x'), 1'000'000 + orders_);
      const std::string price = absl::StrCat("0.", 10 + orders_ % 80);
      orders.push_back(Order("bid", "1", price, id));
      const std::string& ticker = config_.markets[orders_ % kMarkets].definition.symbol;
      orders.back().replace(orders.back().find("KXRAIN-26-NYC"), 13, ticker);
    }
    const std::string request =
        Request(kOneKey, "POST", "/trade-api/v2/portfolio/events/orders/batched",
                absl::StrCat(R"({"orders":[)", absl::StrJoin(orders, ","), "]}"));
    std::string answer;
    const std::string last = absl::StrCat(1'000'000 + orders_ - 1, R"(")");
    for (size_t sent = 0; !absl::StrContains(answer, last);) {
      sent += trader_->Send(absl::string_view(request).substr(sent));
      venue_->Turn();
      answer += trader_->Receive();
      ASSERT_FALSE(trader_->has_ended());
    }
    ASSERT_TRUE(absl::StartsWith(answer, "HTTP/1.1 201")) << answer.substr(0, 500);
    ASSERT_FALSE(absl::StrContains(answer, R"("error")")) << answer.substr(0, 500);
  }

  // The trader and the client that reads are there, and all is warm.
  void Begin() {
    ASSERT_NO_FATAL_FAILURE(AllowDescriptors(2 * kReaders + 200));
    trader_ = Connect();
    good_ = Subscribe(Upgrade(kTwoKey));
    TradeAndHear(1);
    before_ = BytesInUse();
  }

  void OpenReaders(size_t count) {
    const std::string upgrade = Upgrade(kOneKey);
    for (size_t i = 0; i < count; ++i) readers_.push_back(Subscribe(upgrade));
    while (venue_->server.counts().sessions < count + 2) venue_->Turn();
  }

  // After each batch, the client that reads has all its frames. Returns the most bytes in use.
  int64_t TradeAndHear(int batches) {
    int64_t most = 0;
    for (int batch = 0; batch < batches && !HasFatalFailure(); ++batch) {
      Trade();
      for (int turn = 0; turn < 1'000 && heard_.last_seq() < kMarkets + orders_; ++turn) {
        venue_->Turn();
        heard_.Take(good_->Receive());
      }
      EXPECT_EQ(heard_.last_seq(), kMarkets + orders_);
      most = std::max(most, BytesInUse());
    }
    return most;
  }

  int64_t before_ = 0;  // Bytes in use.
  int orders_ = 0;
  std::unique_ptr<Peer> trader_;
  std::unique_ptr<Peer> good_;
  Heard heard_;  // By the client that reads.
  std::vector<std::unique_ptr<Peer>> readers_;
  std::string subscribe_;
  const std::unique_ptr<NetworkWorld> world_ = MakeTcpWorld();
  std::unique_ptr<SystemSockets> sockets_;
};

TEST_F(KalshiSlowReadersTest, AThousandHoldLittleMemory) {
  ASSERT_NO_FATAL_FAILURE(Begin());
  OpenReaders(kReaders);
  // Enough for the buffers of the system, of the connection and of the session.
  int64_t most = TradeAndHear(16);
  const int64_t filled = BytesInUse();
  most = std::max(most, TradeAndHear(16));
  EXPECT_LT(most - before_, kReaders * kReaderBytesMax);
  // No reader is sent anything any more: what grows is the exchange.
  EXPECT_LT(BytesInUse() - filled, kReaders * int64_t{8} << 10);

  // Those that read now have lost their subscriptions, after a whole row of frames.
  for (size_t i = 0; i < kReaders; i += 25) {
    Heard late;
    for (int turn = 0; turn < 1'000 && !late.EndsInOverflow(); ++turn) {
      venue_->Turn();
      ASSERT_NO_FATAL_FAILURE(late.Take(readers_[i]->Receive()));
    }
    EXPECT_TRUE(late.EndsInOverflow()) << i;
    EXPECT_GT(late.last_seq(), kMarkets);
    readers_[i].reset();
  }

  // The others are blocked for ten seconds, and have five to take the rest.
  steady_.Advance(10 * kSecondNanos);
  for (int turn = 0; turn < 10; ++turn) venue_->Turn();
  steady_.Advance(5 * kSecondNanos);
  for (int turn = 0; turn < 1'000 && venue_->server.counts().sessions > 2; ++turn) venue_->Turn();
  EXPECT_EQ(venue_->server.counts().sessions, 2u) << "the trader and the reader";
  TradeAndHear(1);
  EXPECT_LT(BytesInUse() - before_, kReaders * int64_t{16} << 10);
}

// All of its frames are there before any can be sent, and are more than a slow reader may hold.
TEST_F(KalshiSlowReadersTest, ALargeBatchEndsNoSubscriptionOfAClientThatReads) {
  ASSERT_NO_FATAL_FAILURE(Begin());
  const std::unique_ptr<Peer> own = Subscribe(Upgrade(kOneKey));
  Heard heard;
  for (int turn = 0; turn < 1'000 && heard.last_seq() < kMarkets; ++turn) {
    venue_->Turn();
    heard.Take(own->Receive());
  }
  constexpr int kOrders = 1'000;
  ASSERT_NO_FATAL_FAILURE(Trade(kOrders));
  for (int turn = 0; turn < 1'000 && heard.last_seq() < kMarkets + kOrders; ++turn) {
    venue_->Turn();
    heard.Take(own->Receive());
    ASSERT_FALSE(heard.EndsInOverflow()) << heard.last_seq();
  }
  EXPECT_EQ(heard.last_seq(), kMarkets + kOrders);
}

// Their answers are not frames of a subscription, so no more commands are taken.
TEST_F(KalshiSlowReadersTest, WhoSendsCommandsAsWellHoldsBoundedMemory) {
  constexpr int kSenders = 20;
  ASSERT_NO_FATAL_FAILURE(Begin());
  OpenReaders(kSenders);
  TradeAndHear(16);
  std::string commands;
  for (int i = 0; i < 1'000; ++i) {
    commands += engine::ClientFrame(engine::WebSocketOpcode::kText, R"({"id":1,"cmd":"none"})");
  }
  std::vector<size_t> sent(kSenders);
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < kSenders; ++i) {
      sent[i] += readers_[i]->Send(absl::string_view(commands).substr(sent[i] % commands.size()));
    }
    for (int turn = 0; turn < 100; ++turn) venue_->Turn();
  }
  EXPECT_LT(BytesInUse() - before_, kSenders * kSenderBytesMax);
  TradeAndHear(1);
}

}  // namespace
}  // namespace tools
