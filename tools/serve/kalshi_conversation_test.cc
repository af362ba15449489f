// Conversations of Kalshi's API: what their rows hold, and what a replay notices. That the
// conversations of all tests of KalshiVenue are replayed alike, the fixture checks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/conversation.h"
#include "engine/types/market_definition.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "replay/exchange_machine.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/conversation_replay.h"
#include "tools/serve/testing/kalshi_venue.h"
#include "tools/serve/testing/kept_talk.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

constexpr absl::string_view kOrders = "/portfolio/events/orders";

class KalshiConversationTest : public KalshiVenue {
 protected:
  KalshiConversationTest() {
    config_.kalshi.serves_sim = true;
    config_.admin.token = "the-token";
    Start();
  }

  absl::StatusOr<TalkReport> Replay(const KeptRows& rows, const VenueConfig* config) const {
    return ReplayTalk(
        rows, directory_, {},
        [](const replay::ExchangeMachine&, const engine::MarketDefinition*, std::string&) {},
        config);
  }

  // Something of everything.
  void Converse() {
    const std::unique_ptr<MemoryPeer> socket = Connect();
    EXPECT_EQ(Send(*socket, Upgrade(kTwoKey)).status, 101);
    const std::string subscribe = engine::ClientFrame(
        engine::WebSocketOpcode::kText,
        R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta","fill"],)"
        R"("market_ticker":"KXRAIN-26-NYC"}})");
    socket->Send(engine::AsBytes(subscribe));
    EXPECT_EQ(Ask(kOneKey, "POST", kOrders, Order("bid", "5", "0.40", "a")).status, 201);
    EXPECT_EQ(Ask(kTwoKey, "POST", kOrders, Order("ask", "2", "0.40", "b")).status, 201);
    EXPECT_EQ(Ask(kOneKey, "GET", "/portfolio/balance").status, 200);
    const std::unique_ptr<MemoryPeer> peer = Connect();
    const std::string path = "/trade-api/v2/portfolio/balance";
    EXPECT_EQ(
        Send(*peer, absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: v\r\n",
                                 Headers(one_, kTwoKey, absl::StrCat(kNowMs), "other"), "\r\n"))
            .status,
        401);
    for (const absl::string_view token : {"the-token", "a-wrong-one"}) {
      Send(*peer, absl::StrCat("POST /sim/rate_limit_burst?count=1 HTTP/1.1\r\nHost: v\r\n",
                               "Authorization: Bearer ", token, "\r\nContent-Length: 0\r\n\r\n"));
    }
    EXPECT_EQ(Ask("", "GET", "/exchange/status").status, 429);
    EXPECT_TRUE(venue_->server.Inject("server_errors", "status=503&seconds=5", "+1.5").ok());
    EXPECT_EQ(Ask("", "GET", "/exchange/status").status, 503);
    steady_.Advance(int64_t{11} * 1'000'000'000);
    for (int i = 0; i < 5; ++i) venue_->Turn();
    EXPECT_TRUE(absl::StrContains(socket->Receive(), "heartbeat"));
  }
};

TEST_F(KalshiConversationTest, NoRowHasASecret) {
  Converse();
  const std::string signature =
      one_.SignBase64(absl::StrCat(kNowMs, "GET/trade-api/v2/portfolio/balance")).value();
  std::string all;
  for (const KeptRow& kept : talks_.back()->rows()) {
    EXPECT_FALSE(absl::StrContains(kept.attachment, signature)) << kept.attachment;
    EXPECT_FALSE(absl::StrContains(kept.attachment, "the-token")) << kept.attachment;
    absl::StrAppend(&all, kept.attachment);
  }
  EXPECT_TRUE(absl::StrContains(all, "****"));
}

TEST_F(KalshiConversationTest, EveryChangedReplyIsNoticed) {
  Converse();
  venue_.reset();
  const KeptRows& rows = talks_.back()->rows();
  size_t sent = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].row.kind != engine::TalkKind::kSent) continue;
    ++sent;
    KeptRows changed = rows;
    changed[i].row.hash ^= 1;
    const auto report = Replay(changed, &config_);
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_TRUE(report->difference.has_value()) << i;
    EXPECT_EQ(report->difference->row.value(), i + 1);
    EXPECT_EQ(report->difference->gateway, engine::TalkGateway::kKalshi);
  }
  EXPECT_GE(sent, 10u);
}

TEST_F(KalshiConversationTest, AVerdictThatIsMissingIsADifference) {
  Converse();
  venue_.reset();
  KeptRows rows = talks_.back()->rows();
  EXPECT_EQ(
      std::erase_if(
          rows, [](const KeptRow& kept) { return kept.row.kind == engine::TalkKind::kUnproven; }),
      2u);
  const auto report = Replay(rows, &config_);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_TRUE(report->difference.has_value());
  EXPECT_TRUE(absl::StrContains(report->difference->actual, "200 OK"))
      << report->difference->actual;
}

TEST_F(KalshiConversationTest, WithoutItsConfigurationNothingIsReplayed) {
  Converse();
  venue_.reset();
  const absl::Status status = Replay(talks_.back()->rows(), nullptr).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "is of a gateway without a configuration"));
}

// The whole, and every cut of it.
std::string Masked(const std::string& text) {
  const std::string whole = engine::HeaderMask().Mask(engine::AsBytes(text));
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    engine::HeaderMask mask;
    std::string parts = mask.Mask(engine::AsBytes(text).first(cut));
    parts += mask.Mask(engine::AsBytes(text).subspan(cut));
    EXPECT_EQ(parts, whole) << cut;
  }
  return whole;
}

TEST(HeaderMask, HidesTheValuesOfTwoFields) {
  EXPECT_EQ(Masked("GET /x HTTP/1.1\r\nHost: v\r\nAuthorization: Bearer the-token\r\n\r\n"),
            "GET /x HTTP/1.1\r\nHost: v\r\nAuthorization: ****** *********\r\n\r\n");
  EXPECT_EQ(Masked("a: b\nkAlShI-access-SIGNATURE:abc=\n c\n d\ne: f"),
            "a: b\nkAlShI-access-SIGNATURE:****\n *\n *\ne: f");
  EXPECT_EQ(Masked("authorization : x\r\n\r\n {\"authorization\": 1}\r\n a"),
            "authorization : *\r\n\r\n {\"authorization\": 1}\r\n a");
  for (const char* same :
       {"", "\n", "authorization", "author: x\n", "x-authorization: y\n", "authorizations: z\n",
        " authorization: z\n", "kalshi-access-key: k\n"}) {
    EXPECT_EQ(Masked(same), same);
  }
}

}  // namespace
}  // namespace tools
